/// Reads the link of a channel again: the profile, the number of members and the relays follow it. (`/_get group link data #1`)
public struct ReadChannelLink: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_get group link data", .group(\.group), make: { Self($0) }))

    public func effect(of response: GroupInfo) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupInfo {
        let group = try await core.groups.refresh(try core.lookup.group(group))
        return GroupInfo(try core.lookup.profile(group.profileID), group)
    }
}
