/// Receives continuously, sends the outbox and retries what fails, until the time is up or the task is cancelled.
/// (`/_receive [timeout=60]`)
public struct ReceiveMessages: ChatCommand {
    /// Nil for no limit.
    public var timeout: Duration?

    public init(timeout: Duration? = nil) {
        self.timeout = timeout
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_receive", .duration("timeout", \.timeout), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> FetchReport {
        try await core.exchange.receive(timeout: timeout)
    }
}
