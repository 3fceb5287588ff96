public import ChatProtocol

/// A text that a command would send to others.
public struct Utterance: Hashable, Sendable {
    public let profile: OwnProfile
    public let chat: Chat
    /// True if only the moderators of a group get it, and the member whose chat with them it is in.
    public let isForModerators: Bool
    public let content: MessageContent
    /// The message that it answers.
    public let answers: ChatItemID?
    /// The message of which it takes the place.
    public let edits: ChatItemID?
    /// The message that is forwarded.
    public let forwards: ChatItemID?

    init(
        profile: OwnProfile, chat: Chat, content: MessageContent, answers: ChatItemID? = nil,
        edits: ChatItemID? = nil, forwards: ChatItemID? = nil, isForModerators: Bool = false
    ) {
        self.profile = profile
        self.chat = chat
        self.isForModerators = isForModerators || chat.supportID != nil
        self.content = content
        self.answers = answers
        self.edits = edits
        self.forwards = forwards
    }
}
