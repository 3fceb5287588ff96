/// A command line as bash hands it to a completion function: text up to the cursor, quotes and all.
///
/// Bash replaces only a part of the last word: what stands behind the last of its break characters, or behind an open
/// quote. Whatever is offered must be written as that part.
public struct BashLine: Sendable {
    /// The words behind the program's name without their quotes; the last one is unfinished, and empty after a space.
    public let words: [String]
    /// Whether the last word is the file of a redirection, and no argument.
    public let isRedirection: Bool
    /// The part of the last word as it is typed that bash leaves alone.
    private let kept: String
    /// The quote that is open at the end.
    private let quote: Character?
    /// The last word up to that quote, without other quotes.
    private let beforeQuote: String

    /// - Parameter breaks: The variable `COMP_WORDBREAKS`.
    public init(_ text: String, breaks: String) {
        var reader = Reader(breaks: Set(breaks))
        for character in text { reader.read(character) }
        let words = reader.words + [reader.word]
        // Assignments stand before the program's name.
        let start = words.dropLast().firstIndex { !BashLine.isAssignment($0) } ?? 0
        self.words = Array(words.dropFirst(start + 1))
        isRedirection = reader.isRedirection
        kept = reader.kept
        quote = reader.quote
        beforeQuote = reader.before
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { return false }
        return word[..<equals].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    /// What bash has to put in place of the part of the last word that it replaces, so that the word becomes `word`; nil if
    /// that cannot be written.
    public func replacement(for word: String) -> String? {
        if let quote {
            guard word.hasPrefix(beforeQuote) else { return nil }
            let rest = word.dropFirst(beforeQuote.count)
            return quote == "'" ? singleQuoted(rest) : doubleQuoted(rest)
        }
        let written = BashLine.escaped(word)
        return written.hasPrefix(kept) ? String(written.dropFirst(kept.count)) : nil
    }

    private func singleQuoted(_ text: Substring) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    }

    /// In double quotes nothing keeps bash from looking for `!` in its history.
    private func doubleQuoted(_ text: Substring) -> String? {
        guard !text.contains("!") else { return nil }
        return text.reduce(into: "") { result, character in
            if #"\"$`"#.contains(character) { result.append("\\") }
            result.append(character)
        }
    }

    private static func escaped(_ word: String) -> String {
        word.reduce(into: "") { result, character in
            let isHarmless = !character.isASCII || character.isLetter || character.isNumber
            if !isHarmless, !"@%+=:,./_-".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}

/// Cuts text into words as bash does, and remembers how the last one is written.
private struct Reader {
    private(set) var words: [String] = []
    private(set) var word = ""
    private(set) var kept = ""
    private(set) var quote: Character?
    private(set) var before = ""
    private(set) var isRedirection = false
    private var raw = ""
    private var isEscaped = false
    private let breaks: Set<Character>

    init(breaks: Set<Character>) {
        self.breaks = breaks
    }

    mutating func read(_ character: Character) {
        if isEscaped {
            isEscaped = false
            if quote == "\"", !#"\"$`"#.contains(character) { word.append("\\") }
            return append(character)
        }
        switch (quote, character) {
        case ("'", "'"), ("\"", "\""):
            quote = nil
            raw.append(character)
        case (nil, "'"), (nil, "\""):
            quote = character
            before = word
            raw.append(character)
        case (nil, "\\"), ("\"", "\\"):
            isEscaped = true
            raw.append(character)
        case (nil, " "), (nil, "\t"): endWord()
        case (nil, "<"), (nil, ">"):
            endWord()
            isRedirection = true
        case (nil, "|"), (nil, "&"), (nil, ";"), (nil, "("), (nil, ")"), (nil, "`"), (nil, "\n"):
            endWord()
            words = []
        default:
            let isBreak = quote == nil && breaks.contains(character)
            // readline keeps the signs of variables and hosts with what stands behind them (rl_special_prefixes).
            if isBreak, character == "@" || character == "$" { kept = raw }
            append(character)
            if isBreak, character != "@", character != "$" { kept = raw }
        }
    }

    private mutating func append(_ character: Character) {
        word.append(character)
        raw.append(character)
    }

    private mutating func endWord() {
        if !raw.isEmpty {
            if !isRedirection { words.append(word) }
            isRedirection = false
        }
        word = ""
        raw = ""
        kept = ""
    }
}
