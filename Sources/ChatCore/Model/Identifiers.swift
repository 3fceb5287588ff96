/// Names a contact, for ever.
public struct ContactID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// Names one entry of a chat, for ever.
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
    case contact(ContactID)

    /// The contact that it is with.
    var contactID: ContactID {
        switch self {
        case .contact(let id): id
        }
    }
}

/// A conversation as a command names it.
public enum ChatTarget: Hashable, Sendable {
    case reference(ChatReference)
    /// `@name` in the text form of a command: a contact of the active profile.
    case name(String)
}
