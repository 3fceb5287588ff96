/// A text of lines `name = value`, with comments that begin with `#`.
struct SettingsText {
    /// One line that says something.
    struct Entry {
        /// Counted from 1.
        let line: Int
        let name: String
        let value: String
    }

    let entries: [Entry]

    /// Reads a text; ``RelayError/settings(line:)`` for a line without `=`.
    init(_ text: String) throws(RelayError) {
        var entries: [Entry] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.drop { $0.isWhitespace }
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .settings(line: index + 1, reason: "it is not NAME = VALUE") }
            entries.append(
                Entry(line: index + 1, name: SettingsText.trimmed(parts[0]), value: SettingsText.trimmed(parts[1])))
        }
        self.entries = entries
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
