public import ByteCoding
public import JSONCoding

/// Ends all sessions with relays until ``StartChat``. (`/_stop`)
public struct StopChat: ChatCommand {
    public init() {}

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_stop", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> StoppedChat {
        try core.exchange.stop()
        return StoppedChat()
    }
}

/// The answer to a stop.
public struct StoppedChat: SimpleResponse {
    init() {}

    public static let type = "chatStopped"

    public init(from fields: inout JSONFields) throws(DecodeError) {}

    public var fields: JSONObject { [:] }
}
