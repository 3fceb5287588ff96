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

    public init(_ chat: ChatTarget, _ item: ChatItemID, _ content: MessageContent, isLive: Bool = false) {
        self.chat = chat
        self.item = item
        self.content = content
        self.isLive = isLive
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_update item", .chat(\.chat), .item(\.item), .flag("live", \.isLive), .content(\.content),
            make: { Self($0, $1, $3, isLive: $2) }))

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        let chat = try core.lookup.chat(chat)
        return [
            Utterance(
                profile: try core.lookup.profile(chat.profileID), chat: chat, content: content, edits: item)
        ]
    }

    public func effect(of response: ItemEdited) -> SessionEffect? {
        response.isChanged ? .visible(response.profile, .itemChanged(response.item)) : nil
    }

    public func perform(on core: isolated LocalCore) async throws -> ItemEdited {
        try core.sender.edit(item, content, isLive: isLive, in: chat)
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

extension Argument where Value == MessageContent {
    /// `json {"msgContent":{...},"mentions":{}}`, also `text ...`
    fileprivate static func content(_ value: @escaping @Sendable (Command) -> MessageContent) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                if reader.skipExactly("text ") { return MessageContent(reader.rest()) }
                guard reader.word() == "json" else { throw .invalid("content") }
                var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
                // Groups are not supported yet.
                guard try fields.optionalObject("mentions")?.rest ?? [:] == [:] else { throw .invalid("mentions") }
                return try fields.required("msgContent")
            }, write: { "json " + ComposedMessage(value($0)).json.line })
    }
}
