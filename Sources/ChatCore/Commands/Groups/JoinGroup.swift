/// Joins a group that a contact invited the user to. The relay has it when the answer comes, unless it is only queued.
/// (`/_join #1 [queue=on]`, `/join name`)
public struct JoinGroup: ChatCommand {
    public var group: GroupTarget
    /// True if the answer does not wait for a relay.
    public var isQueued: Bool

    public init(_ group: GroupTarget, isQueued: Bool = false) {
        self.group = group
        self.isQueued = isQueued
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_join", .group(\.group), .queued(\.isQueued), make: { Self($0, isQueued: $1) }),
        Form("/join", .groupName(\.group), .queued(\.isQueued), make: { Self($0, isQueued: $1) }),
        Form("/j", .groupName(\.group), .queued(\.isQueued), make: { Self($0, isQueued: $1) }))

    public func effect(of response: GroupChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        let joined = try core.groups.join(group)
        return GroupChange(.joined, profile, isQueued ? joined : try await core.exchange.confirm(joined))
    }
}
