/// Shows a chat with some of its messages, as people see it. (`/_history @1 count=20`; the official core has none)
public struct ReadChat: ChatCommand {
    public var chat: ChatTarget
    public var range: ItemRange

    public init(_ chat: ChatTarget, _ range: ItemRange) {
        self.chat = chat
        self.range = range
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/_history", .chat(\.chat), .range(\.range), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatHistory {
        let chat = try core.lookup.chat(chat)
        return ChatHistory(
            profile: try core.lookup.profile(chat.profileID), chat: chat,
            items: try core.store.items(in: chat.reference, range, support: chat.supportID))
    }
}
