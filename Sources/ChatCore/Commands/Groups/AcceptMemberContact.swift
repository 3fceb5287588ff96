public import ByteCoding
public import JSONCoding

/// Connects with a member of a group that wants to be a contact. The relay has it when the answer comes, unless it is only queued.
/// (`/_accept member contact @4 [queue=on]`, `/accept_member_contact @name`)
public struct AcceptMemberContact: ChatCommand {
    public var contact: ChatTarget
    /// True if the answer does not wait for a relay.
    public var isQueued: Bool

    public init(_ contact: ChatTarget, isQueued: Bool = false) {
        self.contact = contact
        self.isQueued = isQueued
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_accept member contact", .chat(\.contact), .queued(\.isQueued), make: { Self($0, isQueued: $1) }),
        Form(
            "/accept_member_contact", .chat(\.contact), .queued(\.isQueued), make: { Self($0, isQueued: $1) }))

    public func effect(of response: AcceptedMemberContact) -> SessionEffect? {
        .visible(response.profile, .listsChanged)
    }

    public func perform(on core: isolated LocalCore) async throws -> AcceptedMemberContact {
        let contact = try core.lookup.contact(contact)
        let accepted = try core.groups.acceptContact(contact)
        return AcceptedMemberContact(
            try core.lookup.profile(contact.profileID),
            isQueued ? accepted : try await core.exchange.confirm(accepted))
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
