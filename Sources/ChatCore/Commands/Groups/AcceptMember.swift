public import ChatProtocol

/// Lets in a member of a group that waits. (`/_accept member #1 2 member`, `/accept member #name member [role]`)
public struct AcceptMember: ChatCommand {
    public var group: GroupTarget
    public var member: MemberTarget
    public var role: GroupRole

    public init(_ group: GroupTarget, _ member: MemberTarget, as role: GroupRole = .member) {
        self.group = group
        self.member = member
        self.role = role
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_accept member", .group(\.group), .members(\.member), .role(\.role), make: { Self($0, $1, as: $2) }),
        Form(
            "/accept member", .groupName(\.group), .memberName(\.member), .optionalRole(.member, \.role),
            make: { Self($0, $1, as: $2) }))

    public func effect(of response: MemberChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> MemberChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        let member = try core.groups.accept(
            try core.lookup.member(member, of: group).id, in: group, as: role)
        return MemberChange(.accepted, profile, try core.lookup.group(group.id), member)
    }
}
