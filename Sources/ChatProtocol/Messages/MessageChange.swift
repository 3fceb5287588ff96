public import ByteCoding
public import JSONCoding

/// The parameters of `x.msg.update`: what a message says from now on.
public struct MessageUpdate: Hashable, Sendable {
    /// The message that its author changed.
    public let id: SharedMessageID
    public let content: MessageContent
    /// Whether the text is still being typed: further updates follow.
    public let isLive: Bool
    /// What is not known here: mentions, ttl, scope and others.
    public let otherFields: JSONObject

    public init(
        _ id: SharedMessageID, _ content: MessageContent, isLive: Bool = false, otherFields: JSONObject = [:]
    ) {
        self.id = id
        self.content = content
        self.isLive = isLive
        self.otherFields = otherFields
    }
}

/// The parameters of `x.msg.del`: a message that its author takes back.
public struct MessageDeletion: Hashable, Sendable {
    public let id: SharedMessageID
    /// What is not known here: the member whose message it is, in groups, and others.
    public let otherFields: JSONObject

    public init(_ id: SharedMessageID, otherFields: JSONObject = [:]) {
        self.id = id
        self.otherFields = otherFields
    }
}

/// The parameters of `x.msg.react`: an emoji for a message, or one less.
public struct MessageReaction: Hashable, Sendable {
    public let id: SharedMessageID
    public let reaction: Reaction
    /// Whether it is added, not taken away.
    public let isAdded: Bool
    /// What is not known here: the author of the message, in groups, and others.
    public let otherFields: JSONObject

    public init(_ id: SharedMessageID, _ reaction: Reaction, isAdded: Bool, otherFields: JSONObject = [:]) {
        self.id = id
        self.reaction = reaction
        self.isAdded = isAdded
        self.otherFields = otherFields
    }
}

extension MessageUpdate: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("msgId")
        content = try fields.required("content")
        isLive = try fields.optionalBool("live") ?? false
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        var fields = otherFields
        fields["msgId"] = id.json
        fields.set("content", content)
        fields.set("live", isLive ? true : nil)
        return fields
    }
}

extension MessageDeletion: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("msgId")
        otherFields = fields.rest
    }

    public var fields: JSONObject { otherFields.merging(["msgId": id.json]) }
}

extension MessageReaction: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("msgId")
        reaction = try fields.required("reaction")
        isAdded = try fields.bool("add")
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        otherFields.merging(["msgId": id.json, "reaction": reaction.json, "add": .bool(isAdded)])
    }
}

/// An emoji that somebody gave a message, or something of a later version.
public struct Reaction: Hashable, Sendable {
    /// As it stands in messages.
    public let fields: JSONObject

    /// What may be given. Each is one Unicode scalar: the heart has no variation selector.
    public static let choices = ["👍", "👎", "😀", "😂", "😢", "❤", "🚀", "✅"]

    /// How many of them one side can give a message. Source: the reference implementation.
    public static let most = 3

    /// One of the ``choices``, however its presentation is chosen; nil for anything else.
    public init?(emoji: String) {
        let plain = String(String.UnicodeScalarView(emoji.unicodeScalars.filter { $0 != "\u{FE0F}" }))
        guard Reaction.choices.contains(plain) else { return nil }
        fields = ["type": "emoji", "emoji": .string(plain)]
    }

    /// What was kept.
    public init(stored fields: JSONObject) throws(DecodeError) {
        var fields = JSONFields(fields)
        try self.init(from: &fields)
    }

    /// What people see: the emoji, or a question mark for what is not known here.
    public var text: String {
        guard fields["type"]?.string == "emoji", let emoji = fields["emoji"]?.string, Reaction.choices.contains(emoji)
        else { return "?" }
        return emoji
    }
}

extension Reaction: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.fields = fields.rest
        _ = try fields.text("type")
    }
}
