public import JSONCoding

/// Why a command failed, for a person and for a script.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name, finer than the exit code.
    public let code: Slug
    public let exit: ExitCode
    /// What failed and why, in one line: no capital at the start, no final period, names ``UntrustedText/quoted``.
    public let what: String
    /// Facts that explain it; two lines are shown.
    public let why: [String]
    /// What may help, each something to paste; three are shown.
    public let tries: [Attempt]
    /// The same facts for programs.
    public let details: JSONObject

    /// A command line, and what it does if that is not plain.
    public struct Attempt: Hashable, Sendable {
        public let command: String
        public let note: String?

        public init(_ command: String, _ note: String? = nil) {
            self.command = command
            self.note = note
        }

        /// A command made of words, quoted for the shell where they need it.
        public init(words: [String], _ note: String? = nil) {
            self.init(words.map(ShellWord.quoted).joined(separator: " "), note)
        }
    }

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

    /// The stable name alone: what failed may hold names.
    public var description: String { code.text }
}

/// A stable name of an error, `area.reason`: lower-case words joined by dashes, two of them joined by a dot.
public struct Slug: Hashable, Sendable, ExpressibleByStringLiteral {
    public let text: String

    /// A name known when the program was built. A malformed one is a mistake in the program and traps.
    public init(stringLiteral value: StaticString) {
        guard let slug = Slug(value.description) else { preconditionFailure("'\(value)' is no slug") }
        self = slug
    }

    /// A name that was read, or nil if it is malformed.
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

/// Words as a shell reads them back.
public enum ShellWord {
    /// The word itself if it is harmless, else in single quotes.
    public static func quoted(_ word: String) -> String {
        let harmless = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-".utf8)
        if !word.isEmpty, word.utf8.allSatisfy(harmless.contains) { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension Failure {
    /// The name in front of the first line.
    private static let program = "tacit"
    /// How wide the lines of an error are, so that a log stays readable. Quoted values are shortened for that; the reason behind
    /// them is cut only if it fills two lines, and lines to paste never.
    private static let width = 100

    /// The error for a person:
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

    /// The least columns that are left of a quoted value, with the `…`.
    private static let leastValue = 12

    /// A sentence whose quoted values are cut, the longest first, until it fits into `width` columns or each is as short as a
    /// value may be.
    private static func shortened(_ sentence: String, toWidth width: Int) -> String {
        var parts = quotedParts(of: sentence)
        var excess = parts.reduce(0) { $0 + $1.text.displayWidth } - width
        while excess > 0 {
            let values = parts.indices.filter { parts[$0].isValue && parts[$0].text.displayWidth > leastValue }
            guard let longest = values.max(by: { parts[$0].text.displayWidth < parts[$1].text.displayWidth }) else {
                break
            }
            let before = parts[longest].text.displayWidth
            // In front of the `…` of a value that was cut before, another one would say nothing.
            parts[longest].text = parts[longest].text.truncated(toWidth: max(before - excess, leastValue))
            excess -= before - parts[longest].text.displayWidth
        }
        return parts.map(\.text).joined()
    }

    /// The sentence in parts, in turn what stands between quotes and the rest. A quote within a value has a backslash in front of
    /// it; one within a word, as in `contact's`, begins no value.
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
        // A quote that is never closed holds no value.
        if parts[parts.count - 1].isValue { parts[parts.count - 1].isValue = false }
        return parts
    }

    /// At most two lines behind the label; a long reason may fill both.
    private var reasons: [StyledText] {
        let label = StyledText("  why: ", .hint), space: StyledText = "       "
        let room = Failure.width - label.width
        let rows = why.prefix(2).flatMap { StyledText($0).text.wrapped(toWidth: room) }
        var shown = Array(rows.prefix(2))
        if rows.count > 2, let last = shown.popLast() { shown.append((last + " …").truncated(toWidth: room)) }
        return shown.enumerated().map { index, row in (index == 0 ? label : space) + StyledText(escaped: row) }
    }

    /// Up to three lines to paste, their notes in one column.
    private var attempts: [StyledText] {
        let shown = tries.prefix(3).map { (command: StyledText($0.command), note: $0.note) }
        let column = shown.filter { $0.note != nil }.map(\.command.width).max() ?? 0
        return shown.map { command, note in
            let line = StyledText("  try: ", .hint) + command
            guard let note else { return line }
            return line.padded(toWidth: 7 + column + 4) + StyledText(note, .muted)
        }
    }

    /// The error for a script: one object on the last line of standard error.
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
