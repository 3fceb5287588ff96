import ByteCoding

/// Tries once to send each queued message of all profiles, without receiving. (`/_flush timeout=30`)
public struct Flush: ChatCommand {
    public var timeout: Duration

    public init(timeout: Duration) {
        self.timeout = timeout
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_flush", .duration("timeout", \.timeout, byDefault: .seconds(30)), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> FetchReport {
        try await core.exchange.flush(timeout: timeout)
    }
}
