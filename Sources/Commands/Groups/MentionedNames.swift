public import ChatCore
import CommandKit

/// The members that a text mentions: `@ann`, or `@'Ann Lee'` and `@"Ann Lee"` for a name that is no single word.
///
/// A name ends where neither a letter, a digit, `_` nor `-` follows; of several that fit the longest counts.
public struct MentionedNames {
    /// The text as it is sent: names in double quotes stand in single ones, which all clients read.
    public private(set) var text = ""
    /// The mentioned members, by their names in the text.
    public private(set) var members: [String: GroupMemberID] = [:]
    /// What stands behind an `@` like a name and is the name of no member, in the order of the text.
    public private(set) var unknown: [Unknown] = []

    /// A mention of no member.
    public struct Unknown: Hashable, Sendable {
        /// The mention as it was typed.
        public let word: String
        /// What is typed to mention members with similar names.
        public let suggestions: [String]
    }

    /// Finds the mentions of a text.
    ///
    /// - Parameters:
    ///   - others: The members of the group besides the user.
    ///   - own: The name of the user in the group, which may stand in a text.
    public init(in text: String, of others: [GroupMember], own: String) {
        let known = others.filter(\.canBeMentioned)
        self.init(in: text, among: known.map(\.name), own: own)
        for member in known where found.contains(member.name) { members[member.name] = member.id }
    }

    /// The names that were found.
    private(set) var found: Set<String> = []

    init(in text: String, among names: [String], own: String = "") {
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == "@", Self.isStart(index, in: text),
                let mention = Mention(text[text.index(after: index)...])
            else {
                self.text.append(text[index])
                index = text.index(after: index)
                continue
            }
            let name = mention.name(among: names)
            if let name {
                found.insert(name)
            } else if mention.name(among: [own]) == nil {
                note(unknown: mention, among: names)
            }
            let whole = name.map { mention.written($0) } ?? "@\(mention.typed)"
            let length = name.map { mention.length(of: $0) } ?? mention.typed.count
            self.text += whole
            index = text.index(index, offsetBy: 1 + length, limitedBy: text.endIndex) ?? text.endIndex
        }
    }

    private mutating func note(unknown mention: Mention, among names: [String]) {
        let word = "@\(mention.typed)"
        guard !unknown.contains(where: { $0.word == word }) else { return }
        let plain = String(mention.content)
        // A name with a space that stands in no quotes is read as its first word.
        let longer = names.filter { $0.hasPrefix("\(plain) ") }
        let suggestions = Array((longer + Suggestion.closest(to: plain, among: names)).prefix(3))
        unknown.append(Unknown(word: word, suggestions: suggestions.map(Self.word)))
    }

    /// What is typed to mention a member.
    public static func word(_ name: String) -> String {
        name.allSatisfy(isPartOfWord) ? "@\(name)" : "@'\(name)'"
    }

    private static func isStart(_ index: String.Index, in text: String) -> Bool {
        guard index > text.startIndex else { return true }
        return !isPartOfWord(text[text.index(before: index)])
    }

    fileprivate static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "-"
    }
}

/// What stands behind an `@`.
private struct Mention {
    /// The text behind the sign, to its end.
    private let text: Substring
    private let quote: Character?
    /// What was typed for a name: a word, or quotes with all between them.
    let typed: Substring

    /// Nil where nothing is typed like a name.
    init?(_ text: Substring) {
        self.text = text
        quote = text.first.flatMap { $0 == "'" || $0 == "\"" ? $0 : nil }
        if let quote {
            let inner = text.dropFirst()
            guard let end = inner.firstIndex(of: quote), end > inner.startIndex,
                !inner[..<end].contains(where: \.isNewline)
            else { return nil }
            typed = text[...end]
        } else {
            typed = text.prefix(while: MentionedNames.isPartOfWord)
            guard !typed.isEmpty else { return nil }
        }
    }

    /// The typed name without quotes.
    var content: Substring { quote == nil ? typed : typed.dropFirst().dropLast() }

    /// The longest of these names that is meant.
    func name(among names: [String]) -> String? {
        names.filter(isMeant).max { $0.count < $1.count }
    }

    /// The number of characters that a name takes behind the sign.
    func length(of name: String) -> Int { name.count + (quote == nil ? 0 : 2) }

    /// A mention as it is sent.
    func written(_ name: String) -> String {
        // A name with an apostrophe can stand in no single quotes.
        quote == "\"" && !name.utf8.contains(UInt8(ascii: "'")) ? "@'\(name)'" : "@\(text.prefix(length(of: name)))"
    }

    private func isMeant(_ name: String) -> Bool {
        let start = quote == nil ? text : text.dropFirst()
        guard !name.isEmpty, start.hasPrefix(name) else { return false }
        let next = start.dropFirst(name.count).first
        if let quote { return next == quote }
        return name.allSatisfy(MentionedNames.isPartOfWord) && !(next.map(MentionedNames.isPartOfWord) ?? false)
    }
}

extension GroupMember {
    /// True if it belongs to the group, or waits for admission.
    public var canBeMentioned: Bool { status.isCurrent || status.isPending }
}

extension CommandSession {
    /// The mentions of a text for a group; one that fits no member is warned of.
    func mentions(in text: String, of group: Group) async throws -> MentionedNames {
        let names = MentionedNames(
            in: text, of: text.utf8.contains(UInt8(ascii: "@")) ? try await members(of: group) : [],
            own: group.membership.name)
        for unknown in names.unknown {
            let advice = unknown.suggestions.isEmpty ? "" : "; similar: \(unknown.suggestions.joined(separator: ", "))"
            invocation.warn("\(unknown.word) mentions no member of '\(group.target)'\(advice)")
        }
        return names
    }
}
