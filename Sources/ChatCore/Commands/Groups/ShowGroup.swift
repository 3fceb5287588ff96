/// Shows a group. (`/_info #1`, `/info #name`)
public struct ShowGroup: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/_info", .group(\.group), make: { Self($0) }),
        Form("/info", .signedGroupName(\.group), make: { Self($0) }),
        Form("/i", .signedGroupName(\.group), make: { Self($0) }))

    public func perform(on core: isolated LocalCore) async throws -> GroupInfo {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        return GroupInfo(profile, group)
    }
}
