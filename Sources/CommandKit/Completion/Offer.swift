/// The candidates for the last word of an unfinished command line.
public struct Offer: Hashable, Sendable {
    /// The candidates in the declarations: commands, options, fixed values. Each starts with the word.
    public let candidates: [Candidate]
    /// The kind of further candidates, from the store or the disk.
    public let wanted: Completion
    /// The text before the value in its word: `--to=`.
    public let attached: String
    /// The typed part of the value.
    public let beginning: String
    /// The values of earlier options, by name.
    public let values: [String: String]

    /// A candidate with its meaning.
    public struct Candidate: Hashable, Sendable {
        /// The word.
        public let word: String
        /// The meaning; may be empty.
        public let meaning: String

        /// Creates a candidate from its parts.
        public init(_ word: String, _ meaning: String = "") {
            self.word = word
            self.meaning = meaning
        }
    }

    init(
        _ candidates: [Candidate], wanted: Completion = .nothing, attached: String = "", beginning: String,
        values: [String: String] = [:]
    ) {
        self.candidates = candidates.filter { $0.word.hasPrefix(attached + beginning) }
        self.wanted = wanted
        self.attached = attached
        self.beginning = beginning
        self.values = values
    }

    /// Returns all candidates, including those found for ``wanted`` that fit.
    public func candidates(with found: [Candidate]) -> [Candidate] {
        candidates
            + found.filter { $0.word.hasPrefix(beginning) }.map { Candidate(attached + $0.word, $0.meaning) }
    }
}

extension CommandTree {
    /// Returns the candidates for the last of these words, which follow the program's name.
    ///
    /// Invalid words are skipped if possible: completion reports no errors.
    ///
    /// - Parameter settings: The configuration, which may contain aliases.
    public func offer(for words: [String], settings: Settings = .none) -> Offer {
        let finished = Array(words.dropLast())
        var line = UnfinishedLine(tree: self)
        for word in (try? settings.expanding(finished, in: self)) ?? finished { line.read(word) }
        // An alias stands in the position of a command.
        let aliases = indexOfCommand(in: finished) == nil ? settings.aliases(in: self) : []
        return line.offer(for: words.last ?? "", aliases: aliases.map { .init($0.name, $0.words) })
    }
}
