public import ByteCoding
public import SMPProtocol

/// A new queue, and which one it replaces.
public struct ReplacementQueue: Hashable, Sendable, ByteCodable {
    public let queue: QueueAddress
    public let replaced: SenderQueueAddress?

    public init(queue: QueueAddress, replaced: SenderQueueAddress?) {
        self.queue = queue
        self.replaced = replaced
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        queue = try reader.value()
        replaced = try reader.optional()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.value(queue)
        writer.optional(replaced)
    }
}

/// The keys of the sender of a new queue: the address carries the sender's key for messages in place of the recipient's.
public struct QueueSenderKey: Hashable, Sendable, ByteCodable {
    public let queue: AgreedQueueAddress
    public let key: AuthorizationKey

    public init(queue: AgreedQueueAddress, key: AuthorizationKey) {
        self.queue = queue
        self.key = key
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        queue = try reader.value()
        key = try reader.value()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.value(queue)
        writer.value(key)
    }
}

/// A queue that is ready to be used, and whether it is the one to prefer.
public struct QueueUse: Hashable, Sendable, ByteCodable {
    public let queue: SenderQueueAddress
    public let isPrimary: Bool

    public init(queue: SenderQueueAddress, isPrimary: Bool) {
        self.queue = queue
        self.isPrimary = isPrimary
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        queue = try reader.value()
        isPrimary = try reader.bool()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.value(queue)
        writer.bool(isPrimary)
    }
}
