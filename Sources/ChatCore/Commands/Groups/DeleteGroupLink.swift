/// Deletes the link of a group; its members stay. Waits for a relay. (`/_delete link #1`, `/delete link #name`)
public struct DeleteGroupLink: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_delete link", .group(\.group), make: { Self($0) }),
        Form("/delete link", .signedGroupName(\.group), make: { Self($0) }))

    public func perform(on core: isolated LocalCore) async throws -> GroupChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        try await core.groups.deleteLink(of: group)
        return GroupChange(.linkDeleted, profile, try core.lookup.group(group.id))
    }
}
