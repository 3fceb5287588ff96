public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Gives a prepared contact to another profile. (`/_set contact user @4 2`)
public struct MovePrepared: ChatCommand {
    public var contact: ContactID
    public var profile: ProfileID

    public init(_ contact: ContactID, to profile: ProfileID) {
        self.contact = contact
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_set contact user", .contactID(\.contact), .profile(\.profile), make: { Self($0, to: $1) }))

    public func effect(of response: MovedContact) -> SessionEffect? { .visible(response.newProfile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> MovedContact {
        let contact = try core.lookup.contact(.reference(.direct(contact)))
        let profile = try core.lookup.profile(profile)
        return MovedContact(
            try core.lookup.profile(contact.profileID), from: contact, profile,
            to: try core.connector.move(contact, to: profile))
    }
}

/// A prepared contact that another profile has now.
public struct MovedContact: SimpleResponse {
    public let profile: OwnProfile
    public let former: Contact
    public let newProfile: OwnProfile
    public let contact: Contact

    public static let type = "contactUserChanged"

    public var fields: JSONObject {
        [
            "user": profile.json, "fromContact": former.json, "newUser": newProfile.json, "toContact": contact.json,
        ]
    }

    init(_ profile: OwnProfile, from former: Contact, _ newProfile: OwnProfile, to contact: Contact) {
        self.profile = profile
        self.former = former
        self.newProfile = newProfile
        self.contact = contact
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            try fields.required("user"), from: try fields.required("fromContact"), try fields.required("newUser"),
            to: try fields.required("toContact"))
    }
}
