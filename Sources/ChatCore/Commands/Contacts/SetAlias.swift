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
        let contact = try core.lookup.contact(chat)
        try core.store.transaction { try core.store.setAlias(alias ?? "", contact.id) }
        return AliasUpdate(
            profile: try core.lookup.profile(contact.profileID), contact: try core.lookup.contact(contact.id))
    }
}

/// A contact with other words of the user.
public struct AliasUpdate: SimpleResponse {
    public let profile: OwnProfile
    public let contact: Contact

    public static let type = "contactAliasUpdated"

    public var fields: JSONObject { ["user": profile.json, "toContact": contact.json] }

    init(profile: OwnProfile, contact: Contact) {
        self.profile = profile
        self.contact = contact
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), contact: try fields.required("toContact"))
    }
}
