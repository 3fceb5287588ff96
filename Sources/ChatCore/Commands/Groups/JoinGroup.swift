/// Joins a group that a contact invited the user to. It is on disk when the answer comes; the relay is asked later.
/// (`/_join #1`, `/join name`)
public struct JoinGroup: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_join", .group(\.group), make: { Self($0) }),
        Form("/join", .groupName(\.group), make: { Self($0) }),
        Form("/j", .groupName(\.group), make: { Self($0) }))

    public func effect(of response: GroupChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        return GroupChange(.joined, profile, try core.groups.join(group))
    }
}
