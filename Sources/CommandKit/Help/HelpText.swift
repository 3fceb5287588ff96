/// A help page under construction: paragraphs and two-column lists within a width.
///
/// Widths count characters, because help contains no wide ones.
struct HelpText {
    private let width: Int
    private var lines: [String] = []

    /// Creates a page of at least 40 columns.
    init(width: Int) {
        self.width = max(width, 40)
    }

    /// The page, ending with a line break.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Adds an empty line, unless there is one already or the page starts here.
    mutating func gap() {
        if let last = lines.last, !last.isEmpty { lines.append("") }
    }

    /// Adds a title.
    mutating func heading(_ title: String) {
        gap()
        lines.append("\(title):")
    }

    /// Adds a line without wrapping.
    mutating func line(_ text: String, indent: Int = 0) {
        lines.append(HelpText.spaces(indent) + text)
    }

    /// Adds wrapped text; further lines are indented by `hanging` more columns.
    mutating func wrapped(_ text: String, indent: Int = 0, hanging: Int = 0) {
        let rows = HelpText.rows(
            of: text.split(separator: " ").map(String.init), first: width - indent, width - indent - hanging)
        for (index, row) in rows.enumerated() {
            line(row, indent: index == 0 ? indent : indent + hanging)
        }
    }

    /// Adds paragraphs separated by empty lines. Lines that start with a space stay unchanged.
    mutating func paragraphs(_ text: String, indent: Int = 0) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var words: [Substring] = []
        for source in lines + [""] {
            if !source.isEmpty, !source.hasPrefix(" ") {
                words.append(source)
                continue
            }
            if !words.isEmpty { wrapped(words.joined(separator: " "), indent: indent) }
            words = []
            if source.hasPrefix(" ") { line(String(source), indent: indent) } else { gap() }
        }
        if self.lines.last == "" { self.lines.removeLast() }
    }

    /// Adds terms with their meanings. The meaning of a term that exceeds its column is on the next line.
    mutating func list(_ rows: [(term: String, meaning: String)], indent: Int = 2) {
        let longest = rows.map(\.term.count).filter { $0 <= 26 }.max() ?? 0
        let column = indent + longest + 2
        for (term, meaning) in rows {
            let isShort = term.count <= longest
            let meanings = HelpText.rows(
                of: meaning.split(separator: " ").map(String.init), first: width - column, width - column)
            let start = HelpText.spaces(indent) + term
            lines.append(
                isShort && !meaning.isEmpty ? start + HelpText.spaces(column - start.count) + meanings[0] : start)
            lines += meanings.dropFirst(isShort ? 1 : 0).map { HelpText.spaces(column) + $0 }
        }
    }

    /// Distributes words over rows; a word longer than a row gets a separate row.
    private static func rows(of words: [String], first: Int, _ width: Int) -> [String] {
        var rows: [String] = []
        for word in words {
            if let row = rows.last, row.count + 1 + word.count <= (rows.count == 1 ? first : width) {
                rows[rows.count - 1] = row + " " + word
            } else {
                rows.append(word)
            }
        }
        return rows
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(count, 0))
    }
}

extension CommandTree {
    /// Returns the output of `help`, `help COMMAND` and `help TOPIC`: a full page.
    ///
    /// - Throws: ``UsageError`` for an unknown command or topic.
    public func help(about words: [String], width: Int = 80) throws(UsageError) -> String {
        if let topic = topics.first(where: { [$0.name] == words }) { return page(on: topic, width: width) }
        guard let command = command(at: words) else { throw unknownTopic(words) }
        return fullHelp(for: command, width: width)
    }

    private func page(on topic: Topic, width: Int) -> String {
        var page = HelpText(width: width)
        page.wrapped(topic.abstract)
        page.gap()
        page.paragraphs(topic.text)
        return page.text
    }

    private func unknownTopic(_ words: [String]) -> UsageError {
        let subject = words.joined(separator: " ")
        let commands = root.family.filter { !$0.isHidden && !$0.path.isEmpty }.map { $0.path.joined(separator: " ") }
        return .unknownTopic(
            subject, suggestions: Suggestion.closest(to: subject, among: commands + topics.map(\.name)))
    }
}
