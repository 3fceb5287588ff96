/// Lists the chat relays of the active profile. (`/relays`)
public struct ListChatRelays: ChatCommand {
    public init() {}

    public static let access = Access.read
    public static let syntax = Syntax(Form("/relays", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ServerList {
        let profile = try core.lookup.profile(nil)
        return ServerList(
            profile: profile,
            groups: try core.servers.groups(of: profile.id).map { OperatorServers($0.operator, [], relays: $0.relays) })
    }
}
