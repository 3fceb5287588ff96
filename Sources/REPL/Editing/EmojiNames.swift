import ChatProtocol

/// The emoji that a message can be given, by names that can be typed.
enum EmojiNames {
    /// In the order of ``Reaction/choices``.
    private static let names = ["yes", "no", "smile", "laugh", "cry", "heart", "rocket", "check"]

    /// The names with what they stand for.
    static var all: [(name: String, emoji: String)] { zip(names, Reaction.choices).map { ($0, $1) } }

    static var list: String { all.map { "\($0.emoji) \($0.name)" }.joined(separator: ", ") }

    /// The emoji itself, or its name, perhaps between colons.
    static func reaction(_ word: String) -> Reaction? {
        if let reaction = Reaction(emoji: word) { return reaction }
        let name = String(word.drop { $0 == ":" }.prefix { $0 != ":" })
        return all.first { $0.name == name }.flatMap { Reaction(emoji: $0.emoji) }
    }
}
