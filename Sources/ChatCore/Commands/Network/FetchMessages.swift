/// Receives the messages that wait at the relays, and tries to send the outbox. Stops when nothing has come for `idle`.
/// (`/_fetch timeout=60 [idle=2] [{"image":522240}]`)
public struct FetchMessages: ChatCommand {
    public var timeout: Duration
    public var idle: Duration
    /// The files that are accepted if they are offered meanwhile; nil for the setting.
    public var files: FileAcceptance?

    public init(timeout: Duration, idle: Duration = .zero, files: FileAcceptance? = nil) {
        self.timeout = timeout
        self.idle = idle
        self.files = files
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_fetch", .duration("timeout", \.timeout, byDefault: .seconds(60)),
            .duration("idle", \.idle, byDefault: .zero), .optionalJSON(\.files),
            make: { Self(timeout: $0, idle: $1, files: $2) }))

    public func perform(on core: isolated LocalCore) async throws -> FetchReport {
        try await core.files.accepting(files) { try await core.exchange.fetch(timeout: timeout, idle: idle) }
    }
}
