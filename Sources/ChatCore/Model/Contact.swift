public import AgentProtocol
public import ByteCoding
public import ChatProtocol

/// Somebody a profile is connected with, or was.
public struct Contact: Hashable, Sendable {
    public enum Status: String, Sendable {
        case active
        /// The contact deleted this side.
        case deleted
        /// This side deleted the contact, and kept the conversation.
        case deletedByUser
    }

    public let id: ContactID
    public let profileID: ProfileID
    /// The local name, unique in the profile.
    public let name: String
    let storedProfile: StoredProfile
    public let status: Status
    @Boxed public internal(set) var connection: ContactConnection?
    /// Whether the contact is told that its messages arrived; nil for the setting of the profile.
    public let sendsReceipts: Bool?
    public let unreadCount: Int
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// The time of the last message.
    public let activeAt: Timestamp?

    /// Whether nobody is to be disturbed by what comes from the contact.
    public var isMuted = false
    /// Whether what comes from the contact is thrown away.
    public var isBlocked = false
    /// How long messages are kept here.
    public var retention = Retention.standard
    /// After how many seconds own messages disappear unless they say something else.
    public var expiry: Int64?
    public var marks = ChatMarks()
    public var choices = ContactChoices()
    /// The security code that was compared with the contact, and when.
    public var verification: Verification?
    /// When the code that had been compared became another one; nil if it did not, or was compared again.
    public var codeChangedAt: Timestamp?

    /// The request that it was made of; nil if this side connected.
    public var requestID: RequestID?
    /// The link that it was prepared from; nil for a contact that was connected at once.
    @Boxed public var prepared: PreparedContact?

    /// That somebody compared the security code of a contact.
    public struct Verification: Hashable, Sendable {
        public let code: String
        public let verifiedAt: Timestamp
    }

    /// What the contact says about itself. Read each time: whoever needs it twice keeps it.
    public var profile: Profile { storedProfile.profile }

    /// Whether messages can be sent.
    public var isReady: Bool {
        status == .active && connection?.status.canSend == true && connection?.isDisabled == false
    }
}

/// A connection of the chat level: one of the agent, and what it is for.
public struct ContactConnection: Hashable, Sendable {
    /// How far the handshake has come. The raw values are those of the reference implementation.
    public enum Status: String, Sendable {
        /// An own invitation waits for its joiner.
        case new
        /// About to join.
        case prepared
        /// The relay has our confirmation.
        case joined
        /// The joiner's confirmation came and is being answered.
        case requested
        /// Our answer is on its way.
        case accepted
        /// The other side's answer came; this side can send.
        case sendReady = "snd-ready"
        case ready
        case deleted
        /// It could not be made.
        case failed

        /// True if nothing can be sent yet, but may be later.
        var isBeginning: Bool { self == .new || self == .prepared || self == .joined || self == .requested }

        var canSend: Bool { self == .sendReady || self == .ready || self == .accepted }
    }

    public let id: ConnectionID
    public let profileID: ProfileID
    public let contactID: ContactID?
    public let status: Status
    /// Whether this side made the link.
    public let isInitiated: Bool
    /// The text of the link that this side made or used.
    public let link: String?
    /// The short form of a link that this side made.
    public let shortLink: String?
    /// The name that the contact is going to have here.
    public let requestedName: String?
    public let version: AgreedChatVersion?
    public let quantumResistance: QuantumResistance
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// How often in a row a relay did not let messages into the contact's queue.
    public let authErrorCount: Int
    /// How often in a row the contact's queue was full.
    public let quotaErrorCount: Int
    /// Whether the relay does not let this side receive: the own queue is gone.
    public let isRefused: Bool
    /// Whether the own queue is being replaced, and the one of the contact.
    public let movesOwnQueue: Bool
    public let movesContactQueue: Bool
    /// Whether the ratchets of both sides fit.
    public let synchronization: RatchetSynchronization
    let storedIncognito: StoredProfile?

    /// The user's own name for it, while it has no contact.
    public var alias = ""

    /// The id that both sides know a request to an address by; nil for an invitation.
    public var requestKey: Bytes?
    /// The own address that the request came to; nil if this side connected.
    public var addressID: ConnectionID?
    /// The member of a group that it is with; nil for a connection with a contact.
    public var memberID: GroupMemberID?

    /// The profile that was made up for this connection alone: the other side knows no other. Read each time.
    public var incognito: Profile? { storedIncognito?.profile }

    /// How many refusals in a row end the attempts to send. Source: the reference implementation.
    static let mostAuthErrors = 10

    /// How many times in a row a queue must be full until its owner is taken to be away. Source: the reference implementation.
    static let mostQuotaErrors = 5

    /// Whether nothing is sent until the relay says that the queue takes messages again.
    public var isInactive: Bool { quotaErrorCount >= ContactConnection.mostQuotaErrors }

    /// Whether nothing is sent any more, because the contact's queue is gone.
    public var isDisabled: Bool { ContactConnection.isDisabled(authErrors: authErrorCount) }

    static func isDisabled(authErrors: Int) -> Bool { authErrors >= mostAuthErrors }
}
