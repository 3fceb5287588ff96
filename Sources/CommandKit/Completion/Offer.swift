/// What may stand in place of the last word of an unfinished command line.
public struct Offer: Hashable, Sendable {
    /// What the declarations know: commands, options, fixed values. Each begins like the word.
    public let candidates: [Candidate]
    /// What else fits, which only the store or the disk knows.
    public let wanted: Completion
    /// What stands before the value in its word: `--to=`.
    public let attached: String
    /// The value as far as it is written.
    public let beginning: String
    /// The words of the options that were written before, by name.
    public let values: [String: String]

    /// A word, and what it means.
    public struct Candidate: Hashable, Sendable {
        public let word: String
        public let meaning: String

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

    /// The candidates with those that somebody else has found for ``wanted``, of which only those that fit are taken.
    public func candidates(with found: [Candidate]) -> [Candidate] {
        candidates
            + found.filter { $0.word.hasPrefix(beginning) }.map { Candidate(attached + $0.word, $0.meaning) }
    }
}

extension CommandTree {
    /// What may become of the last of these words, which are those behind the program's name.
    ///
    /// Words that make no sense are passed over where that is possible: completion is no place for errors.
    ///
    /// - Parameter settings: The configuration, in which there may be aliases.
    public func offer(for words: [String], settings: Settings = .none) -> Offer {
        let finished = Array(words.dropLast())
        var line = UnfinishedLine(tree: self)
        for word in (try? settings.expanding(finished, in: self)) ?? finished { line.read(word) }
        // An alias stands where the command would.
        let aliases = indexOfCommand(in: finished) == nil ? settings.aliases(in: self) : []
        return line.offer(for: words.last ?? "", aliases: aliases.map { .init($0.name, $0.words) })
    }
}
