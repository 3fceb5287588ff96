import ByteCoding

/// Deletes the profile with a name, a hidden one with its password. (`/delete user NAME [PASSWORD]`)
public struct DeleteNamedProfile: ChatCommand {
    public var name: String
    public var password: PlainPassword?

    public init(name: String, password: String? = nil) {
        self.name = name
        self.password = password.map(PlainPassword.init)
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/delete user", .name(\.name), .password(\.password), make: { Self(name: $0, password: $1?.text) }))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try await core.profiles.delete(
            try core.profiles.profile(named: name, openedBy: password), deletesQueues: true)
        return CommandOK(nil)
    }
}
