public import ChatProtocol

/// A text that a command would send to others.
public struct Utterance: Hashable, Sendable {
    public let profile: OwnProfile
    public let chat: Chat
    public let content: MessageContent
    /// The message that it answers.
    public let answers: ChatItemID?
    /// The message of which it takes the place.
    public let edits: ChatItemID?
    /// The message that is forwarded.
    public let forwards: ChatItemID?

    init(
        profile: OwnProfile, chat: Chat, content: MessageContent, answers: ChatItemID? = nil,
        edits: ChatItemID? = nil, forwards: ChatItemID? = nil
    ) {
        self.profile = profile
        self.chat = chat
        self.content = content
        self.answers = answers
        self.edits = edits
        self.forwards = forwards
    }
}
