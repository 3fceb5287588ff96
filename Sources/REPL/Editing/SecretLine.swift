import CryptoCore
import TerminalKit

/// A line that is typed and not shown: no history, no undoing, nothing of it on the screen.
final class SecretLine {
    enum Outcome {
        case goesOn
        case complete(Secret)
        /// Ctrl-D on an empty line.
        case end
    }

    /// What stands before the line.
    let text: StyledText
    /// Whether there need not be an answer: Ctrl-C and Ctrl-D say so.
    let isRefusable: Bool
    /// Gets nil if there is none.
    let onAnswer: (Secret?) -> Void
    private var typed: [UInt8] = []

    /// More than anybody types, in bytes. What is beyond is left out.
    private static let limit = 1024

    init(_ text: StyledText, isRefusable: Bool, _ onAnswer: @escaping (Secret?) -> Void) {
        self.text = text
        self.isRefusable = isRefusable
        self.onAnswer = onAnswer
        // SECURITY: an array that grows leaves copies behind.
        typed.reserveCapacity(SecretLine.limit)
    }

    deinit { wipe() }

    func append(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes where byte >= 0x20 && byte != 0x7f && typed.count < SecretLine.limit { typed.append(byte) }
    }

    func press(_ key: UInt8) -> Outcome {
        switch key {
        case 0x0a, 0x0d:
            let secret = Secret(copying: typed)
            wipe()
            return .complete(secret)
        case 0x04 where typed.isEmpty: return .end
        case 0x08, 0x7f:
            // A character is all of its bytes.
            while let last = typed.popLast(), last & 0xc0 == 0x80 {}
        case 0x15: wipe()
        default: append([key])
        }
        return .goesOn
    }

    private func wipe() {
        for index in typed.indices { typed[index] = 0 }
        typed.removeAll(keepingCapacity: true)
    }
}
