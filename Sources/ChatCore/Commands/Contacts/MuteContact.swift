/// Mutes a contact, or unmutes it. (`/mute @name`, `/unmute @name`)
public struct MuteContact: ChatCommand {
    public var chat: ChatTarget
    public var isMuted: Bool

    public init(_ chat: ChatTarget, _ isMuted: Bool) {
        self.chat = chat
        self.isMuted = isMuted
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/mute", .chat(\.chat), .fixed(true, \.isMuted), make: Self.init),
        Form("/unmute", .chat(\.chat), .fixed(false, \.isMuted), make: Self.init))

    public func effect(of response: ContactInfo) -> SessionEffect? {
        .visible(response.profile, .listsChanged)
    }

    public func perform(on core: isolated LocalCore) async throws -> ContactInfo {
        let contact = try core.lookup.contact(chat)
        try core.store.transaction { try core.store.setMuted(isMuted, contact.id) }
        return try core.lookup.info(contact.id)
    }
}
