public import ChatCore

/// The names of members that a text mentions: `@ann`, or `@'Ann Lee'` for a name that is no single word.
public enum MentionedNames {
    /// The members whose names stand behind an `@` in a text, by those names.
    ///
    /// A name ends where neither a letter, a digit, `_` nor `-` follows; of several that fit the longest counts.
    public static func mentions(in text: String, of members: [GroupMember]) -> [String: GroupMemberID] {
        let known = members.filter(\.canBeMentioned)
        let names = mentioned(in: text, among: known.map(\.name))
        return Dictionary(
            known.filter { names.contains($0.name) }.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    }

    /// Those of these names that stand behind an `@` in a text.
    static func mentioned(in text: String, among names: [String]) -> Set<String> {
        var found: Set<String> = []
        for at in text.indices where text[at] == "@" && isStart(at, in: text) {
            let behind = text[text.index(after: at)...]
            let fitting = names.filter { isMeant($0, by: behind) }
            if let longest = fitting.max(by: { $0.count < $1.count }) { found.insert(longest) }
        }
        return found
    }

    /// What is typed to mention a member.
    public static func word(_ name: String) -> String {
        name.allSatisfy(isPartOfWord) ? "@\(name)" : "@'\(name)'"
    }

    private static func isMeant(_ name: String, by text: Substring) -> Bool {
        let isQuoted = text.first == "'"
        let start = isQuoted ? text.dropFirst() : text
        guard !name.isEmpty, start.hasPrefix(name) else { return false }
        let next = start.dropFirst(name.count).first
        if isQuoted { return next == "'" }
        return name.allSatisfy(isPartOfWord) && !(next.map(isPartOfWord) ?? false)
    }

    private static func isStart(_ index: String.Index, in text: String) -> Bool {
        guard index > text.startIndex else { return true }
        return !isPartOfWord(text[text.index(before: index)])
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "-"
    }
}

extension GroupMember {
    /// True if it belongs to the group, or waits for admission.
    public var canBeMentioned: Bool { status.isCurrent || status.isPending }
}
