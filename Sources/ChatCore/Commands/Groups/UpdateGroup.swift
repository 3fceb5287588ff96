public import ChatProtocol

/// Gives a group another profile. (`/_group_profile #1 {...}`)
public struct UpdateGroup: ChatCommand {
    public var group: GroupTarget
    public var groupProfile: GroupProfile

    public init(_ group: GroupTarget, _ groupProfile: GroupProfile) {
        self.group = group
        self.groupProfile = groupProfile
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_group_profile", .group(\.group), .json(\.groupProfile), make: { Self($0, $1) }))

    public func effect(of response: GroupUpdate) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupUpdate {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        return GroupUpdate(profile, group, try await core.groups.update(group, groupProfile))
    }
}
