/// Marks a chat as unread, or takes the mark away. (`/_unread chat @1 on|off`)
public struct MarkChatUnread: ChatCommand {
    public var chat: ChatTarget
    public var isUnread: Bool

    public init(_ chat: ChatTarget, _ isUnread: Bool) {
        self.chat = chat
        self.isUnread = isUnread
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_unread chat", .chat(\.chat), .isOn(\.isUnread), make: Self.init))

    public func effect(of response: CommandOK) -> SessionEffect? {
        response.profile.flatMap { .visible($0, .listsChanged) }
    }

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let chat = try core.lookup.chat(chat)
        try core.store.transaction { try core.store.setUnread(isUnread, chat.reference) }
        return CommandOK(try core.lookup.profile(chat.profileID))
    }
}
