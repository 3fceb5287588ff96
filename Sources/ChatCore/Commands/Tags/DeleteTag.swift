import ByteCoding

/// Deletes a tag of the active profile, which its chats lose. (`/_delete tag 1`)
public struct DeleteTag: ChatCommand {
    public var id: TagID

    public init(_ id: TagID) {
        self.id = id
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_delete tag", .tag(\.id), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.activeProfile()
        try core.store.transaction {
            guard try core.store.tags(of: profile.id).contains(where: { $0.id == id }) else { return }
            try core.store.removeTag(id)
        }
        return CommandOK(profile)
    }
}

extension Argument where Value == TagID {
    /// `5`: a tag.
    static func tag(_ value: @escaping @Sendable (Command) -> TagID) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in TagID(try reader.integer()) }, write: { "\(value($0).number)" })
    }
}
