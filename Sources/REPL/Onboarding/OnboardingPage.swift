import TerminalKit

/// One of the first steps as a person sees it: a few words, and one question.
///
/// A page fits on a terminal of 40 columns and 24 rows.
struct OnboardingPage: Hashable, Sendable {
    /// A numbered answer.
    struct Option: Hashable, Sendable {
        let name: String
        let words: String
    }

    let title: String
    /// Paragraphs.
    let words: [String]
    var options: [Option] = []
    let question: String
    /// The number of the option that Enter alone means.
    var standard: Int?
    /// The commands that options stand for, if they do.
    var commands: [[String]] = []
    /// Whether it asks more about an answer to the page of a stage.
    var isDetour = false

    func lines(width: Int) -> [StyledText] {
        var lines = [MessageLines.rule(title, width: width, .heading)]
        for paragraph in words { lines += paragraph.wrapped(toWidth: width - 1).map { StyledText($0) } }
        for (number, option) in zip(1..., options) {
            lines.append(
                (StyledText("\(number)  ", .muted) + StyledText(option.name, .name)).truncated(toWidth: width - 1))
            lines += option.words.wrapped(toWidth: max(width - 4, 2)).map { StyledText("   \($0)", .muted) }
        }
        return lines
    }

    /// The question with the standard answer.
    var prompt: StyledText {
        StyledText(question, .heading) + StyledText(standard.map { " [\($0)]" } ?? "", .muted) + " "
    }

    /// A typed answer, and what its number means.
    func answered(_ answer: String) -> String {
        guard case .option(let number) = reply(to: answer) else { return answer.trimmed }
        return "\(number) \(options[number - 1].name)"
    }

    /// What to say to who typed something else.
    var advice: String {
        switch options.count {
        case 0: "type an answer"
        case let count: "type a number from 1 to \(count)"
        }
    }

    /// What a typed answer means.
    func reply(to answer: String?) -> OnboardingReply {
        guard let text = answer?.trimmed else { return .leave }
        if ["quit", "exit", "/quit", "/exit"].contains(text) { return .leave }
        if options.isEmpty { return text.isEmpty ? .unclear : .text(text) }
        if text.isEmpty, let standard { return .option(standard) }
        if let number = Int(text), (1...options.count).contains(number) { return .option(number) }
        return options.firstIndex { $0.name == text }.map { .option($0 + 1) } ?? .unclear
    }
}

/// The answer to an ``OnboardingPage``.
enum OnboardingReply: Hashable, Sendable {
    /// The option with this number, from 1 on.
    case option(Int)
    case text(String)
    /// Not now. The next start goes on where this one was left.
    case leave
    /// Nothing that was asked for.
    case unclear
}
