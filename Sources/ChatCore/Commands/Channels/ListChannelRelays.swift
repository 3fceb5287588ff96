/// Lists the relays of a channel of the user. (`/_get relays #1`)
public struct ListChannelRelays: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_get relays", .group(\.group), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChannelRelays {
        let group = try core.lookup.group(group)
        return ChannelRelays(
            try core.lookup.profile(group.profileID), group, try core.store.groupRelays(of: group.id))
    }
}
