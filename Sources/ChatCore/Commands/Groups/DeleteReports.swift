/// Deletes reports that moderators got, here or at all moderators. (`/_delete reports #1 7,8 broadcast|internal|internalMark`)
public struct DeleteReports: ChatCommand {
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
        Form("/_delete reports", .chat(\.chat), .items(\.items), .word(\.mode), make: Self.init))

    public func effect(of response: ItemsDeleted) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ItemsDeleted {
        try core.conversations.deleteReports(items, mode, in: chat)
    }
}
