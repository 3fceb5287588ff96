public import AgentProtocol
public import ByteCoding
public import ChatProtocol

/// Somebody in a group: another member, or the user.
public struct GroupMember: Hashable, Sendable {
    /// How it came to be known here. The raw values are those of the API.
    public enum Category: String, CaseIterable, Sendable {
        /// The user.
        case user
        /// The user invited it.
        case invitee
        /// It invited the user.
        case host
        /// It was in the group before the user.
        case pre
        /// It came after the user.
        case post
    }

    /// How far it has come. The raw values are those of the API, the order is that of chat.md 4.1.
    public enum Status: String, CaseIterable, Comparable, Sendable {
        case rejected
        case removed
        case left
        /// The group was deleted.
        case deleted
        case unknown
        case invited
        /// The host decides whether it may join.
        case pendingApproval = "pending_approval"
        /// The moderators decide whether it may join.
        case pendingReview = "pending_review"
        /// The host told of it.
        case introduced
        /// The host has the link for it.
        case introInvited = "intro-inv"
        case accepted
        /// The members were told of it.
        case announced
        case connected
        case complete
        /// The user made the group.
        case creator

        public static func < (left: Status, right: Status) -> Bool { left.order < right.order }

        private var order: Int {
            switch self {
            case .rejected: 0
            case .removed: 1
            case .left: 2
            case .deleted: 3
            case .unknown: 4
            case .invited: 5
            case .pendingApproval: 6
            case .pendingReview: 7
            case .introduced: 8
            case .introInvited: 9
            case .accepted: 10
            case .announced: 11
            case .connected: 12
            case .complete: 13
            case .creator: 14
            }
        }

        /// Whether it belongs to the group.
        public var isCurrent: Bool { self >= .introduced }
        /// Whether it takes part in conversations.
        public var isActive: Bool { isPending || self >= .connected }
        /// Whether somebody has to let it in.
        public var isPending: Bool { self == .pendingApproval || self == .pendingReview }
        /// Whether it left, or was thrown out.
        public var isGone: Bool { self <= .deleted }
    }

    /// Who brought a member into the group.
    public enum Inviter: Hashable, Sendable {
        case unknown
        case user
        case member(GroupMemberID)
    }

    /// A conversation of a member with the moderators.
    public struct SupportChat: Hashable, Sendable {
        public var activeAt: Timestamp
        public var unreadCount: Int
        /// How many unread messages wait for a moderator.
        public var attentionCount: Int
        public var mentionCount: Int
        /// When the member wrote last.
        public var memberWroteAt: Timestamp?
    }

    public let id: GroupMemberID
    public let groupID: GroupID
    public let profileID: ProfileID
    /// The id that all members know it by.
    public let memberID: MemberID
    public internal(set) var role: GroupRole
    public let category: Category
    public let status: Status
    /// The local name, unique in the profile.
    public let name: String
    let storedProfile: StoredProfile
    /// The contact that it is, if the user knows it to be one.
    public let contactID: ContactID?
    public let inviter: Inviter
    /// Whether the user wants to see what it writes.
    public let showsMessages: Bool
    /// Whether a moderator blocked it for all.
    public let isBlockedForAll: Bool
    /// The chat versions that it speaks.
    public let versions: VersionRange
    public let supportChat: SupportChat?
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// Of the user: whether the group knows a profile that was made up for it.
    public var isIncognito = false
    /// The DER form of its Ed25519 key; nil if none is known. Members of channels have one.
    @Boxed public var publicKey: Bytes?
    /// Of a relay: its short link for the channel.
    @Boxed public var relayLink: String?
    /// The newest connection; nil where nobody asked for it, for the user, and for a member without one.
    @Boxed public var connection: ContactConnection?

    /// What it says about itself. Read each time: whoever needs it twice keeps it.
    public var profile: Profile { storedProfile.profile }

    /// Whether it is the user.
    public var isUser: Bool { category == .user }

    /// Whether messages can be handed over.
    public var isReady: Bool { connection?.status.canSend == true && connection?.isDisabled == false }
}
