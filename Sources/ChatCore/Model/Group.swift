public import AgentProtocol
public import ByteCoding
public import ChatProtocol
import JSONCoding

/// A group that a profile is in, or was.
public struct Group: Hashable, Sendable {
    /// Of which messages the user wants a sign.
    public enum Notifications: String, CaseIterable, Sendable {
        case all
        /// Of those that mention the user or answer it.
        case mentions
        case none
    }

    public let id: GroupID
    public let profileID: ProfileID
    /// The local name, unique in the profile.
    public let name: String
    let storedProfile: StoredGroupProfile
    /// The user as a member.
    public let membership: GroupMember
    public let unreadCount: Int
    /// How many unread messages mention the user.
    public var unreadMentions = 0
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// The time of the last message.
    public let activeAt: Timestamp?
    /// How long messages are kept here.
    public var retention = Retention.standard
    /// After how many seconds own messages disappear unless they say something else.
    public var expiry: Int64?
    public var marks = ChatMarks()
    /// The user's own words for it; empty for none.
    public var alias = ""
    public var notifications = Notifications.all
    /// Whether members are told that their messages arrived; nil for the setting of the profile.
    public var sendsReceipts: Bool?
    /// The two sides of a business chat; nil for a group.
    @Boxed public var business: BusinessChatInfo?
    /// The link that it was prepared from; nil for a group that was joined at once.
    @Boxed public var prepared: PreparedGroup?
    /// The link through which the user joined; nil for another group.
    public var joinedLink: String?
    /// When the members were told the profile of the user last.
    public var profileSentAt: Timestamp?
    /// How many members wait for a moderator: to be let in, or for an answer in their support chats.
    public var attentionCount = 0
    /// How many belong to it, with the user.
    public var memberCount = 0
    /// How many reports no moderator has settled.
    public var reportCount = 0
    /// What it has as a channel; nil for a group whose members connect to each other.
    @Boxed public var channel: Channel?
    /// The conversation with the moderators that is meant; nil for that of all members.
    public var support: SupportScope?

    /// True where the user writes as the channel.
    public var speaksAsChannel = false

    /// What the group says about itself. Read each time: whoever needs it twice keeps it.
    public var profile: GroupProfile { storedProfile.profile }
}

/// What a group says about itself, as it stands in the database. It is read when somebody asks for it, as a ``StoredProfile``.
struct StoredGroupProfile: Hashable, Sendable {
    let text: String

    /// Without a name if the text is none that this program wrote.
    var profile: GroupProfile { (try? GroupProfile(decoding: Bytes(text.utf8))) ?? GroupProfile(displayName: "") }
}

extension StoredGroupProfile {
    init(_ profile: GroupProfile) {
        self.init(text: profile.json.line)
    }
}

/// The link that a group chat was prepared from.
public struct PreparedGroup: Hashable, Sendable {
    public var link: LinkText
    /// Whether the user has asked to join.
    public var isStarted = false
    /// The welcome message that is shown already.
    public var welcomeID: SharedMessageID?
    /// The message that goes with the request.
    public var requestID: SharedMessageID?
    /// The last check of the name that the channel claims; nil if none was checked.
    public var name: NameCheck?
}

/// The conversation of a member of a group with the moderators.
public enum SupportScope: Hashable, Sendable {
    /// Of the user.
    case own
    /// Of another member, which moderators see.
    indirect case member(GroupMember)
}

extension Group {
    /// The member whose conversation with the moderators is meant; nil for that of all members.
    var supportID: GroupMemberID? {
        switch support {
        case nil: nil
        case .own: membership.id
        case .member(let member): member.id
        }
    }

    /// The same group where the conversation of a member is meant.
    func supporting(_ member: GroupMember?) -> Group {
        var group = self
        group.support = member.map { $0.id == membership.id ? .own : .member($0) }
        return group
    }
}
