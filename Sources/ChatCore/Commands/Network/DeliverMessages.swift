public import ByteCoding
public import JSONCoding

/// Sends everything that is queued for a chat. (`/_deliver @1 timeout=30`)
public struct DeliverMessages: ChatCommand {
    public var chat: ChatTarget
    public var timeout: Duration

    public init(_ chat: ChatTarget, timeout: Duration) {
        self.chat = chat
        self.timeout = timeout
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_deliver", .chat(\.chat), .duration("timeout", \.timeout, byDefault: .seconds(30)),
            make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> DeliveryReport {
        try await core.exchange.deliver(to: chat, timeout: timeout)
    }
}

/// The result of sending what is queued for a chat.
public struct DeliveryReport: SimpleResponse {
    public let profile: OwnProfile
    public let chat: Chat
    /// True if the relays of the other side have everything.
    public let isComplete: Bool
    /// What prevents the rest from being sent, if that is known.
    public let obstacle: RelayProblem?

    public static let type = "delivered"

    init(_ profile: OwnProfile, _ chat: Chat, isComplete: Bool, obstacle: RelayProblem?) {
        self.profile = profile
        self.chat = chat
        self.isComplete = isComplete
        self.obstacle = obstacle
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        chat = try fields.required("chatInfo")
        isComplete = try fields.bool("complete")
        obstacle = try fields.optional("obstacle")
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "chatInfo": chat.json]
        fields.set("complete", isComplete)
        fields.set("obstacle", obstacle)
        return fields
    }
}
