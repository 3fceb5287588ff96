/// Marks all messages of a chat as read. (`/_read chat @1`, `/read @name`)
public struct MarkChatRead: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_read chat", .chat(\.chat), make: Self.init), Form("/read", .chat(\.chat), make: Self.init))

    public func effect(of response: CommandOK) -> SessionEffect? {
        response.profile.flatMap { .visible($0, .listsChanged) }
    }

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let chat = try core.lookup.chat(chat)
        try core.store.transaction { try core.store.markRead(chat.reference, at: core.now) }
        try core.expiry.schedule()
        return CommandOK(try core.lookup.profile(chat.profileID))
    }
}
