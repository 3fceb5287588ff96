import TerminalKit

/// What a command writes, in rows that fit: broken between words, where the terminal would break it in the middle of one.
enum WrappedOutput {
    /// - Parameter width: How many columns a row may have.
    static func text(_ text: String, width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line(String($0), width: width) }.joined(separator: "\n")
    }

    private static func line(_ line: String, width: Int) -> String {
        guard visibleWidth(line) > width else { return line }
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let indent = String(line.prefix { $0 == " " })
        // A link stays in one piece, so that it can be opened and copied: the terminal may break it.
        guard !words.contains(where: { visibleWidth($0) > width - indent.count }) else { return line }
        var rows: [String] = [], row = "", rowWidth = 0
        for (index, word) in words.enumerated() {
            let size = visibleWidth(word), space = index == 0 ? 0 : 1
            if rowWidth + space + size > width {
                rows.append(row)
                (row, rowWidth) = (indent + word, indent.count + size)
            } else {
                row += (space == 1 ? " " : "") + word
                rowWidth += space + size
            }
        }
        return (rows + [row]).joined(separator: "\n")
    }

    /// The columns of a text, without the sequences that choose a style (ECMA-48 8.3.117).
    private static func visibleWidth(_ text: String) -> Int {
        var visible = "", isSequence = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1b}" {
                isSequence = true
            } else if isSequence {
                isSequence = scalar != "m"
            } else {
                visible.unicodeScalars.append(scalar)
            }
        }
        return visible.displayWidth
    }
}
