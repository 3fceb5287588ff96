/// A text that sessions keep. What is in it is theirs.
public enum SessionKey: String, CaseIterable, Hashable, Sendable {
    /// Where the last session was.
    case place
    /// What the gate knows.
    case gate
    /// How new messages arrive.
    case notifyMode = "notify-mode"
    /// The version of the program whose news were shown.
    case seenVersion = "seen-version"
    /// The version of the conditions of use that the user was told of after accepting other ones.
    case toldConditions = "told-conditions"
}

/// What was typed and not sent.
public struct Draft: Hashable, Sendable {
    public let text: String
    /// The entry that it answers.
    public let answers: ChatItemID?

    public init(text: String, answers: ChatItemID? = nil) {
        self.text = text
        self.answers = answers
    }
}
