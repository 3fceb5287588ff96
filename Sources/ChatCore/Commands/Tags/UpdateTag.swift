/// Changes what a tag of the active profile says. (`/_update tag 1 {"text":"office"}`)
public struct UpdateTag: ChatCommand {
    public var id: TagID
    public var tag: TagText

    public init(_ id: TagID, _ tag: TagText) {
        self.id = id
        self.tag = tag
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_update tag", .tag(\.id), .json(\.tag), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.activeProfile()
        try core.store.transaction {
            guard try core.store.tags(of: profile.id).contains(where: { $0.id == id }) else { return }
            try core.profiles.checkTag(tag, of: profile, besides: id)
            try core.store.updateTag(id, tag.text, emoji: tag.emoji)
        }
        return CommandOK(profile)
    }
}
