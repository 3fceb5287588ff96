public import AgentProtocol

/// Shows a hidden profile again. With another password there is no such profile. (`/_unhide user 1 "PASSWORD"`,
/// `/unhide user PASSWORD` for the active one)
public struct UnhideProfile: ChatCommand {
    /// Nil for the active one.
    public var id: ProfileID?
    public var password: PlainPassword

    public init(_ id: ProfileID?, password: String) {
        self.id = id
        self.password = PlainPassword(password)
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_unhide user", .profile(\.id), .string(\.password.text), make: { Self($0, password: $1) }),
        Form(
            "/unhide user", .absent(\.id), word,
            make: { _, password in Self(nil, password: password?.text ?? "") }))

    private static let word = Argument<Self, PlainPassword?>.password { .some($0.password) }

    public func perform(on core: isolated LocalCore) async throws -> ProfilePrivacy {
        let id = try id ?? core.lookup.activeProfile().id
        if let known = try core.store.profile(id), !known.isHidden, core.lookup.isVisible(known) {
            throw ChatError.profilePrivacy(id, .notHidden)
        }
        let hidden = try core.profiles.profile(id, openedBy: password)
        try core.store.transaction { try core.store.setPassword(nil, of: id) }
        return ProfilePrivacy(try core.store.profile(id) ?? hidden)
    }
}
