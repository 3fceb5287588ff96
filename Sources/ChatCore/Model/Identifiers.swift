/// Names a contact, permanently.
public struct ContactID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// Names a group, permanently.
public struct GroupID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// Names a member of a group in this store, permanently. Other members know it by a ``MemberID``.
public struct GroupMemberID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// Names the notes of a profile, permanently. A contact never has the same number.
public struct NoteFolderID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// Names one entry of a chat, permanently.
public struct ChatItemID: Hashable, Comparable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }

    public static func < (left: ChatItemID, right: ChatItemID) -> Bool {
        left.number < right.number
    }
}

/// A conversation, by what it is with.
public enum ChatReference: Hashable, Sendable {
    /// `@12` in the text form of a command.
    case direct(ContactID)
    /// `#12`
    case group(GroupID)
    /// `*12`
    case notes(NoteFolderID)

    /// The number of the contact, the group or the notes.
    public var number: Int64 {
        switch self {
        case .direct(let id): id.number
        case .group(let id): id.number
        case .notes(let id): id.number
        }
    }
}

/// A conversation as a command names it.
public enum ChatTarget: Hashable, Sendable {
    case reference(ChatReference)
    /// `@name` in the text form of a command: a chat of the active profile.
    case name(String)
    /// `#name` in the text form of a command: a group of the active profile.
    case groupName(String)
    /// `#12(_support)` and `#12(_support:3)`: the conversation of a member of a group with the moderators; nil for that of the user.
    case support(GroupID, GroupMemberID?)
    /// `#12(as_group=on)`: a channel, as which its owner writes.
    case channel(GroupID)

    /// The same group as the channel that its owner writes as; any other chat as it is.
    var asChannel: ChatTarget {
        if case .reference(.group(let id)) = self { .channel(id) } else { self }
    }
}
