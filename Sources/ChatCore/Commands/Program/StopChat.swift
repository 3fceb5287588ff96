/// Ends all sessions with relays until ``StartChat``. (`/_stop`)
public struct StopChat: ChatCommand {
    public init() {}

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_stop", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatState {
        try core.exchange.stop()
        return .stopped
    }
}
