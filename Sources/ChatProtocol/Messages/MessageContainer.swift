public import ByteCoding
public import JSONCoding

/// The parameters of `x.msg.new`: a message with its options (chat.md 2.2).
public struct MessageContainer: Hashable, Sendable {
    /// The content.
    public let content: MessageContent
    /// The time after which the message disappears, in seconds.
    public let ttl: Int64?
    /// True if the author is still typing and updates follow.
    public let isLive: Bool
    /// True if the sender forwarded the message.
    public let isForwarded: Bool
    /// The quoted message.
    public let quote: Quote?
    /// The members of a group that the text mentions.
    public let mentions: Mentions
    /// The part of a group to which the message belongs; nil for the whole group, and between contacts.
    public let scope: MessageScope?
    /// True if an owner of a channel writes as the channel.
    public let isFromGroup: Bool
    /// The unknown fields, such as file, kept as received.
    public let otherFields: JSONObject

    /// Creates a message container from its parts.
    public init(
        _ content: MessageContent, ttl: Int64? = nil, isLive: Bool = false, isForwarded: Bool = false,
        quote: Quote? = nil, mentions: Mentions = [:], scope: MessageScope? = nil, isFromGroup: Bool = false,
        otherFields: JSONObject = [:]
    ) {
        self.content = content
        self.ttl = ttl
        self.isLive = isLive
        self.isForwarded = isForwarded
        self.quote = quote
        self.mentions = mentions
        self.scope = scope
        self.isFromGroup = isFromGroup
        self.otherFields = otherFields
    }
}

extension MessageContainer {
    /// The same message with another content.
    public func with(_ content: MessageContent) -> MessageContainer {
        guard content != self.content else { return self }
        return MessageContainer(
            content, ttl: ttl, isLive: isLive, isForwarded: isForwarded, quote: quote, mentions: mentions, scope: scope,
            isFromGroup: isFromGroup, otherFields: otherFields)
    }
}

extension MessageContainer: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        content = try fields.required("content")
        ttl = try fields.optionalInteger("ttl")
        isLive = try fields.optionalBool("live") ?? false
        isForwarded = try MessageContainer.isForwarded(fields.value("forward"))
        quote = try fields.optional("quote")
        mentions = try fields.mentions()
        scope = try fields.optional("scope")
        isFromGroup = try fields.optionalBool("asGroup") ?? false
        otherFields = fields.rest
    }

    /// Reads the flag. Old clients wrote an object about the origin instead of `true`.
    private static func isForwarded(_ value: JSONValue?) throws(DecodeError) -> Bool {
        switch value {
        case nil: false
        case .bool(let value): value
        case .object: true
        default: throw .invalid("forward")
        }
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("content", content)
        fields.set("ttl", ttl)
        fields.set("live", isLive ? true : nil)
        fields.set("forward", isForwarded ? true : nil)
        fields.set("quote", quote)
        fields["mentions"] = mentions.json
        fields.set("scope", scope)
        fields.set("asGroup", isFromGroup ? true : nil)
        return fields
    }
}
