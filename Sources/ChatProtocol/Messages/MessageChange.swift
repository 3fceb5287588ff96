public import ByteCoding
public import JSONCoding

/// The parameters of `x.msg.update`: the new content of a message (chat.md 2.3).
public struct MessageUpdate: Hashable, Sendable {
    /// The id of the edited message.
    public let id: SharedMessageID
    /// The new content.
    public let content: MessageContent
    /// The time after which the message disappears, in seconds.
    public let ttl: Int64?
    /// True if the author is still typing and further updates follow.
    public let isLive: Bool
    /// The members of a group that the new text mentions.
    public let mentions: Mentions
    /// The part of a group to which the message belongs.
    public let scope: MessageScope?
    /// True if an owner of a channel writes as the channel.
    public let isFromGroup: Bool
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a message update from its parts.
    public init(
        _ id: SharedMessageID, _ content: MessageContent, ttl: Int64? = nil, isLive: Bool = false,
        mentions: Mentions = [:], scope: MessageScope? = nil, isFromGroup: Bool = false, otherFields: JSONObject = [:]
    ) {
        self.id = id
        self.content = content
        self.ttl = ttl
        self.isLive = isLive
        self.mentions = mentions
        self.scope = scope
        self.isFromGroup = isFromGroup
        self.otherFields = otherFields
    }
}

/// The parameters of `x.msg.del`: a message that its author or a moderator deletes (chat.md 2.3).
public struct MessageDeletion: Hashable, Sendable {
    /// The id of the deleted message.
    public let id: SharedMessageID
    /// The author of a message that a moderator deletes; nil if the author deletes it.
    public let memberID: MemberID?
    /// The part of a group to which the message belongs.
    public let scope: MessageScope?
    /// True if only relays remove the message, from the history for later members.
    public let isHistoryOnly: Bool
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a message deletion from its parts.
    public init(
        _ id: SharedMessageID, of memberID: MemberID? = nil, scope: MessageScope? = nil, isHistoryOnly: Bool = false,
        otherFields: JSONObject = [:]
    ) {
        self.id = id
        self.memberID = memberID
        self.scope = scope
        self.isHistoryOnly = isHistoryOnly
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
    /// The author of a message in a group; nil between contacts.
    public let memberID: MemberID?
    /// The part of a group to which the message belongs.
    public let scope: MessageScope?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a message reaction from its parts.
    public init(
        _ id: SharedMessageID, _ reaction: Reaction, isAdded: Bool, of memberID: MemberID? = nil,
        scope: MessageScope? = nil, otherFields: JSONObject = [:]
    ) {
        self.id = id
        self.reaction = reaction
        self.isAdded = isAdded
        self.memberID = memberID
        self.scope = scope
        self.otherFields = otherFields
    }
}

extension MessageUpdate: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("msgId")
        content = try fields.required("content")
        ttl = try fields.optionalInteger("ttl")
        isLive = try fields.optionalBool("live") ?? false
        mentions = try fields.mentions()
        scope = try fields.optional("scope")
        isFromGroup = try fields.optionalBool("asGroup") ?? false
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields["msgId"] = id.json
        fields.set("content", content)
        fields.set("ttl", ttl)
        fields.set("live", isLive ? true : nil)
        fields["mentions"] = mentions.json
        fields.set("scope", scope)
        fields.set("asGroup", isFromGroup ? true : nil)
        return fields
    }
}

extension MessageDeletion: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("msgId")
        memberID = try fields.optionalMemberID("memberId")
        scope = try fields.optional("scope")
        isHistoryOnly = try fields.optionalBool("onlyHistory") ?? false
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields["msgId"] = id.json
        fields["memberId"] = memberID?.json
        fields.set("scope", scope)
        fields.set("onlyHistory", isHistoryOnly ? true : nil)
        return fields
    }
}

extension MessageReaction: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredID("msgId")
        reaction = try fields.required("reaction")
        isAdded = try fields.bool("add")
        memberID = try fields.optionalMemberID("memberId")
        scope = try fields.optional("scope")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields["msgId"] = id.json
        fields["memberId"] = memberID?.json
        fields.set("scope", scope)
        fields.set("reaction", reaction)
        fields.set("add", isAdded)
        return fields
    }
}

/// An emoji reaction, or a reaction of a later version.
public struct Reaction: Hashable, Sendable {
    /// The JSON form in messages, in the order of ``canonical(_:)``: databases compare its text.
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
    public var text: String { emoji ?? "?" }

    /// True for one of the ``choices``.
    public var isKnown: Bool { emoji != nil }

    private var emoji: String? {
        guard fields["type"]?.string == "emoji", let emoji = fields["emoji"]?.string, Reaction.choices.contains(emoji)
        else { return nil }
        return emoji
    }
}

extension Reaction: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.fields = Reaction.canonical(fields.rest)
        _ = try fields.text("type")
    }

    /// Returns the fields in one order, because clients write them in different ones: the type, then the others by name.
    private static func canonical(_ fields: JSONObject) -> JSONObject {
        var ordered: JSONObject = [:]
        ordered["type"] = fields["type"]
        for name in fields.names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            ordered[name] = fields[name]
        }
        return ordered
    }
}
