import AgentProtocol
public import ByteCoding

/// What a list shows of a chat: a small part of ``Chat`` and its newest entry, which is faster to read.
public struct ChatSummary: Hashable, Sendable {
    /// The state of the connection or of the membership.
    public enum State: Hashable, Sendable {
        case contact(ContactState)
        case group(GroupState)
        /// Notes have no connection.
        case notes
    }

    public let reference: ChatReference
    /// The local name, unique in the profile.
    public let name: String
    public let state: State
    /// True if the user wants no sign of what is received here.
    public let isMuted: Bool
    public let unreadCount: Int
    /// Those that mention the user.
    public let unreadMentions: Int
    /// Nil for a chat without entries.
    public let lastEntry: Entry?

    /// What a list shows of an entry.
    public struct Entry: Hashable, Sendable {
        public let id: ChatItemID
        public let direction: ChatItem.Direction
        public let status: ChatItem.Status
        public let time: Timestamp
        /// What a reader of plain text sees.
        public let text: String
        /// The kind of what is attached; nil for nothing.
        public let attachment: String?
        public let isDeleted: Bool
        public let removal: GroupEntry.Removal?
        /// The local name of the member who wrote it; nil for the user, outside of groups, and for a notice of the group.
        public let author: String?
    }
}

extension Chat {
    public var state: ChatSummary.State {
        switch self {
        case .direct(let contact): .contact(contact.state)
        case .group(let group): .group(group.state)
        case .notes: .notes
        }
    }
}

extension ChatSummary {
    /// The definition of the summary, with which the copies in the database agree.
    public init(_ chat: Chat, _ item: ChatItem?) {
        self.init(
            reference: chat.reference, name: chat.name, state: chat.state, isMuted: chat.isMuted,
            unreadCount: chat.unreadCount, unreadMentions: chat.group?.unreadMentions ?? 0,
            lastEntry: item.map { Entry($0) })
    }
}

extension ChatSummary.Entry {
    public init(_ item: ChatItem) {
        self.init(
            id: item.id, direction: item.direction, status: item.status, time: item.time, text: item.content.plainText,
            attachment: item.content.attachment, isDeleted: item.deletedAt != nil, removal: item.group?.removal,
            author: item.group?.author?.name)
    }
}

/// The state of the connection with a contact. The raw values are the words of reports.
public enum ContactState: String, CaseIterable, Sendable {
    case connected, connecting, deleted
    case deletedByContact = "deleted-by-contact"
    case failed
    /// The ratchets of both sides do not fit.
    case outOfStep = "out-of-step"
    /// Both sides agree on new ratchets.
    case resyncing

    init(
        _ status: Contact.Status, _ connection: ContactConnection.Status?, _ synchronization: RatchetSynchronization?,
        canSend: Bool
    ) {
        self =
            switch (status, synchronization, connection) {
            case (.deleted, _, _): .deletedByContact
            case (.deletedByUser, _, _): .deleted
            case (.active, .allowed?, _), (.active, .required?, _): .outOfStep
            case (.active, .started?, _), (.active, .agreed?, _): .resyncing
            case (.active, _, .failed?): .failed
            case (.active, _, .ready?): .connected
            case (.active, _, _): canSend ? .connected : .connecting
            }
    }
}

extension Contact {
    public var state: ContactState {
        ContactState(status, connection?.status, connection?.synchronization, canSend: isReady)
    }
}

/// The state of a membership in a group. The raw values are the words of reports.
public enum GroupState: String, CaseIterable, Sendable {
    case connected, connecting, invited
    /// The member waits for admission.
    case pending
    case rejected, removed, left, deleted, unknown
    /// The group is shown to the user, who has not asked to join.
    case notJoined = "not-joined"

    init(_ status: GroupMember.Status) {
        self =
            switch status {
            case .rejected: .rejected
            case .removed: .removed
            case .left: .left
            case .deleted: .deleted
            case .unknown: .unknown
            case .invited: .invited
            case .pendingApproval, .pendingReview: .pending
            case .introduced, .introInvited, .accepted, .announced: .connecting
            case .connected, .complete, .creator: .connected
            }
    }

    /// - Parameter prepared: The link that the group was prepared from, if it was.
    init(_ status: GroupMember.Status, _ prepared: PreparedGroup?) {
        self =
            switch (prepared?.isStarted, status) {
            case (false?, _): .notJoined
            // The relays of a channel are asked, and none has answered.
            case (true?, .unknown): .connecting
            default: GroupState(status)
            }
    }
}

extension GroupMember {
    public var state: GroupState { GroupState(status) }
}

extension Group {
    /// The state of the user's membership.
    public var state: GroupState { GroupState(membership.status, prepared) }
}
