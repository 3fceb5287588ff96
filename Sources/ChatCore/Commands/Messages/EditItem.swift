public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Changes the text of an own message.
/// (`/_update item @1 7 [live=on] json {"msgContent":{...},"mentions":{}}`, `/_update item @1 7 text ...`)
public struct EditItem: ChatCommand {
    public var chat: ChatTarget
    public var item: ChatItemID
    public var content: MessageContent
    /// True if a message that is being written is not complete with this.
    public var isLive: Bool
    /// The members of a group that the new text mentions, by the names in it.
    public var mentions: [String: GroupMemberID]

    public init(
        _ chat: ChatTarget, _ item: ChatItemID, _ content: MessageContent, isLive: Bool = false,
        mentions: [String: GroupMemberID] = [:]
    ) {
        self.chat = chat
        self.item = item
        self.content = content
        self.isLive = isLive
        self.mentions = mentions
    }

    /// The new text with its mentions.
    private var composed: ComposedMessage { ComposedMessage(content, mentions: mentions) }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_update item", .chat(\.chat), .item(\.item), .flag("live", \.isLive),
            .content(\.composed),
            make: { Self($0, $1, $3.content, isLive: $2, mentions: $3.mentions) }))

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        let chat = try core.lookup.chat(chat)
        // What is gone is refused later, after the role of the user.
        guard let edited = try? core.lookup.visibleItem(item).item else { return [] }
        return [
            Utterance(
                profile: try core.lookup.profile(chat.profileID), chat: chat, content: content, edits: item,
                isForModerators: edited.supportID != nil)
        ]
    }

    public func effect(of response: ItemEdited) -> SessionEffect? {
        response.isChanged ? .visible(response.profile, .itemChanged(response.item)) : nil
    }

    public func perform(on core: isolated LocalCore) async throws -> ItemEdited {
        try core.conversations.edit(self)
    }
}

/// A message after an edit, which may have changed nothing.
public enum ItemEdited: ChatResponse {
    case itemUpdated(OwnProfile, LocatedItem)
    /// It has that text already.
    case itemUnchanged(OwnProfile, LocatedItem)

    public var profile: OwnProfile {
        switch self {
        case .itemUpdated(let profile, _), .itemUnchanged(let profile, _): profile
        }
    }

    public var item: LocatedItem {
        switch self {
        case .itemUpdated(_, let item), .itemUnchanged(_, let item): item
        }
    }

    public var isChanged: Bool {
        if case .itemUpdated = self { true } else { false }
    }

    public var type: String { isChanged ? "chatItemUpdated" : "chatItemNotChanged" }

    public var fields: JSONObject { ["user": profile.json, "chatItem": item.json] }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        let profile: OwnProfile = try fields.required("user"), item: LocatedItem = try fields.required("chatItem")
        switch type {
        case "chatItemUpdated": self = .itemUpdated(profile, item)
        case "chatItemNotChanged": self = .itemUnchanged(profile, item)
        default: throw .invalid("type")
        }
    }
}

extension Argument where Value == ComposedMessage {
    /// `json {"msgContent":{...},"mentions":{}}`, also `text ...`
    fileprivate static func content(_ value: @escaping @Sendable (Command) -> ComposedMessage) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                if reader.skipExactly("text ") { return ComposedMessage(MessageContent(reader.rest())) }
                guard reader.word() == "json" else { throw .invalid("content") }
                var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
                let mentions = try MentionedMembers.read(&fields)
                return ComposedMessage(try fields.required("msgContent"), mentions: mentions)
            }, write: { "json " + value($0).json.line })
    }
}
