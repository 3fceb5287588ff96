import Agent
public import AgentProtocol

/// Hides a profile, which only a password finds from then on. The active profile cannot be hidden.
/// (`/_hide user 1 "PASSWORD"`)
public struct HideProfile: ChatCommand {
    public var id: ProfileID
    public var password: PlainPassword

    public init(_ id: ProfileID, password: String) {
        self.id = id
        self.password = PlainPassword(password)
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_hide user", .profile(\.id), .string(\.password.text), make: { Self($0, password: $1) }))

    public func effect(of response: ProfilePrivacy) -> SessionEffect? { .profileGone(id) }

    public func perform(on core: isolated LocalCore) async throws -> ProfilePrivacy {
        let profile = try core.lookup.profile(id)
        // The active profile is what everybody sees.
        guard !profile.isActive else { throw ChatError.profileActive(profile.name) }
        let stored = try ProfilePassword(password.text, random: core.context.environment.random)
        try core.store.transaction { try core.store.setPassword(stored, of: id) }
        return ProfilePrivacy(try core.store.profile(id) ?? profile)
    }
}
