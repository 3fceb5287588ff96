/// Discards everything that a contact sends from now on, or accepts it again. The contact is not told.
/// (`/_block @1 on|off`)
public struct BlockContact: ChatCommand {
    public var chat: ChatTarget
    public var isBlocked: Bool

    public init(_ chat: ChatTarget, _ isBlocked: Bool) {
        self.chat = chat
        self.isBlocked = isBlocked
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_block", .chat(\.chat), .isOn(\.isBlocked), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ContactInfo {
        let contact = try core.lookup.contact(chat)
        try core.store.transaction { try core.store.setBlocked(isBlocked, contact.id) }
        return try core.lookup.info(contact.id)
    }
}
