public import ChatProtocol

/// Gives members of a group another role. (`/_member role #1 2,3 admin`, `/member role #name member admin`)
public struct SetMemberRole: ChatCommand {
    public var group: GroupTarget
    public var members: MemberTarget
    public var role: GroupRole

    public init(_ group: GroupTarget, _ members: MemberTarget, _ role: GroupRole) {
        self.group = group
        self.members = members
        self.role = role
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_member role", .group(\.group), .members(\.members), .role(\.role), make: { Self($0, $1, $2) }),
        Form("/member role", .groupName(\.group), .memberName(\.members), .role(\.role), make: { Self($0, $1, $2) }),
        Form("/mr", .groupName(\.group), .memberName(\.members), .role(\.role), make: { Self($0, $1, $2) }))

    public func effect(of response: MembersChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> MembersChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        let changed = try await core.groups.setRole(
            role, of: try core.lookup.members(members, of: group), in: group)
        return MembersChange(.role(role), profile, try core.lookup.group(group.id), changed)
    }
}
