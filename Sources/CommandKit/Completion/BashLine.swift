/// A command line as bash passes it to a completion function: the text up to the cursor, including quotes.
///
/// Bash replaces only a part of the last word: the text after its last break character, or after an open quote.
/// Candidates must be written as that part.
///
/// SECURITY: works on Unicode scalars, because bash reads bytes. A backtick with an accent is one Character that
/// differs from a backtick, and bash would execute the text after it. Candidates include names of contacts.
public struct BashLine: Sendable {
    /// The words after the program's name without their quotes. The last one is unfinished, and empty after a space.
    public let words: [String]
    /// True if the last word is the file of a redirection.
    public let isRedirection: Bool
    /// The typed part of the last word that bash does not replace.
    private let kept: String
    /// The open quote at the end.
    private let quote: Unicode.Scalar?
    /// The last word up to that quote, without other quotes.
    private let beforeQuote: String

    /// Reads a line.
    ///
    /// - Parameter breaks: The variable `COMP_WORDBREAKS`.
    public init(_ text: String, breaks: String) {
        var reader = Reader(breaks: Set(breaks.unicodeScalars))
        for scalar in text.unicodeScalars { reader.read(scalar) }
        let words = reader.words + [reader.word]
        // Assignments precede the program's name.
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

    /// Returns the replacement that turns the last word into `word`, or nil if the word cannot be written there.
    public func replacement(for word: String) -> String? {
        let word = word.unicodeScalars
        if let quote {
            let before = beforeQuote.unicodeScalars
            guard word.starts(with: before) else { return nil }
            let rest = word.dropFirst(before.count)
            return quote == "'" ? BashLine.singleQuoted(rest) : BashLine.doubleQuoted(rest)
        }
        let written = BashLine.escaped(word)
        guard written.starts(with: kept.unicodeScalars) else { return nil }
        return String(written.dropFirst(kept.unicodeScalars.count))
    }

    private static func singleQuoted(_ text: Substring.UnicodeScalarView) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).map { String($0) }.joined(separator: #"'\''"#)
    }

    /// Quotes text for double quotes, where bash still expands `!` from its history. Returns nil if the text contains
    /// one.
    private static func doubleQuoted(_ text: Substring.UnicodeScalarView) -> String? {
        guard !text.contains("!") else { return nil }
        var result = String.UnicodeScalarView()
        for scalar in text {
            if #"\"$`"#.unicodeScalars.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    private static func escaped(_ word: String.UnicodeScalarView) -> String.UnicodeScalarView {
        var result = String.UnicodeScalarView()
        for scalar in word {
            let isHarmless = !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            if !isHarmless, !"@%+=:,./_-".unicodeScalars.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return result
    }
}

/// A splitter of text into words as in bash, which records the spelling of the last one.
private struct Reader {
    private(set) var words: [String] = []
    private(set) var word = ""
    private(set) var kept = ""
    private(set) var quote: Unicode.Scalar?
    private(set) var before = ""
    private(set) var isRedirection = false
    private var raw = ""
    private var isEscaped = false
    private let breaks: Set<Unicode.Scalar>

    init(breaks: Set<Unicode.Scalar>) {
        self.breaks = breaks
    }

    mutating func read(_ scalar: Unicode.Scalar) {
        if isEscaped {
            isEscaped = false
            if quote == "\"", !#"\"$`"#.unicodeScalars.contains(scalar) { word.append("\\") }
            return append(scalar)
        }
        switch (quote, scalar) {
        case ("'", "'"), ("\"", "\""):
            quote = nil
            raw.unicodeScalars.append(scalar)
        case (nil, "'"), (nil, "\""):
            quote = scalar
            before = word
            raw.unicodeScalars.append(scalar)
        case (nil, "\\"), ("\"", "\\"):
            isEscaped = true
            raw.unicodeScalars.append(scalar)
        case (nil, " "), (nil, "\t"): endWord()
        case (nil, "<"), (nil, ">"):
            endWord()
            isRedirection = true
        case (nil, "|"), (nil, "&"), (nil, ";"), (nil, "("), (nil, ")"), (nil, "`"), (nil, "\n"):
            endWord()
            words = []
        default:
            let isBreak = quote == nil && breaks.contains(scalar)
            // readline keeps the signs of variables and hosts with the following text (rl_special_prefixes).
            if isBreak, scalar == "@" || scalar == "$" { kept = raw }
            append(scalar)
            if isBreak, scalar != "@", scalar != "$" { kept = raw }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        word.unicodeScalars.append(scalar)
        raw.unicodeScalars.append(scalar)
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
