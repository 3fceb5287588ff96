/// Sends an own message, and what is queued before it. (`/_wait item 12 timeout=30`)
public struct WaitForItem: ChatCommand {
    public var item: ChatItemID
    public var timeout: Duration

    public init(_ item: ChatItemID, timeout: Duration) {
        self.item = item
        self.timeout = timeout
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_wait item", .item(\.item), .duration("timeout", \.timeout, byDefault: .seconds(30)),
            make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> WaitedItem {
        try await core.exchange.wait(for: item, timeout: timeout)
    }
}
