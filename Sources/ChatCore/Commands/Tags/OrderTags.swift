/// Puts the tags of the active profile into an order. (`/_reorder tags 2,1`)
public struct OrderTags: ChatCommand {
    public var tags: [TagID]

    public init(_ tags: [TagID]) {
        self.tags = tags
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_reorder tags", .tags(\.tags), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.activeProfile()
        try core.store.transaction { try core.store.orderTags(tags, of: profile.id) }
        return CommandOK(profile)
    }
}
