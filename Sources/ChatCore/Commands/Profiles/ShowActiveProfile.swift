/// Shows the active profile. (`/user`)
public struct ShowActiveProfile: ChatCommand {
    public init() {}

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/user", make: Self.init), Form("/u", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ActiveProfile {
        ActiveProfile(try core.lookup.activeProfile())
    }
}
