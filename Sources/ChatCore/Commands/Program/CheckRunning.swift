public import ByteCoding
public import JSONCoding

/// Asks whether the chat was started. (`/_check running`)
public struct CheckRunning: ChatCommand {
    public init() {}

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_check running", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> RunningState {
        RunningState(isRunning: core.exchange.isStarted)
    }
}

/// Whether the chat was started.
public struct RunningState: ChatResponse {
    public let isRunning: Bool

    init(isRunning: Bool) {
        self.isRunning = isRunning
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        switch type {
        case "chatRunning": isRunning = true
        case "chatStopped": isRunning = false
        default: throw .invalid("type")
        }
    }

    public var type: String { isRunning ? "chatRunning" : "chatStopped" }
    public var fields: JSONObject { [:] }
}
