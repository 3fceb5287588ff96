public import JSONCoding

/// Names a tag, permanently.
public struct TagID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// A label that the user puts on chats.
public struct ChatTag: Hashable, Sendable {
    public let id: TagID
    public let text: String
    public let emoji: String?
}

/// What the user decided about a chat.
public struct ChatMarks: Hashable, Sendable {
    /// Whether it is one of those that the user wants to find first.
    public var isFavorite = false
    /// Whether it counts as unread, whatever its messages are.
    public var isUnread = false
    /// Whether the conversation was deleted and the contact kept. A new message brings it back.
    public var isDeleted = false
    /// Its labels, in the order of their numbers.
    public var tags: [TagID] = []
    /// The first message that nobody has read.
    public var firstUnread: ChatItemID?
    /// What another program keeps here.
    public var customData: JSONObject?
    /// The colours that another program shows it in.
    public var themes: JSONObject?

    public init() {}
}

/// What the user decided about a contact.
public struct ContactChoices: Hashable, Sendable {
    /// The user's own words for the contact, besides its unique name; empty for none.
    public var alias = ""
    /// The unique name that other programs show, if the contact changed its own since it was made: its name here stays.
    public var presentedName: String?
    /// What the contact alone is allowed, as in messages.
    public var preferences = JSONObject()
    /// What the profile allows all its contacts, as in messages. What is missing is as the program has it.
    public var profilePreferences = JSONObject()
    /// How it came from a group; nil for a contact that did not.
    public var memberInvitation: MemberInvitation?

    public init() {}
}
