public import ByteCoding
public import JSONCoding

/// Whether the core receives: the answer to ``StartChat``, ``StopChat`` and ``CheckRunning``.
public enum ChatState: String, ChatResponse {
    /// It has just begun.
    case started = "chatStarted"
    /// It began before.
    case running = "chatRunning"
    case stopped = "chatStopped"

    public var type: String { rawValue }
    public var fields: JSONObject { [:] }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard let state = ChatState(rawValue: type) else { throw .invalid("type") }
        self = state
    }
}
