import ByteCoding
import ChatProtocol
import TestSupport
import Testing

/// A line of `chat-messages.tsv`.
struct RecordedMessage: Sendable, CustomTestStringConvertible {
    let number: Int
    /// Whether the message is also written, and not only read.
    let isWritten: Bool
    let text: String

    static let all: [RecordedMessage] = VectorFile.rows("chat-messages").map { columns in
        guard columns.count == 3, let number = Int(columns[0]), ["both", "read"].contains(columns[1]) else {
            fatalError("not a line of chat-messages.tsv: \(columns)")
        }
        return RecordedMessage(number: number, isWritten: columns[1] == "both", text: columns[2])
    }

    static func line(_ number: Int) -> RecordedMessage {
        guard let line = all.first(where: { $0.number == number }) else { fatalError("no line \(number)") }
        return line
    }

    var bytes: Bytes { Bytes(text.utf8) }

    var testDescription: String { "\(number) \(text.prefix(60))" }
}
