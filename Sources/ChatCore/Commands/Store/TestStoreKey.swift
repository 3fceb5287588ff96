/// Checks whether a key opens the store. (`/db test key KEY`)
public struct TestStoreKey: ChatCommand {
    public var key: PlainPassword

    public init(_ key: PlainPassword) {
        self.key = key
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/db test key", word, make: { Self($0 ?? PlainPassword("")) }))

    private static let word = Argument<Self, PlainPassword?>.password { .some($0.key) }

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let key = key, folder = core.folder
        try await core.aside { _ = try StoreKeys.open(folder, with: key) }
        return CommandOK()
    }
}
