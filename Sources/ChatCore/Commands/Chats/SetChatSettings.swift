public import ByteCoding
public import JSONCoding

/// Sets what happens with what comes to a chat, and whether it is a favourite. (`/_settings @1
/// {"enableNtfs":"all","sendRcpts":true,"favorite":false}`)
public struct SetChatSettings: ChatCommand {
    public var chat: ChatTarget
    public var settings: ChatSettings

    public init(_ chat: ChatTarget, _ settings: ChatSettings) {
        self.chat = chat
        self.settings = settings
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_settings", .chat(\.chat), .json(\.settings), make: Self.init))

    public func effect(of response: CommandOK) -> SessionEffect? {
        response.profile.flatMap { .visible($0, .listsChanged) }
    }

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let chat = try core.lookup.chat(chat)
        try core.store.transaction {
            try core.store.setFavorite(settings.isFavorite, chat.reference)
            if let group = chat.group {
                try core.store.setNotifications(settings.notifications, group.id)
                try core.store.setSendsReceipts(settings.sendsReceipts, group.id)
            }
            guard let contact = chat.contact else { return }
            // A direct chat has no mentions.
            try core.store.setMuted(settings.isMuted || settings.onlyMentions, contact.id)
            try core.store.setReceipts(settings.sendsReceipts, of: contact.id)
        }
        return CommandOK(try core.lookup.profile(chat.profileID))
    }
}

/// How the user wants to hear of a chat.
public struct ChatSettings: Hashable, Sendable, JSONObjectCodable {
    public var isMuted: Bool
    /// Whether only mentions and answers give a sign, in a group.
    public var onlyMentions = false
    /// Nil for the setting of the profile.
    public var sendsReceipts: Bool?
    public var isFavorite: Bool

    public init(isMuted: Bool, onlyMentions: Bool = false, sendsReceipts: Bool?, isFavorite: Bool) {
        self.isMuted = isMuted
        self.onlyMentions = onlyMentions && !isMuted
        self.sendsReceipts = sendsReceipts
        self.isFavorite = isFavorite
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        let notifications = try fields.word("enableNtfs", Group.Notifications.init(rawValue:))
        self.init(
            isMuted: notifications == Group.Notifications.none, onlyMentions: notifications == .mentions,
            sendsReceipts: try fields.optionalBool("sendRcpts"),
            isFavorite: try fields.optionalBool("favorite") ?? false)
    }

    /// Of which messages of a group the user wants a sign.
    var notifications: Group.Notifications { isMuted ? .none : onlyMentions ? .mentions : .all }

    /// `ChatSettings` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["enableNtfs": .string(notifications.rawValue)]
        fields.set("sendRcpts", sendsReceipts)
        fields.set("favorite", isFavorite)
        return fields
    }
}
