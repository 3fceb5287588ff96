public import ChatProtocol

/// Sets the role of those who join a group through its link. (`/_set link role #1 observer`, `/set link role #name observer`)
public struct SetGroupLinkRole: ChatCommand {
    public var group: GroupTarget
    public var role: GroupRole

    public init(_ group: GroupTarget, _ role: GroupRole) {
        self.group = group
        self.role = role
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_set link role", .group(\.group), .role(\.role), make: { Self($0, $1) }),
        Form("/set link role", .signedGroupName(\.group), .role(\.role), make: { Self($0, $1) }))

    public func perform(on core: isolated LocalCore) async throws -> GroupLinkInfo {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        return GroupLinkInfo(profile, group, try core.groups.setLinkRole(role, of: group))
    }
}
