/// Shows one message. (`/_item 7`)
public struct ShowItem: ChatCommand {
    public var item: ChatItemID

    public init(_ item: ChatItemID) {
        self.item = item
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_item", .item(\.item), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatItems {
        let located = try core.lookup.visibleItem(item)
        return ChatItems(profile: try core.lookup.profile(located.chat.profileID), items: [located])
    }
}
