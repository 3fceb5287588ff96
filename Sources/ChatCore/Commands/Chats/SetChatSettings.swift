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
            guard let contact = chat.contact else { return }
            try core.store.setMuted(settings.isMuted, contact.id)
            try core.store.setReceipts(settings.sendsReceipts, of: contact.id)
        }
        return CommandOK(try core.lookup.profile(chat.profileID))
    }
}

/// How the user wants to hear of a chat.
public struct ChatSettings: Hashable, Sendable, JSONObjectCodable {
    public var isMuted: Bool
    /// Nil for the setting of the profile.
    public var sendsReceipts: Bool?
    public var isFavorite: Bool

    public init(isMuted: Bool, sendsReceipts: Bool?, isFavorite: Bool) {
        self.isMuted = isMuted
        self.sendsReceipts = sendsReceipts
        self.isFavorite = isFavorite
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        // A direct chat has no mentions.
        let isMuted = try fields.word("enableNtfs") { ["all": false, "none": true, "mentions": true][$0] }
        self.init(
            isMuted: isMuted, sendsReceipts: try fields.optionalBool("sendRcpts"),
            isFavorite: try fields.optionalBool("favorite") ?? false)
    }

    /// `ChatSettings` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["enableNtfs": isMuted ? "none" : "all"]
        fields.set("sendRcpts", sendsReceipts)
        fields.set("favorite", isFavorite)
        return fields
    }
}
