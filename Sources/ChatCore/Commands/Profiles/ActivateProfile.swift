public import AgentProtocol

/// Makes a profile the active one; a hidden one with its password. (`/_user 1 ["PASSWORD"]`)
///
/// The active profile is what everybody sees: a hidden one is not hidden while it is active, until the store is opened again.
public struct ActivateProfile: ChatCommand {
    public var id: ProfileID
    public var password: PlainPassword?

    public init(_ id: ProfileID, password: String? = nil) {
        self.id = id
        self.password = password.map(PlainPassword.init)
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_user", .profile(\.id), .password(\.password), make: { Self($0, password: $1?.text) }))

    public func perform(on core: isolated LocalCore) async throws -> ActiveProfile {
        let profile = try core.profiles.profile(id, openedBy: password)
        // SECURITY: a profile that was opened for one command would be shown to everybody.
        guard !profile.isHidden || profile.isActive || password != nil else { throw ChatError.profileNotFound(id) }
        return ActiveProfile(try core.profiles.activate(profile))
    }
}
