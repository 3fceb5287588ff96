import TerminalKit

/// The words of a session and what they do: in two columns, or one below the other where there is little room.
enum HelpLines {
    /// Below so many columns what a word does stands below it.
    private static let roomForColumns = 60

    static func lines(_ words: [SessionWord], slash: String, width: Int) -> [StyledText] {
        func head(_ word: SessionWord) -> StyledText {
            let names = [word] + SessionWord.allCases.filter { $0.original == word }
            return StyledText(names.map { slash + $0.rawValue }.joined(separator: ", "), .name)
                + StyledText(" " + word.arguments, .muted)
        }
        guard width >= roomForColumns else {
            return words.flatMap { word in
                // What has to be typed is never cut.
                head(word).text.wrapped(toWidth: max(width - 1, 8)).map { StyledText($0, .name) }
                    + word.abstract.wrapped(toWidth: max(width - 3, 2)).map { StyledText("  " + $0) }
            }
        }
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        for word in words { table.add([head(word), StyledText(word.abstract)]) }
        return table.lines(width: width - 1, withTitles: false).map { $0.truncated(toWidth: width - 1) }
    }
}
