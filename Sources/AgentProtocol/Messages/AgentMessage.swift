public import ByteCoding
import SMPProtocol

/// A plaintext message of the ratchet (smp-agent.md 7.4).
public enum AgentMessage: Hashable, Sendable, ByteCodable {
    /// The initiator's response to a joiner. Letter `I`.
    case connectionInfo(Bytes)
    /// A joiner's confirmation with the queues for the response. Letter `D`.
    case connectionInfoReply([AgreedQueueAddress], info: Bytes)
    /// The information beside keys for a new ratchet, empty at present. Letter `R`.
    case ratchetInfo(Bytes)
    /// All messages after the handshake. Letter `M`.
    case message(MessageHeader, AgentMessageBody)

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "I"): self = .connectionInfo(reader.rest())
        case UInt8(ascii: "D"): self = .connectionInfoReply(try reader.nonEmptyList(), info: reader.rest())
        case UInt8(ascii: "R"): self = .ratchetInfo(reader.rest())
        case UInt8(ascii: "M"): self = .message(try reader.value(), try reader.value())
        default: throw .invalid("agent message")
        }
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .connectionInfo(let info):
            writer.character("I")
            writer.raw(info)
        case .connectionInfoReply(let queues, let info):
            writer.character("D")
            writer.list(queues)
            writer.raw(info)
        case .ratchetInfo(let info):
            writer.character("R")
            writer.raw(info)
        case .message(let header, let body):
            writer.character("M")
            writer.value(header)
            writer.value(body)
        }
    }
}

/// The position of a message in the sequence of its sender (smp-agent.md 7.5).
public struct MessageHeader: Hashable, Sendable, ByteCodable {
    /// The number of the message, from 1.
    public let number: Int64
    /// The SHA-256 of the previous message; empty for the first.
    public let previousHash: Bytes

    /// Creates a message header from its parts.
    public init(number: Int64, previousHash: Bytes) {
        self.number = number
        self.previousHash = previousHash
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        number = try reader.int64()
        previousHash = try reader.shortBytes()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.int64(number)
        writer.shortBytes(previousHash)
    }
}

/// The body of a message: content of the application, or a control message.
public enum AgentMessageBody: Hashable, Sendable, ByteCodable {
    /// Completes a connection over queues that their sender cannot secure. Letter `H`.
    case hello
    /// A message of the application. Letter `M`.
    case content(Bytes)
    /// Delivery receipts. Letter `V`.
    case receipts([MessageReceipt])
    /// The full queue with this address was emptied, and the sender may continue. Letters `QC`.
    case queueContinue(SenderQueueAddress)
    /// A queue that is to replace another. Letters `QA`.
    case queueAdd([ReplacementQueue])
    /// The sender's keys for a new queue. Letters `QK`.
    case queueKey([QueueSenderKey])
    /// A new queue is ready. Letters `QU`.
    case queueUse([QueueUse])
    /// The first message in a new queue. Letters `QT`.
    case queueTest([SenderQueueAddress])
    /// A new ratchet is ready. The value is the number of the last message received before. Letter `E`.
    case ratchetReady(lastReceived: Int64)

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "H"): self = .hello
        case UInt8(ascii: "M"): self = .content(reader.rest())
        case UInt8(ascii: "V"): self = .receipts(try reader.nonEmptyList())
        case UInt8(ascii: "E"): self = .ratchetReady(lastReceived: try reader.int64())
        case UInt8(ascii: "Q"):
            switch try reader.uint8() {
            case UInt8(ascii: "C"): self = .queueContinue(try reader.value())
            case UInt8(ascii: "A"): self = .queueAdd(try reader.nonEmptyList())
            case UInt8(ascii: "K"): self = .queueKey(try reader.nonEmptyList())
            case UInt8(ascii: "U"): self = .queueUse(try reader.nonEmptyList())
            case UInt8(ascii: "T"): self = .queueTest(try reader.nonEmptyList())
            default: throw .invalid("queue message")
            }
        default: throw .invalid("message body")
        }
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .hello: writer.character("H")
        case .content(let body):
            writer.character("M")
            writer.raw(body)
        case .receipts(let receipts):
            writer.character("V")
            writer.list(receipts)
        case .queueContinue(let queue):
            writer.ascii("QC")
            writer.value(queue)
        case .queueAdd(let queues):
            writer.ascii("QA")
            writer.list(queues)
        case .queueKey(let keys):
            writer.ascii("QK")
            writer.list(keys)
        case .queueUse(let queues):
            writer.ascii("QU")
            writer.list(queues)
        case .queueTest(let queues):
            writer.ascii("QT")
            writer.list(queues)
        case .ratchetReady(let lastReceived):
            writer.character("E")
            writer.int64(lastReceived)
        }
    }
}

/// The receipt of a message for its sender (smp-agent.md 7.10).
public struct MessageReceipt: Hashable, Sendable, ByteCodable {
    /// The sender's number of the message.
    public let number: Int64
    /// The SHA-256 of the decrypted message.
    public let hash: Bytes
    /// Bytes for the application, empty at present.
    public let info: Bytes

    /// Creates a message receipt from its parts.
    public init(number: Int64, hash: Bytes, info: Bytes = []) {
        self.number = number
        self.hash = hash
        self.info = info
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        number = try reader.int64()
        hash = try reader.shortBytes()
        info = try reader.largeBytes()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.int64(number)
        writer.shortBytes(hash)
        writer.largeBytes(info)
    }
}
