/// Receives the messages that wait at the relays, and tries to send the outbox. Stops when nothing has come for `idle`.
/// (`/_fetch timeout=60 [idle=2]`)
public struct FetchMessages: ChatCommand {
    public var timeout: Duration
    public var idle: Duration

    public init(timeout: Duration, idle: Duration = .zero) {
        self.timeout = timeout
        self.idle = idle
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_fetch", .duration("timeout", \.timeout, byDefault: .seconds(60)),
            .duration("idle", \.idle, byDefault: .zero), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> FetchReport {
        try await core.exchange.fetch(timeout: timeout, idle: idle)
    }
}
