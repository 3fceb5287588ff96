import ByteCoding

/// Makes the profile with a name the active one; a hidden one with its password. (`/user NAME [PASSWORD]`)
public struct ActivateNamedProfile: ChatCommand {
    public var name: String
    public var password: PlainPassword?

    public init(name: String, password: String? = nil) {
        self.name = name
        self.password = password.map(PlainPassword.init)
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/user", .name(\.name), .password(\.password), make: { Self(name: $0, password: $1?.text) }),
        Form("/u", .name(\.name), .password(\.password), make: { Self(name: $0, password: $1?.text) }))

    public func perform(on core: isolated LocalCore) async throws -> ActiveProfile {
        ActiveProfile(try core.profiles.activate(try core.profiles.profile(named: name, openedBy: password)))
    }
}
