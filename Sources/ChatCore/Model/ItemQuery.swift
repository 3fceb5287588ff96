public import ByteCoding

/// Which entries are looked for. What is not said does not matter.
///
/// What is found comes in the order in which it was stored. The newest entries of a group come in the order of their times.
public struct ItemQuery: Hashable, Sendable {
    /// Conversations of members of groups with the moderators.
    public enum Support: Hashable, Sendable {
        case all
        /// That of one member, or of the user.
        case member(GroupMemberID)
        /// None of them: the conversation of all members.
        case none
    }

    /// Only of this conversation.
    public var chat: ChatReference?
    /// Only behind this one.
    public var after: ChatItemID?
    /// Only from this moment on.
    public var since: Timestamp?
    /// Only before this moment.
    public var until: Timestamp?
    public var isUnread = false
    /// Only messages that were received, or sent, and are not deleted.
    public var direction: ChatItem.Direction?
    /// Only what is for the moderators.
    public var support: Support?
    /// Only those that have these words, in capitals or not.
    public var words: String?
    /// At most so many.
    public var count: Int?
    /// Whether the oldest are taken if there are more, not the newest.
    public var takesOldest = false

    public init() {}

    /// The longest part of the words that stands in the JSON of each content that has them, in capitals or not: letters and
    /// digits of ASCII, and spaces. The database looks for it first, which is a hundred times faster than reading contents.
    /// Not the K, which is the same as the sign for Kelvin.
    var plainWords: String? {
        let parts = words?.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "k"), UInt8(ascii: "K"): true
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "):
                false
            default: true
            }
        }
        return parts?.max { $0.count < $1.count }.flatMap { String($0) }
    }

    /// Whether an entry that the database found has the words.
    func accepts(_ item: ChatItem) -> Bool {
        guard let words else { return true }
        return item.deletedAt == nil && item.content.plainText.lowercased().holds(words.lowercased())
    }
}

extension String {
    /// Whether other text stands somewhere in this one. The library's `contains` for texts brings a megabyte for regular
    /// expressions along.
    func holds(_ words: String) -> Bool {
        guard let first = words.first else { return true }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: words) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
