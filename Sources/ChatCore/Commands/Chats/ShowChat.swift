public import ByteCoding
public import JSONCoding

/// Shows a chat with some of its entries, also with those that people do not see. (`/_get chat @1 count=20`, `/tail @name 20`)
public struct ShowChat: ChatCommand {
    public var chat: ChatTarget
    public var range: ItemRange

    public init(_ chat: ChatTarget, _ range: ItemRange) {
        self.chat = chat
        self.range = range
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/_get chat", .chat(\.chat), .range(\.range), make: Self.init),
        Form("/tail", .chat(\.chat), .lastItems, make: Self.init),
        Form("/t", .chat(\.chat), .lastItems, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatHistory {
        let chat = try core.lookup.chat(chat)
        return ChatHistory(
            profile: try core.lookup.profile(chat.profileID), chat: chat,
            items: try core.store.allItems(in: chat.reference, range))
    }
}

/// A chat and some of its messages, oldest first.
public struct ChatHistory: SimpleResponse {
    public let profile: OwnProfile
    public let chat: Chat
    public let items: [ChatItem]

    public static let type = "apiChat"

    public var fields: JSONObject {
        [
            "user": profile.json,
            "chat": .object(ChatPreview.fields(chat.json, items, unreadCount: chat.unreadCount)),
        ]
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
    }
}
