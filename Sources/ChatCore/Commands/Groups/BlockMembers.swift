import ByteCoding

/// Blocks members of a group for all, or unblocks them. (`/_block #1 2,3 blocked=on|off`, `/block for all #name member`)
public struct BlockMembers: ChatCommand {
    public var group: GroupTarget
    public var members: MemberTarget
    public var isBlocked: Bool

    public init(_ group: GroupTarget, _ members: MemberTarget, _ isBlocked: Bool) {
        self.group = group
        self.members = members
        self.isBlocked = isBlocked
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_block", .group(\.group), .members(\.members), blocked, make: { Self($0, $1, $2) }),
        Form(
            "/block for all", .groupName(\.group), .memberName(\.members), .fixed(true, \.isBlocked),
            make: { Self($0, $1, $2) }),
        Form(
            "/unblock for all", .groupName(\.group), .memberName(\.members), .fixed(false, \.isBlocked),
            make: { Self($0, $1, $2) }))

    private static let blocked = Argument<Self, Bool>(
        read: { reader throws(DecodeError) in
            guard reader.skipExactly("blocked", "=") else { throw .invalid("blocked") }
            return try reader.isOn()
        }, write: { "blocked=\($0.isBlocked ? "on" : "off")" })

    public func effect(of response: MembersChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> MembersChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        let changed = try core.groups.block(
            try core.lookup.members(members, of: group), in: group, isBlocked)
        return MembersChange(.blocked(isBlocked), profile, try core.lookup.group(group.id), changed)
    }
}
