public import ByteCoding
import CryptoCore

/// The number and the hash of the last message of one direction of a connection.
///
/// Every message that goes through the ratchet takes the next number and carries the hash of the one before, so that its
/// receiver notices when some are missing, repeated or replaced.
public struct MessageSequence: Hashable, Sendable {
    public private(set) var lastNumber: Int64
    /// SHA-256 of the last message before encryption; empty at the beginning.
    public private(set) var lastHash: Bytes

    /// The beginning of a direction, or a stored position.
    public init(lastNumber: Int64 = 0, lastHash: Bytes = []) {
        self.lastNumber = lastNumber
        self.lastHash = lastHash
    }

    /// The header of the next message.
    public var nextHeader: MessageHeader {
        MessageHeader(number: lastNumber &+ 1, previousHash: lastHash)
    }

    /// Moves behind a message that is sent now. A confirmation takes a number although it shows none.
    public mutating func advance(over message: Bytes) {
        lastNumber &+= 1
        lastHash = SHA256.hash(message)
    }

    /// Checks the header of a received message and moves behind it, whatever the result: a gap is reported once.
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

/// What the header of a received message says about those before it. The message itself is authentic in every case.
public enum MessageIntegrity: Hashable, Sendable {
    case ok
    /// Messages with these numbers did not arrive.
    case skipped(from: Int64, to: Int64)
    /// The number is smaller than one that was received.
    case badNumber(last: Int64)
    /// The message before was another one than the sender sent.
    case badHash
    /// The number was received before.
    case duplicate
}
