public import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

/// Lists the groups of a profile by name, or those with a contact, or with a text in their names. (`/_groups 1 [@4] [TEXT]`,
/// also without the first space, `/groups`)
public struct ListGroups: ChatCommand {
    public var profile: ProfileID?
    public var contact: ContactID?
    public var search: String?

    public init(_ profile: ProfileID? = nil, with contact: ContactID? = nil, search: String? = nil) {
        self.profile = profile
        self.contact = contact
        self.search = search
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form.numbered(
            "/_groups", named: "/groups", \.profile, aliases: ["/gs"], .contact(\.contact),
            .optionalWords("text", \.search), make: { Self($0, with: $1, search: $2) }))

    public func perform(on core: isolated LocalCore) async throws -> GroupList {
        let profile = try core.lookup.profile(profile)
        let shared = try contact.map { Set(try core.store.memberships(of: $0).map(\.groupID)) }
        let groups = try core.store.groups(of: profile.id).filter { group in
            guard shared?.contains(group.id) ?? true else { return false }
            guard let search, !search.isEmpty else { return true }
            let presented = group.profile
            return [group.name, presented.displayName, presented.fullName].contains {
                $0.lowercased().holds(search.lowercased())
            }
        }
        return GroupList(profile, groups)
    }
}

/// Groups of a profile.
public struct GroupList: SimpleResponse {
    public let profile: OwnProfile
    public let groups: [Group]

    public static let type = "groupsList"

    init(_ profile: OwnProfile, _ groups: [Group]) {
        self.profile = profile
        self.groups = groups
    }

    public var fields: JSONObject {
        ["user": profile.json, "groups": .array(groups.map(\.json))]
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"), try fields.list("groups"))
    }
}
