public import AgentProtocol

/// Makes a profile the active one. (`/_user 1`)
public struct ActivateProfile: ChatCommand {
    public var id: ProfileID

    public init(_ id: ProfileID) {
        self.id = id
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_user", .profile(\.id), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ActiveProfile {
        // The active profile is what everybody sees.
        guard try !core.lookup.profile(id).isHidden else { throw ChatError.profileNotFound(id) }
        try core.store.transaction { try core.store.activate(id) }
        return ActiveProfile(try core.lookup.profile(id))
    }
}
