/// Has the short link of a group show what the group says about itself. (`/_short link #1`)
public struct RefreshGroupLink: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_short link", .group(\.group), make: { Self($0) }))

    public func perform(on core: isolated LocalCore) async throws -> GroupLinkInfo {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        let link = try core.groups.link(of: group)
        try core.groups.showProfile(of: group)
        return GroupLinkInfo(profile, group, link)
    }
}
