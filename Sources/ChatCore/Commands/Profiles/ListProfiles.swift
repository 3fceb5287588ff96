/// Lists the profiles of the user; hidden ones only if the caller has opened them. (`/users`)
public struct ListProfiles: ChatCommand {
    public init() {}

    public static let access = Access.read
    public static let syntax = Syntax(Form("/users", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ProfileList {
        ProfileList(try core.lookup.visibleProfiles())
    }
}
