public import ChatProtocol

/// What an entry of a group has besides that of every chat.
public struct GroupEntry: Hashable, Sendable {
    /// Who took a message away, or hides it.
    public enum Removal: String, CaseIterable, Sendable {
        case moderated
        /// The user does not want to see its author.
        case blocked
        /// A moderator blocked its author for all.
        case blockedForAll = "blockedByAdmin"
    }

    /// Who wrote it; nil for the user, and for a notice of the group itself.
    @Boxed public var author: GroupMember?
    /// The member whose conversation with the moderators it belongs to; nil if it is for all.
    public var supportID: GroupMemberID?
    /// The member that forwarded it, or its last edit; nil if it came from its author.
    @Boxed public var forwarder: GroupMember?
    /// The members that it mentions, by the names in its text.
    public var mentions: [String: Mention] = [:]
    /// Whether it mentions the user, or answers a message of the user.
    public var mentionsUser = false
    /// Who wrote what it answers; nil for the user.
    @Boxed public var quotedAuthor: GroupMember?
    public var removal: Removal?
    /// Who moderated it, which may be the user.
    @Boxed public var moderator: GroupMember?

    /// True if an owner of a channel wrote it as the channel.
    public var isFromGroup = false
    /// What is known of its signature; nil if it is not signed.
    public var signature: SignatureStatus?

    public init(author: GroupMember? = nil) {
        self.author = author
    }

    /// A forwarder that users see: everything in a channel comes through its relays.
    public var memberForwarder: GroupMember? { forwarder?.role == .relay ? nil : forwarder }

    /// A member that a message mentions.
    public struct Mention: Hashable, Sendable {
        public var memberID: MemberID
        /// The member as it was known then; nil if it was not.
        public var member: Reference?

        public struct Reference: Hashable, Sendable {
            public var id: GroupMemberID
            /// The name that the member gave itself.
            public var displayName: String
            public var role: GroupRole
        }
    }
}
