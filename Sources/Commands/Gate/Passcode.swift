import ByteCoding
import CommandKit
package import CryptoCore
package import Navigation
import SystemIO
import TerminalKit

/// A passcode as somebody typed it: what opens the gate of the session. It is not the key of the store: whoever has that
/// reads everything without it.
package struct Passcode: Sendable {
    private let secret: Secret

    /// How many bytes a new one must have at least, and any may have at most.
    static let sizes = 4...256

    /// Takes what was read, without a line end at its end. Nil if it is empty, or longer than any passcode.
    package init?(_ typed: Secret) {
        guard (1...Passcode.sizes.upperBound).contains(typed.count) else { return nil }
        secret = typed
    }

    package var isNumeric: Bool {
        secret.withBytes { bytes in
            (0..<bytes.byteCount).allSatisfy { index in
                let byte = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt8.self)
                return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        }
    }

    var isLongEnough: Bool { secret.count >= Passcode.sizes.lowerBound }

    func isEqual(to other: Passcode) -> Bool { secret.isEqual(to: other.secret) }

    // MARK: - Hashes

    /// What is stored of it. Blocks for a good part of a second.
    package func hash(
        _ random: any RandomSource = SystemRandom(), cost: Argon2id.Cost = .recommended
    ) throws(CryptoError) -> GateRecord.Hash {
        let salt = Secret(random: random, count: Argon2id.saltSize).copyBytes()
        let hash = try Argon2id.derive(32, from: secret, salt: salt, cost: cost).copyBytes()
        return GateRecord.Hash(
            salt: salt, hash: hash, passes: cost.passes, memory: cost.memory, isNumeric: isNumeric)
    }

    /// Whether it is the one that was stored. Blocks for a good part of a second. What is stored in a way that cannot be
    /// worked out is no passcode of anybody.
    package func matches(_ stored: GateRecord.Hash) -> Bool {
        guard stored.salt.count == Argon2id.saltSize,
            let cost = Argon2id.Cost(passes: stored.passes, memory: stored.memory),
            // SECURITY: an archive may bring a passcode of any cost into the store.
            Argon2id.Cost.areAffordable([cost]),
            let hash = try? Argon2id.derive(32, from: secret, salt: stored.salt, cost: cost)
        else { return false }
        return hash.isEqual(to: Secret(copying: stored.hash))
    }

    /// What it is for a gate. Both are worked out whichever it is, so that the time says nothing.
    package func answer(to record: GateRecord) -> Gate.Answer {
        let isRight = record.passcode.map(matches) ?? false
        let isEnd = record.selfDestruct.map(matches) ?? false
        return isRight ? .right : isEnd ? .selfDestruct : .wrong
    }

    // MARK: - Asking

    /// The passcode from an open descriptor, or from a person at the terminal.
    static func read(_ question: String, descriptor: Int?, _ invocation: Invocation) throws -> Passcode {
        let typed: Secret
        if let descriptor {
            guard invocation.host == nil else {
                throw Reason.passcodeDescriptorInSession
            }
            typed = try read(Int32(descriptor))
        } else if case .asked(_, let ask) = invocation.questions {
            guard let answer = ask(StyledText(question)) else {
                throw Reason.passcodeNotTyped
            }
            typed = answer
        } else {
            let terminal: ControllingTerminal
            do throws(PromptError) {
                terminal = try ControllingTerminal(allowsQuestions: !invocation[GlobalOptions.noInput])
            } catch {
                throw Reason.passcodeMissing(invocation.parsed.command)
            }
            typed = try terminal.secret(StyledText(question)) { Secret(copying: $0) }
        }
        guard let passcode = Passcode(typed) else {
            throw typed.count == 0 ? Reason.emptyPasscode : Reason.longPasscode(limit: sizes.upperBound)
        }
        return passcode
    }

    /// A new passcode; a person types it twice.
    static func readNew(_ question: String, descriptor: Int?, _ invocation: Invocation) throws -> Passcode {
        while true {
            do {
                return try readOnce(question, descriptor: descriptor, invocation)
            } catch let reason as Reason
                where descriptor == nil && invocation.questions.areForSecrets
                && reason.code != Reason.passcodeNotTyped.code
            {
                // SECURITY: who goes on typing it must not do so where lines are sent.
                invocation.warn(reason.text)
            }
        }
    }

    private static func readOnce(_ question: String, descriptor: Int?, _ invocation: Invocation) throws -> Passcode {
        let passcode = try read(question, descriptor: descriptor, invocation)
        guard passcode.isLongEnough else {
            throw Reason.shortPasscode(least: sizes.lowerBound)
        }
        // A descriptor has no second line to read.
        if descriptor != nil { return passcode }
        guard try read("Repeat the passcode", descriptor: nil, invocation).isEqual(to: passcode) else {
            throw Reason.passcodesDiffer
        }
        return passcode
    }

    /// SECURITY: the line end that most programs write behind it is no part of it.
    private static func read(_ number: Int32) throws -> Secret {
        do throws(SystemError) {
            return try FileDescriptor(owning: number).withContents(limit: sizes.upperBound + 2, "read the passcode") {
                let whole = Secret(copying: $0)
                var bytes = whole.copyBytes()
                defer { for index in bytes.indices { bytes[index] = 0 } }
                let end = bytes.last == UInt8(ascii: "\n") ? whole.count - 1 : whole.count
                return whole.split(end, whole.count - end)[0]
            }
        } catch {
            throw Reason.unreadablePasscode(number, error)
        }
    }
}
