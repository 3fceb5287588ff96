/// Takes messages of other members of a group away, for all members. (`/_delete member item #1 7,8`)
public struct ModerateItems: ChatCommand {
    public var chat: ChatTarget
    public var items: [ChatItemID]

    public init(_ chat: ChatTarget, _ items: [ChatItemID]) {
        self.chat = chat
        self.items = items
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_delete member item", .chat(\.chat), .items(\.items), make: Self.init))

    public func effect(of response: ItemsDeleted) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ItemsDeleted {
        try core.conversations.moderate(items, in: chat)
    }
}
