/// Asks whether the chat was started. (`/_check running`)
public struct CheckRunning: ChatCommand {
    public init() {}

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_check running", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatState {
        core.exchange.isStarted ? .running : .stopped
    }
}
