/// Mutes a contact, or unmutes it, and shows it. (`/_mute contact @4`, `/_unmute contact @4`; the official core has none)
public struct MuteContact: ChatCommand {
    public var chat: ChatTarget
    public var isMuted: Bool

    public init(_ chat: ChatTarget, _ isMuted: Bool) {
        self.chat = chat
        self.isMuted = isMuted
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_mute contact", .chat(\.chat), .fixed(true, \.isMuted), make: Self.init),
        Form("/_unmute contact", .chat(\.chat), .fixed(false, \.isMuted), make: Self.init))

    public func effect(of response: ContactInfo) -> SessionEffect? {
        .visible(response.profile, .listsChanged)
    }

    public func perform(on core: isolated LocalCore) async throws -> ContactInfo {
        let contact = try core.lookup.contact(chat)
        try core.store.transaction { try core.store.setMuted(isMuted, contact.id) }
        return try core.lookup.info(contact.id)
    }
}
