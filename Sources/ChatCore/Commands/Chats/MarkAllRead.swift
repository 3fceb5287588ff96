public import AgentProtocol

/// Marks everything that came to a profile as read. (`/_read user 1`, `/read user`)
public struct MarkAllRead: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered("/_read user", named: "/read user", { $0.profile }, make: Self.init))

    public func effect(of response: CommandOK) -> SessionEffect? {
        response.profile.flatMap { .visible($0, .listsChanged) }
    }

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.profile(profile)
        try core.store.transaction { try core.store.markAllRead(of: profile.id, at: core.now) }
        try core.expiry.schedule()
        return CommandOK(try core.lookup.profile(profile.id))
    }
}
