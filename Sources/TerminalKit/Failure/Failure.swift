public import JSONCoding

/// The failure of a command, for users and scripts.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name, more specific than the exit code.
    public let code: Slug
    /// The exit code.
    public let exit: ExitCode
    /// The failure and its cause in one line: no capital at the start, no final period, names as
    /// ``UntrustedText/quoted``.
    public let what: String
    /// Explanations, of which two lines are shown.
    public let why: [String]
    /// Command lines to try, of which three are shown.
    public let tries: [Attempt]
    /// The details for programs.
    public let details: JSONObject

    /// A command line, with its effect if that is not obvious.
    public struct Attempt: Hashable, Sendable {
        /// The command line.
        public let command: String
        /// The effect.
        public let note: String?

        /// Creates an attempt from its parts.
        public init(_ command: String, _ note: String? = nil) {
            self.command = command
            self.note = note
        }

        /// Creates a command line from words, quoted for the shell as needed.
        public init(words: [String], _ note: String? = nil) {
            self.init(words.map(ShellWord.quoted).joined(separator: " "), note)
        }
    }

    /// Creates a failure from its parts.
    public init(
        _ code: Slug, _ exit: ExitCode, _ what: String, why: [String] = [], tries: [Attempt] = [],
        details: JSONObject = JSONObject()
    ) {
        self.code = code
        self.exit = exit
        self.what = what
        self.why = why
        self.tries = tries
        self.details = details
    }

    /// The stable name only, because the other parts may contain names.
    public var description: String { code.text }
}

/// A stable name of an error, `area.reason`: lower-case words joined by dashes, two of them joined by a dot.
public struct Slug: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let text: String

    /// Creates a name from a literal. A malformed one is a defect of the program and traps.
    public init(stringLiteral value: StaticString) {
        guard let slug = Slug(value.description) else { preconditionFailure("'\(value)' is no slug") }
        self = slug
    }

    /// Creates a name from text, or returns nil for a malformed one.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let words = parts.flatMap { $0.split(separator: "-", omittingEmptySubsequences: false) }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z"), digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isWellFormed = words.allSatisfy { word in
            !word.isEmpty && word.utf8.allSatisfy { letters.contains($0) || digits.contains($0) }
        }
        guard parts.count == 2, isWellFormed else { return nil }
        self.text = text
    }
}

/// The quoting of words for a shell.
public enum ShellWord {
    /// Returns the word itself if it has no special characters, else in single quotes.
    public static func quoted(_ word: String) -> String {
        let harmless = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-".utf8)
        if !word.isEmpty, word.utf8.allSatisfy(harmless.contains) { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension Failure {
    /// The program name at the start of the first line.
    private static let program = "tacit"
    /// The width of error lines in columns, so that a log stays readable. Quoted values are shortened to fit. The
    /// explanation after them is cut only above two lines, and lines to paste never.
    private static let width = 100

    /// The error for users:
    ///
    /// ```
    /// tacit: cannot send to '@alice': the store is in use
    ///   why: pid 4121 (tacit watch) has held it since 09:14
    ///   try: tacit status    see who holds it
    /// ```
    public var lines: [StyledText] {
        let start = StyledText("\(Failure.program):", .error) + " "
        let sentence = Failure.shortened(StyledText(what).text, toWidth: Failure.width - start.width)
        return [(start + StyledText(escaped: sentence)).truncated(toWidth: 2 * Failure.width)] + reasons + attempts
    }

    /// The smallest width of a shortened value in columns, including the `…`.
    private static let leastValue = 12

    /// Returns a sentence with its quoted values shortened, the longest first, until it fits into `width` columns or no
    /// value can be shortened further.
    private static func shortened(_ sentence: String, toWidth width: Int) -> String {
        var parts = quotedParts(of: sentence)
        var excess = parts.reduce(0) { $0 + $1.text.displayWidth } - width
        while excess > 0 {
            let values = parts.indices.filter { parts[$0].isValue && parts[$0].text.displayWidth > leastValue }
            guard let longest = values.max(by: { parts[$0].text.displayWidth < parts[$1].text.displayWidth }) else {
                break
            }
            let before = parts[longest].text.displayWidth
            // A second `…` beside that of an earlier cut would be redundant.
            parts[longest].text = parts[longest].text.truncated(toWidth: max(before - excess, leastValue))
            excess -= before - parts[longest].text.displayWidth
        }
        return parts.map(\.text).joined()
    }

    /// Splits the sentence at its quotes. A quote inside of a value has a backslash before it; one inside of a word, as
    /// in `contact's`, does not start a value.
    private static func quotedParts(of sentence: String) -> [(text: String, isValue: Bool)] {
        var parts: [(text: String, isValue: Bool)] = [("", false)], previous: Character = " "
        for character in sentence {
            let isInside = parts[parts.count - 1].isValue
            if character == "'", previous != "\\", isInside || !(previous.isLetter || previous.isNumber) {
                if isInside {
                    parts.append(("'", false))
                } else {
                    parts[parts.count - 1].text.append("'")
                    parts.append(("", true))
                }
            } else {
                parts[parts.count - 1].text.append(character)
            }
            previous = character
        }
        // An unclosed quote contains no value.
        if parts[parts.count - 1].isValue { parts[parts.count - 1].isValue = false }
        return parts
    }

    /// At most two lines after the label; a long reason may fill both.
    private var reasons: [StyledText] {
        let label = StyledText("  why: ", .hint), space: StyledText = "       "
        let room = Failure.width - label.width
        let rows = why.prefix(2).flatMap { StyledText($0).text.wrapped(toWidth: room) }
        var shown = Array(rows.prefix(2))
        if rows.count > 2, let last = shown.popLast() { shown.append((last + " …").truncated(toWidth: room)) }
        return shown.enumerated().map { index, row in (index == 0 ? label : space) + StyledText(escaped: row) }
    }

    /// Up to three lines to paste, with aligned notes.
    private var attempts: [StyledText] {
        let shown = tries.prefix(3).map { (command: StyledText($0.command), note: $0.note) }
        let column = shown.filter { $0.note != nil }.map(\.command.width).max() ?? 0
        return shown.map { command, note in
            let line = StyledText("  try: ", .hint) + command
            guard let note else { return line }
            return line.padded(toWidth: 7 + column + 4) + StyledText(note, .muted)
        }
    }

    /// The error for scripts: one object on the last line of standard error.
    public var json: JSONObject {
        var object = JSONObject(type: "error")
        object.set("code", code.text)
        object.set("exit", exit.rawValue)
        object.set("message", what)
        if !why.isEmpty { object.set("why", why.joined(separator: "\n")) }
        object.set("try", tries.map(\.command))
        if !details.isEmpty { object["details"] = .object(details) }
        return object
    }
}
