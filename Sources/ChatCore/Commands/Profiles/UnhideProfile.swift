public import AgentProtocol

/// Shows a hidden profile again. With another password there is no such profile. (`/_unhide user 1 "PASSWORD"`)
public struct UnhideProfile: ChatCommand {
    public var id: ProfileID
    public var password: PlainPassword

    public init(_ id: ProfileID, password: String) {
        self.id = id
        self.password = PlainPassword(password)
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_unhide user", .profile(\.id), .string(\.password.text), make: { Self($0, password: $1) }))

    public func perform(on core: isolated LocalCore) async throws -> ProfilePrivacy {
        guard let hidden = try core.store.profile(id), try core.store.password(of: id)?.accepts(password.text) == true
        else { throw ChatError.profileNotFound(id) }
        try core.store.transaction { try core.store.setPassword(nil, of: id) }
        return ProfilePrivacy(try core.store.profile(id) ?? hidden)
    }
}
