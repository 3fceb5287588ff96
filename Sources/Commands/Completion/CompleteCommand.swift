import CommandKit
import TerminalKit

/// `tacit __complete`: what the scripts of `tacit completion` ask.
///
/// A line for each candidate; for zsh and fish a tab and what it means behind it. Where files or folders are meant the
/// only line is `:file` or `:folder`, because shells know best about `~` and the like.
enum CompleteCommand {
    static let shell = Positional<CompletionShell>("SHELL", "Shell that requests completion", .choice("SHELL"))
    static let words = Positional<[String]>(
        repeated: "WORD",
        "Words after the program name, the last one incomplete; for bash the line and its word breaks",
        .text("WORD"), minimum: 0)

    static let leaf: Leaf = .init(
        Command(
            "__complete", "Complete a word", promise: "the candidates were printed", store: .none,
            positionals: [shell, words],
            examples: [Example("tacit __complete fish -- send @a", "Complete a target as the shell does")],
            isHidden: true),
        purpose: { _ in "complete a word" },
        run: { invocation in
            let lines = lines(invocation)
            try invocation.output.write(verbatim: lines.map { $0 + "\n" }.joined())
            return .ok
        })

    private static func lines(_ invocation: Invocation) -> [String] {
        guard invocation[shell] == .bash else {
            return answer(invocation[words], invocation) { candidate in
                "\(candidate.word)\t\(candidate.meaning)"
            }
        }
        let line = BashLine(invocation[words].first ?? "", breaks: invocation[words].dropFirst().first ?? "")
        if line.isRedirection { return [":file"] }
        return answer(line.words, invocation) { line.replacement(for: $0.word) }
    }

    private static func answer(
        _ words: [String], _ invocation: Invocation, _ written: (Offer.Candidate) -> String?
    ) -> [String] {
        let offer = CommandTree.tacit.offer(for: words, settings: invocation.settings)
        switch offer.wanted {
        case .file: return [":file"]
        case .folder: return [":folder"]
        default: return offer.candidates(with: LiveValues.found(for: offer, invocation)).compactMap(written)
        }
    }
}
