public import JSONCoding

/// Keeps what another program says of a chat, or forgets it. (`/_set custom @1 {...}`)
public struct SetCustomData: ChatCommand {
    public var chat: ChatTarget
    public var data: JSONObject?

    public init(_ chat: ChatTarget, _ data: JSONObject?) {
        self.chat = chat
        self.data = data
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_set custom", .chat(\.chat), .object(\.data), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let chat = try core.lookup.chat(chat)
        try core.store.transaction { try core.store.setCustomData(data, of: chat.reference) }
        return CommandOK(try core.lookup.profile(chat.profileID))
    }
}
