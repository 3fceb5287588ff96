public import ByteCoding
public import JSONCoding

/// What INFO tells the recipient about a queue: a JSON object, meant for diagnosis.
public struct QueueState: Hashable, Sendable {
    /// How a queue is subscribed.
    public enum Subscription: String, Hashable, Sendable {
        case none = "noSub"
        case pending = "subPending"
        case active = "subThread"
        case prohibited = "prohibitSub"
    }

    public enum MessageKind: String, Hashable, Sendable {
        case message
        case quota
    }

    /// The message that is next to be delivered.
    public struct Message: Hashable, Sendable {
        public let messageID: Bytes
        /// When the relay received it, as RFC 3339 text.
        public let time: String
        public let kind: MessageKind

        public init(messageID: Bytes, time: String, kind: MessageKind) {
            self.messageID = messageID
            self.time = time
            self.kind = kind
        }
    }

    public let isSecured: Bool
    public let hasNotifier: Bool
    public let subscription: Subscription?
    /// The id of the message that was delivered and not yet acknowledged.
    public let delivered: Bytes?
    /// How many messages the queue holds.
    public let size: Int
    public let message: Message?

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
    public init(from fields: inout JSONFields) throws(DecodeError) {
        isSecured = try fields.bool("qiSnd")
        hasNotifier = try fields.bool("qiNtf")
        let subscribed: Subscribed? = try fields.optional("qiSub")
        subscription = subscribed?.subscription
        delivered = subscribed?.delivered
        size = Int(clamping: try fields.integer("qiSize"))
        message = try fields.optional("qiMsg")
    }

    /// The fields in the order of the reference implementation, absent ones left out.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("qiSnd", isSecured)
        fields.set("qiNtf", hasNotifier)
        fields.set("qiSub", subscription.map { Subscribed(subscription: $0, delivered: delivered) })
        fields.set("qiSize", size)
        fields.set("qiMsg", message)
        return fields
    }

    /// The object in `qiSub`.
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
    public init(from fields: inout JSONFields) throws(DecodeError) {
        messageID = try Base64.decode(try fields.text("msgId"))
        time = try fields.text("msgTs")
        // The time is kept as text, but it must be one: others will read it.
        guard (try? Timestamp(text: time)) != nil else { throw .invalid("msgTs") }
        guard let kind = QueueState.MessageKind(rawValue: try fields.text("msgType")) else {
            throw .invalid("msgType")
        }
        self.kind = kind
    }

    public var fields: JSONObject {
        ["msgId": .string(Base64.encode(messageID)), "msgTs": .string(time), "msgType": .string(kind.rawValue)]
    }
}
