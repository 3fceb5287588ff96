/// Receives continuously, sends the outbox and retries what fails, until the time is up or the task is cancelled.
/// (`/_receive [timeout=60] [{"image":522240}]`)
public struct ReceiveMessages: ChatCommand {
    /// Nil for no limit.
    public var timeout: Duration?
    /// The files that are accepted if they are offered meanwhile; nil for the setting.
    public var files: FileAcceptance?

    public init(timeout: Duration? = nil, files: FileAcceptance? = nil) {
        self.timeout = timeout
        self.files = files
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_receive", .duration("timeout", \.timeout), .optionalJSON(\.files),
            make: { Self(timeout: $0, files: $1) }))

    public func perform(on core: isolated LocalCore) async throws -> FetchReport {
        try await core.files.accepting(files) { try await core.exchange.receive(timeout: timeout) }
    }
}
