public import ByteCoding
public import JSONCoding

/// The sessions with relays have ended because a program asked for it.
public struct ChatSuspendedEvent: ChatEvent {
    public static let type = "chatSuspended"

    public init() {}

    public var fields: JSONObject { [:] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self { Self() }

    public var owner: OwnProfile? { nil }
    public var trace: EventText { "the chat is suspended" }
}
