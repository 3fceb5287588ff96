public import ByteCoding
import SMPProtocol

/// What is inside of the ratchet.
public enum AgentMessage: Hashable, Sendable, ByteCodable {
    /// The initiator's answer to a joiner. Letter `I`.
    case connectionInfo(Bytes)
    /// A joiner's confirmation: where it is to be answered. Letter `D`.
    case connectionInfoReply([AgreedQueueAddress], info: Bytes)
    /// What accompanies keys for a new ratchet; empty at present. Letter `R`.
    case ratchetInfo(Bytes)
    /// Everything after the handshake. Letter `M`.
    case message(MessageHeader, AgentMessageBody)

    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "I"): self = .connectionInfo(reader.rest())
        case UInt8(ascii: "D"): self = .connectionInfoReply(try reader.nonEmptyList(), info: reader.rest())
        case UInt8(ascii: "R"): self = .ratchetInfo(reader.rest())
        case UInt8(ascii: "M"): self = .message(try reader.value(), try reader.value())
        default: throw .invalid("agent message")
        }
    }

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

/// The place of a message in the sequence of its sender.
public struct MessageHeader: Hashable, Sendable, ByteCodable {
    /// Counts what the sender sent through the ratchet, from 1.
    public let number: Int64
    /// SHA-256 of the message before this one; empty if there was none.
    public let previousHash: Bytes

    public init(number: Int64, previousHash: Bytes) {
        self.number = number
        self.previousHash = previousHash
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        number = try reader.int64()
        previousHash = try reader.shortBytes()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.int64(number)
        writer.shortBytes(previousHash)
    }
}

/// What a message is about: the user's words, or the connection itself.
public enum AgentMessageBody: Hashable, Sendable, ByteCodable {
    /// Completes a connection over queues that their sender cannot secure. Letter `H`.
    case hello
    /// A message of the application. Letter `M`.
    case content(Bytes)
    /// Messages were received. Letter `V`.
    case receipts([MessageReceipt])
    /// The queue with this address was emptied: go on sending. Letters `QC`.
    case queueContinue(SenderQueueAddress)
    /// A queue that will replace another. Letters `QA`.
    case queueAdd([ReplacementQueue])
    /// The sender's keys for a new queue. Letters `QK`.
    case queueKey([QueueSenderKey])
    /// A new queue is ready. Letters `QU`.
    case queueUse([QueueUse])
    /// The first message in a new queue. Letters `QT`.
    case queueTest([SenderQueueAddress])
    /// A new ratchet is ready; the number of the last message that was received before. Letter `E`.
    case ratchetReady(lastReceived: Int64)

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

/// Tells the sender of a message that it arrived.
public struct MessageReceipt: Hashable, Sendable, ByteCodable {
    /// The sender's number of the message.
    public let number: Int64
    /// SHA-256 of the message as it was decrypted.
    public let hash: Bytes
    /// For the application; empty at present.
    public let info: Bytes

    public init(number: Int64, hash: Bytes, info: Bytes = []) {
        self.number = number
        self.hash = hash
        self.info = info
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        number = try reader.int64()
        hash = try reader.shortBytes()
        info = try reader.largeBytes()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.int64(number)
        writer.shortBytes(hash)
        writer.largeBytes(info)
    }
}
