/// Shows the link of a group. (`/_get link #1`, `/show link #name`)
public struct ShowGroupLink: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/_get link", .group(\.group), make: { Self($0) }),
        Form("/show link", .signedGroupName(\.group), make: { Self($0) }))

    public func perform(on core: isolated LocalCore) async throws -> GroupLinkInfo {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        return GroupLinkInfo(profile, group, try core.groups.link(of: group))
    }
}
