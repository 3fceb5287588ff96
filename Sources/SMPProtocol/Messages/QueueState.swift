public import ByteCoding
public import JSONCoding

/// The state of a queue in INFO, a JSON object for diagnosis (smp-agent.md 5.8).
public struct QueueState: Hashable, Sendable {
    /// The subscription state of a queue.
    public enum Subscription: String, Hashable, Sendable {
        /// No subscription.
        case none = "noSub"
        /// A subscription without a delivery thread yet.
        case pending = "subPending"
        /// A subscription with a delivery thread.
        case active = "subThread"
        /// A subscription that the relay prohibits.
        case prohibited = "prohibitSub"
    }

    /// The kind of a stored message.
    public enum MessageKind: String, Hashable, Sendable {
        /// A message.
        case message
        /// The mark of a full queue.
        case quota
    }

    /// The next message to deliver.
    public struct Message: Hashable, Sendable {
        /// The id of the message.
        public let messageID: Bytes
        /// The time at which the relay received the message, RFC 3339.
        public let time: String
        /// The kind of the message.
        public let kind: MessageKind

        /// Creates a message from its parts.
        public init(messageID: Bytes, time: String, kind: MessageKind) {
            self.messageID = messageID
            self.time = time
            self.kind = kind
        }
    }

    /// True if the queue has a sender key.
    public let isSecured: Bool
    /// True if the queue has notification credentials.
    public let hasNotifier: Bool
    /// The subscription; nil without one.
    public let subscription: Subscription?
    /// The id of the delivered message that is not acknowledged yet.
    public let delivered: Bytes?
    /// The number of messages in the queue.
    public let size: Int
    /// The next message to deliver.
    public let message: Message?

    /// Creates a queue state from its parts.
    public init(
        isSecured: Bool, hasNotifier: Bool, subscription: Subscription?, delivered: Bytes?, size: Int,
        message: Message?
    ) {
        self.isSecured = isSecured
        self.hasNotifier = hasNotifier
        self.subscription = subscription
        self.delivered = delivered
        self.size = size
        self.message = message
    }
}

extension QueueState: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        isSecured = try fields.bool("qiSnd")
        hasNotifier = try fields.bool("qiNtf")
        let subscribed: Subscribed? = try fields.optional("qiSub")
        subscription = subscribed?.subscription
        delivered = subscribed?.delivered
        size = Int(clamping: try fields.integer("qiSize"))
        message = try fields.optional("qiMsg")
    }

    /// The fields in the order of the reference implementation, without absent ones.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("qiSnd", isSecured)
        fields.set("qiNtf", hasNotifier)
        fields.set("qiSub", subscription.map { Subscribed(subscription: $0, delivered: delivered) })
        fields.set("qiSize", size)
        fields.set("qiMsg", message)
        return fields
    }

    /// The JSON object `qiSub`.
    private struct Subscribed: JSONObjectCodable {
        let subscription: Subscription
        let delivered: Bytes?

        init(subscription: Subscription, delivered: Bytes?) {
            self.subscription = subscription
            self.delivered = delivered
        }

        init(from fields: inout JSONFields) throws(DecodeError) {
            guard let subscription = Subscription(rawValue: try fields.text("qSubThread")) else {
                throw .invalid("qSubThread")
            }
            self.subscription = subscription
            delivered = try fields.optionalText("qDelivered").map(Base64.decode)
        }

        var fields: JSONObject {
            var fields = JSONObject()
            fields.set("qSubThread", subscription.rawValue)
            fields.set("qDelivered", delivered.map { Base64.encode($0) })
            return fields
        }
    }
}

extension QueueState.Message: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        messageID = try Base64.decode(try fields.text("msgId"))
        time = try fields.text("msgTs")
        // The time is stored as text, but must be valid for other readers.
        guard (try? Timestamp(text: time)) != nil else { throw .invalid("msgTs") }
        guard let kind = QueueState.MessageKind(rawValue: try fields.text("msgType")) else {
            throw .invalid("msgType")
        }
        self.kind = kind
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        ["msgId": .string(Base64.encode(messageID)), "msgTs": .string(time), "msgType": .string(kind.rawValue)]
    }
}
