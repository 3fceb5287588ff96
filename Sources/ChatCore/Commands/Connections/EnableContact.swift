/// Sends to a contact again although its relay refused too many messages. (`/_enable @1`, `/enable @name`)
public struct EnableContact: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_enable", .chat(\.chat), make: Self.init), Form("/enable", .person(\.chat), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let (profile, _, id) = try core.lookup.connected(chat)
        try core.store.transaction { try core.store.clearErrors(of: id) }
        return CommandOK(profile)
    }
}
