public import ByteCoding
public import JSONCoding

/// Connects with a member of a group that wants to be a contact. It is on disk when the answer comes; the relay is asked later.
/// (`/_accept member contact @4`, `/accept_member_contact @name`)
public struct AcceptMemberContact: ChatCommand {
    public var contact: ChatTarget

    public init(_ contact: ChatTarget) {
        self.contact = contact
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_accept member contact", .chat(\.contact), make: { Self($0) }),
        Form("/accept_member_contact", .chat(\.contact), make: { Self($0) }))

    public func effect(of response: AcceptedMemberContact) -> SessionEffect? {
        .visible(response.profile, .listsChanged)
    }

    public func perform(on core: isolated LocalCore) async throws -> AcceptedMemberContact {
        let contact = try core.lookup.contact(contact)
        let accepted = try core.groups.acceptContact(contact)
        return AcceptedMemberContact(try core.lookup.profile(contact.profileID), accepted)
    }
}

/// A member that becomes a contact.
public struct AcceptedMemberContact: SimpleResponse {
    public let profile: OwnProfile
    public let contact: Contact

    public static let type = "memberContactAccepted"

    init(_ profile: OwnProfile, _ contact: Contact) {
        self.profile = profile
        self.contact = contact
    }

    public var fields: JSONObject { ["user": profile.json, "contact": contact.json] }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"), try fields.required("contact"))
    }
}
