public import ByteCoding
import CryptoCore

/// The number and hash of the last message in one direction of a connection (smp-agent.md 7.5).
///
/// Every message of the ratchet has the next number and the hash of the previous message. The receiver notices if
/// messages are missing, repeated or replaced.
public struct MessageSequence: Hashable, Sendable {
    /// The number of the last message; 0 at the beginning.
    public private(set) var lastNumber: Int64
    /// SHA-256 of the last message before encryption; empty at the beginning.
    public private(set) var lastHash: Bytes

    /// Creates the beginning of a direction, or a stored position.
    public init(lastNumber: Int64 = 0, lastHash: Bytes = []) {
        self.lastNumber = lastNumber
        self.lastHash = lastHash
    }

    /// The header of the next message.
    public var nextHeader: MessageHeader {
        MessageHeader(number: lastNumber &+ 1, previousHash: lastHash)
    }

    /// Advances past an outgoing message. A confirmation has a number, but does not contain it.
    public mutating func advance(over message: Bytes) {
        lastNumber &+= 1
        lastHash = SHA256.hash(message)
    }

    /// Checks the header of a received message and advances past it in any case, so that a gap is reported once.
    public mutating func receive(_ header: MessageHeader, message: Bytes) -> MessageIntegrity {
        let integrity = check(header)
        lastNumber = header.number
        lastHash = SHA256.hash(message)
        return integrity
    }

    private func check(_ header: MessageHeader) -> MessageIntegrity {
        if header.number == lastNumber &+ 1, header.previousHash == lastHash { return .ok }
        if header.number < lastNumber { return .badNumber(last: lastNumber) }
        if header.number == lastNumber { return .duplicate }
        if header.number > lastNumber &+ 1 { return .skipped(from: lastNumber &+ 1, to: header.number - 1) }
        return .badHash
    }
}

/// The result of checking the header of a received message. The message itself is authentic in every case.
public enum MessageIntegrity: Hashable, Sendable {
    /// The message follows the previous one.
    case ok
    /// Messages with these numbers are missing.
    case skipped(from: Int64, to: Int64)
    /// The number is smaller than a received one.
    case badNumber(last: Int64)
    /// The hash of the previous message differs.
    case badHash
    /// The number was already received.
    case duplicate
}
