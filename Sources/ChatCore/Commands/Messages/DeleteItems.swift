/// Deletes messages here, or own ones for both sides. (`/_delete item @1 7,8 broadcast|internal|internalMark`)
public struct DeleteItems: ChatCommand {
    public var chat: ChatTarget
    public var items: [ChatItemID]
    public var mode: DeletionMode

    public init(_ chat: ChatTarget, _ items: [ChatItemID], _ mode: DeletionMode) {
        self.chat = chat
        self.items = items
        self.mode = mode
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_delete item", .chat(\.chat), .items(\.items), .word(\.mode), make: Self.init))

    public func effect(of response: ItemsDeleted) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ItemsDeleted {
        try core.conversations.delete(self)
    }
}
