public import AgentProtocol
public import ByteCoding
import ChatProtocol
import JSONCoding

/// A conversation: with a contact, in a group, or of a profile with itself. Indirect, because lists move chats many times.
///
/// Its properties are not inlined: the optimizer of Swift 6.3 fails ("Found ownership error") where they are, in loops over chats.
public indirect enum Chat: Hashable, Sendable {
    case direct(Contact)
    case group(Group)
    case notes(NoteFolder)

    @inline(never)
    public var reference: ChatReference {
        switch self {
        case .direct(let contact): .direct(contact.id)
        case .group(let group): .group(group.id)
        case .notes(let folder): .notes(folder.id)
        }
    }

    @inline(never)
    public var profileID: ProfileID {
        switch self {
        case .direct(let contact): contact.profileID
        case .group(let group): group.profileID
        case .notes(let folder): folder.profileID
        }
    }

    /// The local name, unique in the profile.
    @inline(never)
    public var name: String {
        switch self {
        case .direct(let contact): contact.name
        case .group(let group): group.name
        case .notes(let folder): folder.name
        }
    }

    @inline(never)
    public var unreadCount: Int {
        switch self {
        case .direct(let contact): contact.unreadCount
        case .group(let group): group.unreadCount
        case .notes(let folder): folder.unreadCount
        }
    }

    @inline(never)
    public var createdAt: Timestamp {
        switch self {
        case .direct(let contact): contact.createdAt
        case .group(let group): group.createdAt
        case .notes(let folder): folder.createdAt
        }
    }

    /// The time of the last message.
    @inline(never)
    public var activeAt: Timestamp? {
        switch self {
        case .direct(let contact): contact.activeAt
        case .group(let group): group.activeAt
        case .notes(let folder): folder.activeAt
        }
    }

    /// How long messages are kept here.
    @inline(never)
    public var retention: Retention {
        switch self {
        case .direct(let contact): contact.retention
        case .group(let group): group.retention
        case .notes(let folder): folder.retention
        }
    }

    /// After how many seconds own messages disappear unless they say something else.
    @inline(never)
    public var expiry: Int64? {
        switch self {
        case .direct(let contact): contact.expiry
        case .group(let group): group.expiry
        case .notes(let folder): folder.expiry
        }
    }

    /// The contact of a direct chat.
    public var contact: Contact? {
        if case .direct(let contact) = self { contact } else { nil }
    }

    /// What the user decided about it.
    @inline(never)
    public var marks: ChatMarks {
        switch self {
        case .direct(let contact): contact.marks
        case .group(let group): group.marks
        case .notes(let folder): folder.marks
        }
    }

    /// True if the user wants no sign of what is received here.
    public var isMuted: Bool { contact?.isMuted ?? (group?.notifications == Group.Notifications.none) }

    /// Where a message goes: in a group whose moderators have not admitted the user yet, to them; an owner of a channel writes as
    /// the channel.
    public var sendingTarget: ChatTarget {
        guard let group else { return .reference(reference) }
        if group.membership.status.isPending { return .support(group.id, nil) }
        return group.isChannel && group.membership.role == .owner ? .channel(group.id) : .reference(reference)
    }

    /// The group of a group chat.
    public var group: Group? {
        if case .group(let group) = self { group } else { nil }
    }

    /// The member whose conversation with the moderators is meant; nil for that of all, and in other chats.
    public var supportID: GroupMemberID? { group?.supportID }

    /// True for the notes of a profile.
    public var isNotes: Bool {
        if case .notes = self { true } else { false }
    }
}

/// The conversation of a profile with itself. It is made with the first note, and what is written there has arrived.
public struct NoteFolder: Hashable, Sendable {
    public let id: NoteFolderID
    public let profileID: ProfileID
    /// The local name, unique in the profile.
    public let name: String
    public let unreadCount: Int
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// The time of the last note.
    public let activeAt: Timestamp?
    /// How long notes are kept here. That of the profile does not hold for them.
    public var retention = Retention.standard
    /// After how many seconds notes disappear unless they say something else.
    public var expiry: Int64?
    public var marks = ChatMarks()
}
