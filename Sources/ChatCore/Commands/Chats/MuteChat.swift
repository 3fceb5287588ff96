/// Sets which messages of a chat notify. (`/mute @name`, `/unmute #name`, `/unmute mentions #name`)
public struct MuteChat: ChatCommand {
    public var chat: ChatTarget
    public var notifications: Group.Notifications

    public init(_ chat: ChatTarget, _ notifications: Group.Notifications) {
        self.chat = chat
        self.notifications = notifications
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        [
            ("/mute", Group.Notifications.none), ("/unmute mentions", .mentions), ("/unmute", .all),
        ].map { words, notifications in
            Form(words, .chat(\.chat), .fixed(notifications, \.notifications), make: Self.init)
        })

    public func effect(of response: CommandOK) -> SessionEffect? {
        response.profile.flatMap { .visible($0, .listsChanged) }
    }

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let chat = try core.lookup.chat(chat)
        try core.store.transaction {
            if let group = chat.group { try core.store.setNotifications(notifications, group.id) }
            // A direct chat has no mentions.
            if let contact = chat.contact { try core.store.setMuted(notifications != .all, contact.id) }
        }
        return CommandOK(try core.lookup.profile(chat.profileID))
    }
}
