public import ChatProtocol

/// Makes the link through which others join a group. Waits for a relay. (`/_create link #1 member`, `/create link #name [role]`)
public struct CreateGroupLink: ChatCommand {
    public var group: GroupTarget
    public var role: GroupRole

    public init(_ group: GroupTarget, _ role: GroupRole = .member) {
        self.group = group
        self.role = role
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_create link", .group(\.group), .optionalRole(.member, \.role), make: { Self($0, $1) }),
        Form("/create link", .signedGroupName(\.group), .optionalRole(.member, \.role), make: { Self($0, $1) }))

    public func perform(on core: isolated LocalCore) async throws -> GroupLinkInfo {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        let link = try await core.groups.createLink(of: group, role: role)
        return GroupLinkInfo(profile, try core.lookup.group(group.id), link, isNew: true)
    }
}
