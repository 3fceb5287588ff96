import CommandKit
import TerminalKit

/// What may become of the word before the cursor.
struct WordCompletion: Sendable {
    /// Where the word stands in the line, in bytes of UTF-8.
    let range: Range<Int>
    /// Those that begin like the word.
    let candidates: [Offer.Candidate]

    /// What is done about it.
    enum Outcome: Hashable, Sendable {
        case nothing
        case replace(Range<Int>, with: String)
        /// There are several, and nothing that all of them have in common is missing.
        case choose([String])
    }

    /// How many are shown at most.
    static let mostShown = 60

    /// Whether a word with spaces needs no quotes.
    let isVerbatim: Bool

    /// - Parameter typed: The word as it is meant, without quotes.
    init(_ range: Range<Int>, typed: String, _ candidates: [Offer.Candidate], isVerbatim: Bool = false) {
        self.range = range
        self.isVerbatim = isVerbatim
        var seen: Set<String> = []
        self.candidates = candidates.filter { $0.word.hasPrefix(typed) && seen.insert($0.word).inserted }
        common = self.candidates.dropFirst().reduce(self.candidates.first?.word ?? "") { common, candidate in
            String(zip(common, candidate.word).prefix { $0 == $1 }.map(\.0))
        }
        isLonger = common.count > typed.count
    }

    private let common: String
    private let isLonger: Bool

    var outcome: Outcome {
        guard let first = candidates.first else { return .nothing }
        guard candidates.count > 1 else {
            let goesOn = first.word.hasSuffix("=") || first.word.hasSuffix("/")
            let word = written(first.word)
            // A word in quotes goes on.
            if goesOn, word != first.word { return .replace(range, with: String(word.dropLast())) }
            return .replace(range, with: word + (goesOn ? "" : " "))
        }
        guard isLonger else { return .choose(candidates.map(\.word)) }
        let quoted = written(common)
        // A word in quotes goes on.
        return .replace(range, with: quoted == common ? common : String(quoted.dropLast()))
    }

    private func written(_ word: String) -> String { isVerbatim ? word : CommandWords.quoted(word) }

    /// Words side by side in rows that fit.
    static func rows(_ words: [String], width: Int) -> [StyledText] {
        let shown = words.prefix(mostShown).map { StyledText($0) }
        let column = (shown.map(\.width).max() ?? 0) + 2
        let perRow = max(width / max(column, 1), 1)
        var rows = stride(from: 0, to: shown.count, by: perRow).map { start in
            shown[start..<min(start + perRow, shown.count)].reduce(StyledText()) { row, word in
                row + word.padded(toWidth: column)
            }.truncated(toWidth: width)
        }
        if words.count > mostShown { rows.append(StyledText("…  \(words.count - mostShown) more", .muted)) }
        return rows
    }
}
