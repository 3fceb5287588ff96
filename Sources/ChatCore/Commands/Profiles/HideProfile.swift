public import AgentProtocol

/// Hides a profile, which only a password finds from then on. (`/_hide user 1 "PASSWORD"`, `/hide user PASSWORD`)
///
/// The active profile is seen until another one is active.
public struct HideProfile: ChatCommand {
    /// Nil for the active one.
    public var id: ProfileID?
    public var password: PlainPassword

    public init(_ id: ProfileID?, password: String) {
        self.id = id
        self.password = PlainPassword(password)
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_hide user", .profile(\.id), .string(\.password.text), make: { Self($0, password: $1) }),
        Form(
            "/hide user", .absent(\.id), word,
            make: { _, password in Self(nil, password: password?.text ?? "") }))

    private static let word = Argument<Self, PlainPassword?>.password { .some($0.password) }

    public func effect(of response: ProfilePrivacy) -> SessionEffect? { .profileGone(response.profile.id) }

    public func perform(on core: isolated LocalCore) async throws -> ProfilePrivacy {
        ProfilePrivacy(try core.profiles.hide(try core.lookup.profile(id), password))
    }
}
