public import ByteCoding
public import JSONCoding

/// The parameters of `x.msg.update`: the new content of a message (chat.md 2.3).
public struct MessageUpdate: Hashable, Sendable {
    /// The id of the edited message.
    public let id: SharedMessageID
    /// The new content.
    public let content: MessageContent
    /// True if the author is still typing and further updates follow.
    public let isLive: Bool
    /// The unknown fields, such as mentions, ttl and scope, kept as received.
    public let otherFields: JSONObject

    /// Creates a message update from its parts.
    public init(
        _ id: SharedMessageID, _ content: MessageContent, isLive: Bool = false, otherFields: JSONObject = [:]
    ) {
        self.id = id
        self.content = content
        self.isLive = isLive
        self.otherFields = otherFields
    }
}

/// The parameters of `x.msg.del`: a message that its author deletes (chat.md 2.3).
public struct MessageDeletion: Hashable, Sendable {
    /// The id of the deleted message.
    public let id: SharedMessageID
    /// The unknown fields, such as the author in groups, kept as received.
    public let otherFields: JSONObject

    /// Creates a message deletion from its parts.
    public init(_ id: SharedMessageID, otherFields: JSONObject = [:]) {
        self.id = id
        self.otherFields = otherFields
    }
}

/// The parameters of `x.msg.react`: a reaction that is added or removed (chat.md 2.3).
public struct MessageReaction: Hashable, Sendable {
    /// The id of the message.
    public let id: SharedMessageID
    /// The reaction.
    public let reaction: Reaction
    /// True if the reaction is added, false if it is removed.
    public let isAdded: Bool
    /// The unknown fields, such as the author in groups, kept as received.
    public let otherFields: JSONObject

    /// Creates a message reaction from its parts.
    public init(_ id: SharedMessageID, _ reaction: Reaction, isAdded: Bool, otherFields: JSONObject = [:]) {
        self.id = id
        self.reaction = reaction
        self.isAdded = isAdded
        self.otherFields = otherFields
    }
}

extension MessageUpdate: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("msgId")
        content = try fields.required("content")
        isLive = try fields.optionalBool("live") ?? false
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields["msgId"] = id.json
        fields.set("content", content)
        fields.set("live", isLive ? true : nil)
        return fields
    }
}

extension MessageDeletion: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("msgId")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject { otherFields.merging(["msgId": id.json]) }
}

extension MessageReaction: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("msgId")
        reaction = try fields.required("reaction")
        isAdded = try fields.bool("add")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        otherFields.merging(["msgId": id.json, "reaction": reaction.json, "add": .bool(isAdded)])
    }
}

/// An emoji reaction, or a reaction of a later version.
public struct Reaction: Hashable, Sendable {
    /// The JSON form in messages.
    public let fields: JSONObject

    /// The allowed emoji. Each is one Unicode scalar: the heart has no variation selector.
    public static let choices = ["👍", "👎", "😀", "😂", "😢", "❤", "🚀", "✅"]

    /// The largest number of reactions of one side to a message, as in the reference implementation.
    public static let most = 3

    /// Creates one of the ``choices``, with any variation selector. Returns nil for other text.
    public init?(emoji: String) {
        let plain = String(String.UnicodeScalarView(emoji.unicodeScalars.filter { $0 != "\u{FE0F}" }))
        guard Reaction.choices.contains(plain) else { return nil }
        fields = ["type": "emoji", "emoji": .string(plain)]
    }

    /// Creates a reaction from stored fields.
    public init(stored fields: JSONObject) throws(DecodeError) {
        var fields = JSONFields(fields)
        try self.init(from: &fields)
    }

    /// The displayed text: the emoji, or a question mark for an unknown reaction.
    public var text: String {
        guard fields["type"]?.string == "emoji", let emoji = fields["emoji"]?.string, Reaction.choices.contains(emoji)
        else { return "?" }
        return emoji
    }
}

extension Reaction: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.fields = fields.rest
        _ = try fields.text("type")
    }
}
