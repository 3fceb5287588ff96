/// Leaves a group. Its members are told, and its messages stay here. (`/_leave #1`, `/leave name`)
public struct LeaveGroup: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_leave", .group(\.group), make: { Self($0) }),
        Form("/leave", .groupName(\.group), make: { Self($0) }),
        Form("/l", .groupName(\.group), make: { Self($0) }))

    public func effect(of response: GroupChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        return GroupChange(.left, profile, try core.groups.leave(group))
    }
}
