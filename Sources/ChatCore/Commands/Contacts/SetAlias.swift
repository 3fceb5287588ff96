public import ByteCoding
public import JSONCoding

/// Sets the user's own words for a contact, which does not learn them; without words, forgets them. (`/_set alias @1 TEXT`)
public struct SetAlias: ChatCommand {
    public var chat: ChatTarget
    public var alias: String?

    public init(_ chat: ChatTarget, _ alias: String?) {
        self.chat = chat
        self.alias = alias
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_set alias", .chat(\.chat), .optionalWords("text", \.alias), make: Self.init))

    public func effect(of response: AliasUpdate) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> AliasUpdate {
        let chat = try core.lookup.chat(chat), profile = try core.lookup.profile(chat.profileID)
        if let group = chat.group {
            try core.store.transaction { try core.store.setAlias(alias ?? "", group.id) }
        } else {
            let contact = try core.lookup.contact(self.chat)
            try core.store.transaction { try core.store.setAlias(alias ?? "", contact.id) }
        }
        return AliasUpdate(profile: profile, chat: try core.lookup.chat(chat.reference))
    }
}

/// A contact or a group with other words of the user.
public struct AliasUpdate: ChatResponse {
    public let profile: OwnProfile
    public let chat: Chat

    private static let contactType = "contactAliasUpdated", groupType = "groupAliasUpdated"

    init(profile: OwnProfile, chat: Chat) {
        self.profile = profile
        self.chat = chat
    }

    /// The contact; nil for a group.
    public var contact: Contact? { chat.contact }

    public var type: String { chat.group == nil ? AliasUpdate.contactType : AliasUpdate.groupType }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("toContact", chat.contact)
        fields.set("toGroup", chat.group)
        return fields
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        switch type {
        case AliasUpdate.contactType: chat = .direct(try fields.required("toContact"))
        case AliasUpdate.groupType: chat = .group(try fields.required("toGroup"))
        default: throw .invalid("type")
        }
    }
}
