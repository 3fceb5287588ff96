public import JSONCoding

/// Keeps the colours that another program shows a chat in, or forgets them. (`/_set theme @1 {...}`)
public struct SetTheme: ChatCommand {
    public var chat: ChatTarget
    public var theme: JSONObject?

    public init(_ chat: ChatTarget, _ theme: JSONObject?) {
        self.chat = chat
        self.theme = theme
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_set theme", .chat(\.chat), .object(\.theme), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let chat = try core.lookup.chat(chat)
        try core.store.transaction { try core.store.setThemes(theme, of: chat.reference) }
        return CommandOK(try core.lookup.profile(chat.profileID))
    }
}
