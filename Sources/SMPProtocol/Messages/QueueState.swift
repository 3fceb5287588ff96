public import ByteCoding
import FoundationEssentials

/// What INFO tells the recipient about a queue: a JSON object, meant for diagnosis.
public struct QueueState: Hashable, Sendable {
    /// How a queue is subscribed.
    public enum Subscription: String, Hashable, Sendable, Codable {
        case none = "noSub"
        case pending = "subPending"
        case active = "subThread"
        case prohibited = "prohibitSub"
    }

    public enum MessageKind: String, Hashable, Sendable, Codable {
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

    /// The object as the reference implementation writes it: fields in this order, absent ones left out.
    var json: String {
        var fields = [#""qiSnd":\#(isSecured)"#, #""qiNtf":\#(hasNotifier)"#]
        if let subscription {
            let delivered = delivered.map { #","qDelivered":"\#(Base64.encode($0))""# } ?? ""
            fields.append(#""qiSub":{"qSubThread":"\#(subscription.rawValue)"\#(delivered)}"#)
        }
        fields.append(#""qiSize":\#(size)"#)
        if let message {
            let id = Base64.encode(message.messageID)
            fields.append(
                #""qiMsg":{"msgId":"\#(id)","msgTs":"\#(message.time)","msgType":"\#(message.kind.rawValue)"}"#)
        }
        return "{\(fields.joined(separator: ","))}"
    }

    init(json: Bytes) throws(DecodeError) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(json)) else {
            throw .invalid("queue state")
        }
        isSecured = fields.qiSnd
        hasNotifier = fields.qiNtf
        subscription = fields.qiSub?.qSubThread
        delivered = try QueueState.base64(fields.qiSub?.qDelivered)
        size = fields.qiSize
        guard let found = fields.qiMsg else {
            message = nil
            return
        }
        // The time is kept as text, but it must be one: it is written into JSON again.
        guard let id = try QueueState.base64(found.msgId), (try? Timestamp(text: found.msgTs)) != nil else {
            throw .invalid("queue state")
        }
        message = Message(messageID: id, time: found.msgTs, kind: found.msgType)
    }

    private static func base64(_ text: String?) throws(DecodeError) -> Bytes? {
        guard let text else { return nil }
        return try Base64.decode(text)
    }

    /// The names on the wire.
    private struct Fields: Decodable {
        struct Subscribed: Decodable {
            let qSubThread: Subscription
            let qDelivered: String?
        }

        struct Next: Decodable {
            let msgId: String
            let msgTs: String
            let msgType: MessageKind
        }

        let qiSnd: Bool
        let qiNtf: Bool
        let qiSub: Subscribed?
        let qiSize: Int
        let qiMsg: Next?
    }
}
