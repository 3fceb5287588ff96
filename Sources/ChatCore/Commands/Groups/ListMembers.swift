public import ByteCoding
public import JSONCoding

/// Lists the members of a group, without the user. (`/_members #1`, `/members name`)
public struct ListMembers: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/_members", .group(\.group), make: { Self($0) }),
        Form("/members", .groupName(\.group), make: { Self($0) }),
        Form("/ms", .groupName(\.group), make: { Self($0) }))

    public func perform(on core: isolated LocalCore) async throws -> MemberList {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        return MemberList(profile, group, try core.store.members(of: group.id))
    }
}

/// The members of a group, without the user.
public struct MemberList: SimpleResponse {
    public let profile: OwnProfile
    public let group: Group
    public let members: [GroupMember]

    public static let type = "groupMembers"

    init(_ profile: OwnProfile, _ group: Group, _ members: [GroupMember]) {
        self.profile = profile
        self.group = group
        self.members = members
    }

    public var fields: JSONObject {
        [
            "user": profile.json,
            "group": .object(["groupInfo": group.json, "members": .array(members.map(\.json))]),
        ]
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        var group = try fields.object("group")
        self.init(try fields.required("user"), try group.required("groupInfo"), try group.list("members"))
    }
}
