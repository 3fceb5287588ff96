public import ByteCoding
public import JSONCoding

/// Shows a chat with some of its entries, also with those that people do not see. (`/_get chat @1
/// [content=image] count=20 [search=...]`)
public struct ShowChat: ChatCommand {
    public var chat: ChatTarget
    public var range: ItemRange
    /// The kind of content: `text`, `link`, `image`, `video`, `voice`, `file`, `report` or another word; nil for all entries.
    public var kind: String?
    /// What the messages say; nil or nothing for all.
    public var search: String?

    public init(_ chat: ChatTarget, _ range: ItemRange, kind: String? = nil, search: String? = nil) {
        self.chat = chat
        self.range = range
        self.kind = kind
        self.search = search
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/_get chat", .chat(\.chat), kind, .range(\.range), .search(\.search)) {
            Self($0, $2, kind: $1, search: $3)
        })

    /// `content=image`, or nothing.
    private static let kind = Argument<Self, String?>(
        read: { reader throws(DecodeError) in
            guard reader.skipExactly("content", "=") else { return nil }
            let word = reader.word()
            guard !word.isEmpty else { throw .invalid("content") }
            return word
        }, write: { command in command.kind.map { "content=\($0)" } ?? "" })

    public func perform(on core: isolated LocalCore) async throws -> ChatHistory {
        let chat = try core.lookup.chat(chat)
        let support = chat.supportID
        if let anchor = range.anchor {
            guard try core.store.item(anchor)?.chat == chat.reference else { throw ChatError.itemNotFound(anchor) }
        }
        if let kind {
            let items = try core.store.items(
                in: chat.reference, range, search: search, kind: kind, support: support)
            return ChatHistory(profile: try core.lookup.profile(chat.profileID), chat: chat, items: items)
        }
        let items = try core.store.allItems(in: chat.reference, range, search: search, support: support)
        var history = ChatHistory(
            profile: try core.lookup.profile(chat.profileID), chat: chat, items: items)
        if range.hasRest {
            let rest = try core.store.rest(of: chat.reference, support: support, behind: items)
            history.rest = ChatHistory.Rest(count: rest.all, unreadCount: rest.unread)
        }
        return history
    }
}

/// A chat and some of its messages, oldest first.
public struct ChatHistory: SimpleResponse {
    public let profile: OwnProfile
    public let chat: Chat
    public let items: [ChatItem]
    /// What is behind the last of them, where a command asks for those around one.
    public var rest: Rest?

    /// The entries behind others.
    public struct Rest: Hashable, Sendable {
        public let count: Int
        public let unreadCount: Int
    }

    public static let type = "apiChat"

    public var fields: JSONObject {
        var fields: JSONObject = [
            "user": profile.json,
            "chat": .object(ChatPreview.fields(of: chat, items)),
        ]
        if let rest {
            fields["navInfo"] = .object([
                "afterUnread": .integer(Int64(rest.unreadCount)), "afterTotal": .integer(Int64(rest.count)),
            ])
        }
        return fields
    }

    init(profile: OwnProfile, chat: Chat, items: [ChatItem]) {
        self.profile = profile
        self.chat = chat
        self.items = items
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        var inner = try fields.object("chat")
        (chat, items) = try ChatPreview.contents(from: &inner)
        if var rest = try fields.optionalObject("navInfo") {
            self.rest = Rest(count: try rest.count("afterTotal"), unreadCount: try rest.count("afterUnread"))
        }
    }
}

extension ItemRange {
    /// Whether programs are told what is behind the range.
    fileprivate var hasRest: Bool {
        switch self {
        case .around, .initial: true
        case .last, .before, .after: false
        }
    }
}
