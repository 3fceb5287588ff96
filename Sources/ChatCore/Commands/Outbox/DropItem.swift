/// Takes an own message out of the outbox and deletes it. The contact learns that one is missing. (`/_drop item 7`)
public struct DropItem: ChatCommand {
    public var item: ChatItemID

    public init(_ item: ChatItemID) {
        self.item = item
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_drop item", .item(\.item), make: Self.init))

    public func effect(of response: ItemsDeleted) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ItemsDeleted {
        try core.conversations.drop(item)
    }
}
