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
