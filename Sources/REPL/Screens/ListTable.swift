import TerminalKit

/// The rows of a list: a number to type, a name, what is unread, and some words.
struct ListTable {
    private var rows: [[StyledText]] = []
    private let digits: Int

    /// Below so many columns the words get no column.
    private static let roomForWords = 44

    init(count: Int) {
        digits = "\(count)".count
    }

    mutating func add(_ name: StyledText, unread: Int = 0, _ words: StyledText = "") {
        let number = StyledText("\(rows.count + 1)", .muted).padded(toWidth: digits, .right)
        rows.append([number, name, unread == 0 ? "" : StyledText("\(unread)", .unread), words])
    }

    func lines(_ area: DrawingArea) -> [StyledText] {
        let hasWords = area.width >= ListTable.roomForWords
        var columns = [Table.Column(""), Table.Column("", isFlexible: true), Table.Column("", .right)]
        if hasWords { columns.append(Table.Column("", isFlexible: true)) }
        var table = Table(columns)
        for row in rows { table.add(Array(row.prefix(columns.count))) }
        // A very narrow screen cuts what a table could not shrink.
        return table.lines(width: area.width - 1, withTitles: false).map { $0.truncated(toWidth: area.width - 1) }
    }
}
