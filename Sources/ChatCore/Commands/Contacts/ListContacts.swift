public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Lists the contacts of a profile. (`/_contacts 1`, `/contacts`)
public struct ListContacts: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(numbered: "contacts", \.profile, make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> ContactList {
        let profile = try core.lookup.profile(profile)
        return ContactList(profile, try core.store.contacts(of: profile.id))
    }
}

/// The contacts of a profile.
public struct ContactList: SimpleResponse {
    public let profile: OwnProfile
    public let contacts: [Contact]

    public static let type = "contactsList"

    init(_ profile: OwnProfile, _ contacts: [Contact]) {
        self.profile = profile
        self.contacts = contacts
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        contacts = try fields.list("contacts")
    }

    public var fields: JSONObject { ["user": profile.json, "contacts": .array(contacts.map(\.json))] }
}
