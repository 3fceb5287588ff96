public import ByteCoding
public import SMPProtocol

/// A new queue and the queue that it replaces (smp-agent.md 7.11).
public struct ReplacementQueue: Hashable, Sendable, ByteCodable {
    /// The new queue.
    public let queue: QueueAddress
    /// The replaced queue.
    public let replaced: SenderQueueAddress?

    /// Creates a replacement queue from its parts.
    public init(queue: QueueAddress, replaced: SenderQueueAddress?) {
        self.queue = queue
        self.replaced = replaced
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        queue = try reader.value()
        replaced = try reader.optional()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(queue)
        writer.optional(replaced)
    }
}

/// The sender's keys for a new queue. The address contains the sender's key for messages instead of the recipient's.
public struct QueueSenderKey: Hashable, Sendable, ByteCodable {
    /// The new queue with the sender's key.
    public let queue: AgreedQueueAddress
    /// The key that authorizes the sender's commands.
    public let key: AuthorizationKey

    /// Creates a queue sender key from its parts.
    public init(queue: AgreedQueueAddress, key: AuthorizationKey) {
        self.queue = queue
        self.key = key
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        queue = try reader.value()
        key = try reader.value()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(queue)
        writer.value(key)
    }
}

/// A queue that is ready for use.
public struct QueueUse: Hashable, Sendable, ByteCodable {
    /// The queue.
    public let queue: SenderQueueAddress
    /// True if the queue is the preferred one.
    public let isPrimary: Bool

    /// Creates a queue use from its parts.
    public init(queue: SenderQueueAddress, isPrimary: Bool) {
        self.queue = queue
        self.isPrimary = isPrimary
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        queue = try reader.value()
        isPrimary = try reader.bool()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(queue)
        writer.bool(isPrimary)
    }
}
