/// Sends an own message, and receives until the contact confirms it. (`/_wait delivery 12 timeout=30`)
public struct WaitForDelivery: ChatCommand {
    public var item: ChatItemID
    public var timeout: Duration

    public init(of item: ChatItemID, timeout: Duration) {
        self.item = item
        self.timeout = timeout
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_wait delivery", .item(\.item), .duration("timeout", \.timeout, byDefault: .seconds(30)),
            make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> WaitedItem {
        try await core.exchange.waitForDelivery(of: item, timeout: timeout)
    }
}
