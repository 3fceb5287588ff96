public import AgentProtocol

/// Mutes or unmutes a profile. (`/_mute user 1`, `/_unmute user 1`; `/mute user`, `/unmute user` for the active one)
public struct MuteProfile: ChatCommand {
    /// Nil for the active one.
    public var id: ProfileID?
    public var isMuted: Bool

    public init(_ id: ProfileID?, _ isMuted: Bool) {
        self.id = id
        self.isMuted = isMuted
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_mute user", .profile(\.id), .fixed(true, \.isMuted), make: Self.init),
        Form("/_unmute user", .profile(\.id), .fixed(false, \.isMuted), make: Self.init),
        Form("/mute user", .absent(\.id), .fixed(true, \.isMuted), make: Self.init),
        Form("/unmute user", .absent(\.id), .fixed(false, \.isMuted), make: Self.init))

    public func effect(of response: ProfilePrivacy) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> ProfilePrivacy {
        let profile = try core.lookup.profile(id), id = profile.id
        guard !profile.isHidden else { throw ChatError.profilePrivacy(id, .alwaysMuted) }
        try core.store.transaction { try core.store.setMuted(isMuted, id) }
        return ProfilePrivacy(try core.lookup.profile(id))
    }
}
