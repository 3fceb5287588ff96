public import AgentProtocol
public import ByteCoding
public import ChatProtocol

/// One entry of a conversation.
public struct ChatItem: Hashable, Sendable {
    public enum Direction: String, Sendable {
        case sent
        case received
    }

    /// What became of an entry.
    public enum Status: Hashable, Sendable {
        /// In the outbox.
        case sendNew
        /// In the outbox, and held up there for this reason.
        case sendWarning(SendProblem)
        /// A relay has it.
        case sendSent
        /// The relays of some members have it.
        case sendSentPartly
        /// Some members received it: all the same that was sent, or some something else.
        case sendReceivedPartly(isIntact: Bool)
        /// A relay has it. The contact confirmed a message before it and one after it, but not this one.
        case sendUnconfirmed
        /// The contact received it: the same that was sent, or something else.
        case sendReceived(isIntact: Bool)
        /// The contact's queue is gone or belongs to somebody else.
        case sendErrorAuthorization
        /// It will not be sent, for this reason.
        case sendError(SendProblem)
        case receivedNew
        case receivedRead

        /// Whether it came from somebody else.
        public var isReceived: Bool { self == .receivedNew || self == .receivedRead }

        /// Whether it is in the outbox.
        public var isUnsent: Bool {
            switch self {
            case .sendNew, .sendWarning: true
            case .sendSent, .sendSentPartly, .sendUnconfirmed, .sendReceived, .sendReceivedPartly,
                .sendErrorAuthorization, .sendError, .receivedNew,
                .receivedRead:
                false
            }
        }
    }

    /// Why a message will not be sent, or is not yet.
    public enum SendProblem: String, CaseIterable, Sendable {
        case blocked
        case expired
        /// The contact's queue is full until the contact reads.
        case quota
        /// The relay has no address.
        case host
        /// The relay speaks other versions than this program.
        case version
        case other
    }

    public enum Content: Hashable, Sendable {
        case message(MessageContent)
        /// Messages before the next one are missing, repeated or changed.
        case integrity(IntegrityProblem)
        /// A message could not be decrypted or read.
        case undecryptable(DecryptionProblem)
        /// The contact deleted this side.
        case contactDeleted
        /// A queue is being replaced.
        case queueSwitch(QueueDirection, SwitchPhase)
        /// The ratchets of both sides lost each other, or fit again.
        case synchronization(RatchetSynchronization)
        /// There is a new ratchet: a code that was compared before does not hold any more.
        case securityCodeChanged
        /// The relay does not let this side receive from the contact: the own queue is gone.
        case queueRefused
        /// The contact called.
        case call(CallRecord)
        /// The contact says something else about itself.
        indirect case profileUpdated(from: Profile, to: Profile)
        /// What both sides may do now, since one of them decided so: the contact if it was received, this side if it was
        /// sent. With the seconds after which messages disappear, if that is what it is about.
        case feature(Preferences.Feature, Preferences.Effect, seconds: Int64?)
        /// What one side would allow if the other did too.
        case preference(Preferences.Feature, Preferences.Permission, seconds: Int64?)
        /// How the conversation is encrypted.
        case encryption(isPostQuantum: Bool)
        /// The beginning of the conversation.
        case banner
        /// An invitation to a group, in the conversation with whom sent it or got it.
        indirect case groupInvitation(GroupInvitationNotice)
        /// Something that happened in a group.
        indirect case groupEvent(GroupNotice)
        /// What members of a group may do now.
        case groupFeature(GroupPreferences.Feature, GroupPreferences.Setting)
        /// How the messages of a group are encrypted.
        /// How a group is encrypted: the relays of a channel read what is in it.
        case groupEncryption(isPublic: Bool)
        /// A member of a group wants to be a contact.
        indirect case contactInvitation(GroupProfile)
        /// A moderator took the message away, and nothing of it is kept.
        case moderated
        /// A message of a member that is blocked for all, of which nothing is kept.
        case blocked
        /// A member sent what its role does not allow.
        case groupFeatureRejected(GroupPreferences.Feature)

        /// Whether people see it. The rest is there for other programs, which are told more through the API: that a
        /// conversation begins and how it is encrypted, what features are on, and that a contact changed its profile.
        ///
        /// Entries that people do not see have negative numbers, in the order in which they were made: so the numbers of
        /// those that people see have no gaps, and every list for people begins behind 0. They are read from the beginning,
        /// and are not the last entry of a conversation.
        public var isForPeople: Bool {
            switch self {
            case .profileUpdated, .feature, .preference, .encryption, .banner, .groupFeature, .groupEncryption: false
            case .message, .integrity, .undecryptable, .contactDeleted, .queueSwitch, .synchronization,
                .securityCodeChanged, .queueRefused, .call, .groupInvitation, .groupEvent, .contactInvitation,
                .moderated, .blocked, .groupFeatureRejected:
                true
            }
        }
    }

    public enum IntegrityProblem: Hashable, Sendable {
        case skipped(from: Int64, to: Int64)
        case badNumber(Int64)
        case badHash
        case duplicate
    }

    public enum DecryptionProblem: String, Sendable {
        /// One message; later ones may be readable.
        case message
        /// The ratchets of both sides have lost each other.
        case ratchet
        /// Not a message that this program knows.
        case malformed
    }

