public import AgentProtocol
public import ByteCoding
public import ChatProtocol

/// A profile of the user. One of them is active.
public struct OwnProfile: Hashable, Sendable {
    public let id: ProfileID
    /// Unique in the store.
    public let name: String
    /// What contacts see.
    public let profile: Profile
    public let isActive: Bool
    /// Whether contacts are told that their messages arrived, unless a contact has a setting of its own.
    public let sendsReceipts: Bool
    /// Whether nobody is to be disturbed by what comes to it.
    public let isMuted: Bool
    public let unreadCount: Int
    public let createdAt: Timestamp
    /// After how many seconds messages are removed here, unless a conversation has a setting of its own; nil for never.
    public var retention: Int64?
    /// Whether it is there only for who knows its password.
    public var isHidden = false
    /// Whether members of small groups are told that their messages arrived.
    public var sendsGroupReceipts = true
    /// Whether members of groups become contacts when they ask.
    public var acceptsMembers = false
    /// When what groups are told of it changed last; nil if it never did.
    public var changedAt: Timestamp?
    /// The contact whose conversation is all that a session shows of a one-to-one profile at first; nil for one that shows
    /// the list of its chats.
    public var home: ContactID?
    /// The setting of a client service (SMP v19), for programs that ask for it. Each queue is subscribed to by itself all the same.
    public var usesService = false
    /// True if the profile is a chat relay: it passes on what is written in channels.
    public var isChatRelay = false
}
