/// Adds chat relays to a channel of the user. Waits for relays. (`/_add relays #1 2,3`)
public struct AddChannelRelays: ChatCommand {
    public var group: GroupTarget
    public var relays: [ChatRelayID]

    public init(_ group: GroupTarget, _ relays: [ChatRelayID]) {
        self.group = group
        self.relays = relays
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_add relays", .group(\.group), .chatRelays(\.relays), make: { Self($0, $1) }))

    public func perform(on core: isolated LocalCore) async throws -> ChannelRelaysChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        if let failed = try await core.groups.addRelays(relays, to: group) {
            return ChannelRelaysChange(profile, .addingFailed(failed))
        }
        let changed = try core.lookup.group(group.id)
        return ChannelRelaysChange(
            profile, .added(changed, try core.groups.link(of: changed), try core.store.groupRelays(of: changed.id)))
    }
}
