public import ByteCoding
import ChatProtocol
public import JSONCoding

/// Sends messages to a chat. They are on disk and in the outbox when the answer comes.
/// (`/_send @1 [once='KEY'] [live=on] [ttl=60|default] [sign=on] [split=on] json [{"quotedItemId":7,"msgContent":{...}}]`,
/// `/_send @1 text ...`, `@name ...`, `/live @name ...`)
public struct SendMessages: ChatCommand {
    public var chat: ChatTarget
    public var messages: [ComposedMessage]
    /// With a key that was used in this chat within 30 days nothing is sent.
    public var once: String?
    /// True if the message is not complete: its author goes on writing it.
    public var isLive: Bool
    /// The number of seconds after which the messages disappear on both sides, if these agreed on that; 0 for never, nil for
    /// the default of the chat.
    public var ttl: Int64?
    /// True if a text that does not fit into one message is sent in several.
    public var isSplit: Bool
    /// True if the messages are signed with the key of the user in the channel. Messages of other chats never are.
    public var isSigned: Bool

    public init(
        _ chat: ChatTarget, _ messages: [ComposedMessage], once: String? = nil, isLive: Bool = false,
        ttl: Int64? = nil, isSplit: Bool = false, isSigned: Bool = false
    ) {
        self.chat = chat
        self.messages = messages
        self.once = once
        self.isLive = isLive
        self.ttl = ttl
        self.isSplit = isSplit
        self.isSigned = isSigned
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_send", .chat(\.chat), .name("once", \.once), .flag("live", \.isLive), .lifetime(\.ttl),
            .flag("sign", \.isSigned), .flag("split", \.isSplit), .messages(\.messages),
            make: { Self($0, $6, once: $1, isLive: $2, ttl: $3, isSplit: $5, isSigned: $4) }),
        Form("/live", .chat(\.chat), .plainText, make: { Self($0, $1, isLive: true) }),
        // The target is the first word.
        Form("", .chat(\.chat), .plainText, make: { Self($0, $1) }))

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        let chat = try recipient(core.lookup), profile = try core.lookup.profile(chat.profileID)
        return messages.map {
            Utterance(profile: profile, chat: chat, content: $0.content, answers: $0.quoted)
        }
    }

    public func effect(of response: MessagesSent) -> SessionEffect? { response.effect }

    /// The chat, with the error of the official core for a name that no contact has.
    private func recipient(_ lookup: Lookup) throws -> Chat {
        do {
            return try lookup.chat(chat)
        } catch ChatError.contactNotFoundByName(let name) {
            throw ChatError.recipientNotFound(name)
        }
    }

    public func perform(on core: isolated LocalCore) async throws -> MessagesSent {
        try ConversationPolicy(try recipient(core.lookup)).checkPermissions(of: messages)
        return try core.conversations.send(self)
    }
}

/// What was sent now, or before with the same key.
public enum MessagesSent: ChatResponse {
    case newItems(OwnProfile, [LocatedItem])
    /// The key was used before, for this message, which may have been removed since then.
    case sentBefore(OwnProfile, Chat, ChatItemID, LocatedItem?)
    /// The same for a text that was sent in parts: those that are left.
    case partsSentBefore(OwnProfile, Chat, [LocatedItem])

    public var type: String {
        switch self {
        case .newItems: "newChatItems"
        case .sentBefore: "chatItemSentBefore"
        case .partsSentBefore: "chatItemsSentBefore"
        }
    }

    /// What other sessions show of it.
    var effect: SessionEffect? {
        if case .newItems(let profile, let items) = self { .visible(profile, .newItems(items)) } else { nil }
    }

    /// The messages that are there.
    public var items: [LocatedItem] {
        switch self {
        case .newItems(_, let items), .partsSentBefore(_, _, let items): items
        case .sentBefore(_, _, _, let item): item.map { [$0] } ?? []
        }
    }

    public var fields: JSONObject {
        switch self {
        case .newItems(let profile, let items):
            return ["user": profile.json, "chatItems": .array(items.map(\.json))]
        case .sentBefore(let profile, let chat, let id, let item):
            var fields: JSONObject = ["user": profile.json, "chatInfo": chat.json]
            fields.set("chatItemId", id.number)
            fields.set("chatItem", item)
            return fields
        case .partsSentBefore(let profile, let chat, let items):
            return ["user": profile.json, "chatInfo": chat.json, "chatItems": .array(items.map(\.json))]
        }
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        let profile: OwnProfile = try fields.required("user")
        switch type {
        case "newChatItems": self = .newItems(profile, try fields.list("chatItems"))
        case "chatItemSentBefore":
            self = .sentBefore(
                profile, try fields.required("chatInfo"), ChatItemID(try fields.integer("chatItemId")),
                try fields.optional("chatItem"))
        case "chatItemsSentBefore":
            self = .partsSentBefore(profile, try fields.required("chatInfo"), try fields.list("chatItems"))
        default: throw .invalid("type")
        }
    }
}

extension Argument where Value == [ComposedMessage] {
    /// A text to the end, as people write it.
    static var plainText: Argument {
        .onlyRead { reader throws(DecodeError) in
            let text = reader.rest()
            // `@bob <- @cath text` forwards.
            guard !text.utf8.starts(with: "<- ".utf8) else { throw .invalid("message") }
            return [ComposedMessage(MessageContent(text))]
        }
    }

    /// `json [{...}]`, also `text ...`
    static func messages(_ value: @escaping @Sendable (Command) -> [ComposedMessage]) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                if reader.skipExactly("text ") { return [ComposedMessage(MessageContent(reader.rest()))] }
                guard reader.word() == "json", let messages = try JSONValue(decoding: Bytes(reader.rest().utf8)).array
                else { throw .invalid("messages") }
                return try messages.map { message throws(DecodeError) in
                    guard let object = message.object else { throw .invalid("message") }
                    var fields = JSONFields(object)
                    return try ComposedMessage(from: &fields)
                }
            }, write: { "json " + JSONValue.array(value($0).map(\.json)).line })
    }
}

extension ComposedMessage {
    /// `ComposedMessage` of the API.
    var json: JSONValue {
        var fields = JSONObject()
        fields.set("fileSource", file)
        fields.set("quotedItemId", quoted?.number)
        fields["msgContent"] = content.json
        fields["mentions"] = MentionedMembers.json(mentions)
        return .object(fields)
    }

    init(from fields: inout JSONFields) throws(DecodeError) {
        // Older clients name the path alone.
        let source: CryptoFile? = try fields.optional("fileSource"), path = try fields.optionalText("filePath")
        let file = source ?? path.map { CryptoFile(path: $0) }
        let quoted = try fields.optionalInteger("quotedItemId"), mentions = try MentionedMembers.read(&fields)
        self.init(
            try fields.required("msgContent"), answering: quoted.map { ChatItemID($0) }, mentions: mentions, file: file)
    }
}

/// The members that a message is to mention, by the names in its text.
enum MentionedMembers {
    static func json(_ mentions: [String: GroupMemberID]) -> JSONValue {
        .object(
            mentions.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = .integer($1.value.number) })
    }

    static func read(_ fields: inout JSONFields) throws(DecodeError) -> [String: GroupMemberID] {
        guard let object = try fields.optionalObject("mentions")?.rest else { return [:] }
        var mentions: [String: GroupMemberID] = [:]
        for name in object.names {
            guard let number = object[name]?.integer else { throw .invalid("mentions") }
            mentions[name] = GroupMemberID(number)
        }
        return mentions
    }
}
