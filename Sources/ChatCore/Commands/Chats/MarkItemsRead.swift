public import ByteCoding
public import JSONCoding

/// Marks messages of a chat as read. (`/_read chat items @1 7,8`)
public struct MarkItemsRead: ChatCommand {
    public var chat: ChatTarget
    public var items: [ChatItemID]

    public init(_ chat: ChatTarget, _ items: [ChatItemID]) {
        self.chat = chat
        self.items = items
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_read chat items", .chat(\.chat), .items(\.items), make: Self.init))

    public func effect(of response: ItemsRead) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> ItemsRead {
        let chat = try core.lookup.chat(chat)
        try core.store.transaction { try core.store.markRead(items, in: chat.reference, at: core.now) }
        try core.expiry.schedule()
        return ItemsRead(profile: try core.lookup.profile(chat.profileID), chat: try core.lookup.chat(self.chat))
    }
}

/// The chat of which messages were marked as read.
public struct ItemsRead: SimpleResponse {
    public let profile: OwnProfile
    public let chat: Chat

    public static let type = "itemsReadForChat"

    public var fields: JSONObject { ["user": profile.json, "chatInfo": chat.json] }

    init(profile: OwnProfile, chat: Chat) {
        self.profile = profile
        self.chat = chat
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        chat = try fields.required("chatInfo")
    }
}
