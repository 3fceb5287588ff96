public import AgentProtocol
public import ByteCoding

/// A program of the user, a hook, that is to be told of something.
public struct HookCall: Hashable, Sendable {
    /// The name of the hook, such as `on-message`.
    public let hook: String
    public let profileID: ProfileID
    /// What it is told, as one line.
    public let event: String
    /// The id of what it is about, in the form that the user knows.
    public let objectID: String?
    /// The id of the contact or group, in that form.
    public let chatID: String?

    public init(hook: String, profileID: ProfileID, event: String, objectID: String? = nil, chatID: String? = nil) {
        self.hook = hook
        self.profileID = profileID
        self.event = event
        self.objectID = objectID
        self.chatID = chatID
    }
}

/// A call that is in the database, because it has yet to be made or has failed.
public struct HookRun: Hashable, Sendable {
    /// Names a call, for ever.
    public struct ID: Hashable, Sendable {
        let number: Int64
    }

    public let id: ID
    public let call: HookCall
    /// How often it has failed.
    public let failures: Int
    /// What was wrong the last time.
    public let problem: String?
    public let createdAt: Timestamp

    /// How often a call is made that fails: once, and three times more.
    public static let mostFailures = 4

    /// Whether it is not made any more.
    public var isGivenUp: Bool { failures >= HookRun.mostFailures }
}
