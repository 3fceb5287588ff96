public import ChatCore

extension GroupEntry.Removal {
    /// Every value of ``word``.
    static let words = allCases.map(\.word)

    /// Why the message is hidden, in a word for programs.
    var word: String {
        switch self {
        case .moderated: "moderated"
        case .blocked: "blocked"
        case .blockedForAll: "blocked-for-all"
        }
    }

    /// The same for people.
    public var sentence: String {
        switch self {
        case .moderated: "deleted by a moderator"
        case .blocked: "blocked"
        case .blockedForAll: "blocked by a moderator"
        }
    }
}