    public let id: ChatItemID
    public let chat: ChatReference
    public let direction: Direction
    public let content: Content
    public let status: Status
    /// The id that both sides know the message by.
    public let sharedID: SharedMessageID?
    /// When the relay received it, or when it was written here.
    public let time: Timestamp
    public let createdAt: Timestamp
    /// The message that this one answers.
    @Boxed public internal(set) var quote: Quote?
    /// Whether its sender did not write it, but passed it on.
    public let isForwarded: Bool
    /// When it was changed last.
    public let editedAt: Timestamp?
    /// When its author took it back. What it said is kept, unless both sides agreed that it is not.
    public let deletedAt: Timestamp?
    /// What both sides gave it, the own ones first.
    public let reactions: [ItemReaction]
    /// After how many seconds it disappears. For an own one they count from when it leaves the outbox, for a received one
    /// from when it is marked as read.
    public var ttl: Int64?
    /// When it disappears, once that is known. Messages in the outbox stay, whatever it says.
    public var expiresAt: Timestamp?
    /// Whether its author is still writing it; nil if it was whole from the beginning.
    public var isLive: Bool?
    /// Where it was taken from, if this side passed it on.
    @Boxed public var source: ForwardSource?
    /// The entry that it answers, if that is here.
    public var quotedID: ChatItemID?
    /// What only entries of groups have; nil in other chats.
    @Boxed public var group: GroupEntry?
    /// The member whose conversation with the moderators it belongs to; nil if it is for all of its chat.
    public var supportID: GroupMemberID? { group?.supportID }
    /// The file that it carries.
    @Boxed public var file: ChatFile?

    /// For how long an author may change and take back a message. Source: the reference implementation.
    static let changeLimit = Duration.seconds(24 * 3600)
    /// For how long it is accepted that the author takes it back: messages may be long on their way.
    static let toleratedChangeLimit = Duration.seconds(78 * 3600)
}

/// Where a message that was passed on was taken from.
public struct ForwardSource: Hashable, Sendable {
    /// A contact or a group.
    public let chat: ChatReference
    /// The name of the chat at that time.
    public let chatName: String
    /// Whether this side had written it.
    public let direction: ChatItem.Direction
    public let item: ChatItemID
}

/// What a message said at a time.
public struct ItemVersion: Hashable, Sendable {
    public let number: Int64
    public let content: MessageContent
    /// When its author wrote it, by the clock of the relay if it was received.
    public let time: Timestamp
    public let createdAt: Timestamp
}

/// What one side gave an entry.
public struct ItemReaction: Hashable, Sendable {
    /// Who gave it: `sent` is this side.
    public let direction: ChatItem.Direction
    public let reaction: Reaction
    /// The member of a group that gave it; nil for the user and in other chats.
    public var member: Member?

    /// A member, as lists name it.
    public struct Member: Hashable, Sendable {
        public let id: GroupMemberID
        /// The local name.
        public let name: String

        public init(id: GroupMemberID, name: String) {
            self.id = id
            self.name = name
        }
    }
}

/// What is to be sent.
public struct ComposedMessage: Hashable, Sendable {
    public var content: MessageContent
    /// The entry of the conversation that it answers.
    public var quoted: ChatItemID?
    /// The members of a group that it mentions, by the names in its text.
    public var mentions: [String: GroupMemberID]
    /// The file that it carries.
    public var file: CryptoFile?

    public init(
        _ content: MessageContent, answering quoted: ChatItemID? = nil, mentions: [String: GroupMemberID] = [:],
        file: CryptoFile? = nil
    ) {
        self.content = content
        self.file = file
        self.quoted = quoted
        self.mentions = mentions
    }
}

/// Where a message disappears.
extension ChatItem {
    /// The content of a message with another text: what else it carries stays. A message of another kind has the text alone.
    public func content(saying text: String) -> MessageContent {
        guard case .message(let former) = content else { return MessageContent(text) }
        if case .unknown = former.kind { return MessageContent(text) }
        return MessageContent(text, kind: former.kind, otherFields: former.otherFields)
    }
}

public enum DeletionMode: String, CaseIterable, Sendable {
    /// For both sides.
    case broadcast
    /// Only here.
    case `internal`
    /// Only here, with a mark that stays.
    case internalMark
    /// Out of the history of a channel.
    case history
}

/// A message that was taken back, and what is left of it.
public struct DeletedItem: Hashable, Sendable {
    public let before: LocatedItem
    /// Nil if nothing is left.
    public let after: LocatedItem?
    /// Whether nobody took it back: its time was over.
    public var hasExpired = false
}

/// A conversation in a list.
public struct ChatPreview: Hashable, Sendable {
    public let chat: Chat
    public let lastItem: ChatItem?
}

/// An entry and the conversation it belongs to.
public struct LocatedItem: Hashable, Sendable {
    public let chat: Chat
    public let item: ChatItem
}

extension LocatedItem {
    /// True if the user wants no sign of the entry.
    public var isMuted: Bool {
        if case .mentions = chat.group?.notifications { return item.group?.mentionsUser != true }
        return chat.isMuted
    }
}

/// Which entries of a conversation.
public enum ItemRange: Hashable, Sendable {
    /// The newest.
    case last(Int)
    case before(ChatItemID, Int)
    case after(ChatItemID, Int)
    /// One, and so many on both sides of it.
    case around(ChatItemID, Int)
    /// Those around the first that is unread; the newest if all are read.
    case initial(Int)

    /// The entry from which it is counted; nil for one of the ends.
    var anchor: ChatItemID? {
        switch self {
        case .before(let id, _), .after(let id, _), .around(let id, _): id
        case .last, .initial: nil
        }
    }
}
