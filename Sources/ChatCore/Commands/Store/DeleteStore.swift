/// Puts an empty store in place of this one, and overwrites all that was in it. (`/_db delete`)
///
/// The chat must be stopped, and this core runs no further command. The new store opens with the same key.
public struct DeleteStore: ChatCommand {
    public init() {}

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_db delete", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try await core.replaceStore { folder, key in
            try StoreErasure.replaceByEmpty(folder, key: key, profile: nil)
        }
        return CommandOK()
    }
}
