import SystemIO
import TerminalKit

/// The rows of a list: a number to type, a name, how much is unread, the time of the newest entry, and some words.
struct ListTable {
    /// The day on which a time is shown without its day, as in ``LocalTime``.
    private let today: String
    private var rows: [Row] = []
    private let digits: Int

    private struct Row {
        let number: StyledText
        let name: StyledText
        let unread: StyledText
        /// A day and a time of that day; empty if there is none.
        let time: String
        let words: StyledText
    }

    /// Below so many columns the words get no column.
    private static let roomForWords = 44
    /// Below so many columns days have no year.
    private static let roomForYears = 36
    /// Below so many columns times are left out where names would be cut.
    private static let roomForTimes = 30

    /// - Parameter now: In milliseconds since 1970.
    init(count: Int, now: Int64 = SystemClock.milliseconds()) {
        digits = "\(count)".count
        today = String((LocalTime.text(milliseconds: now) ?? "").prefix(10))
    }

    /// - Parameter time: In milliseconds since 1970; nil if there is none.
    mutating func add(
        _ name: StyledText, unread: Int = 0, mentions: Int = 0, time: Int64? = nil, _ words: StyledText = ""
    ) {
        rows.append(
            Row(
                number: StyledText("\(rows.count + 1)", .muted).padded(toWidth: digits, .right), name: name,
                unread: unread == 0 ? "" : StyledText(mentions > 0 ? "(\(unread) @)" : "(\(unread))", .unread),
                time: time.flatMap { LocalTime.text(milliseconds: $0) } ?? "", words: words))
    }

    func lines(_ area: DrawingArea) -> [StyledText] {
        let hasUnread = rows.contains { !$0.unread.isEmpty }
        let times = rows.map { $0.time.isEmpty ? "" : moment($0.time, area.width) }
        let hasTimes = hasRoom(for: times, area.width)
        let hasWords = area.width >= ListTable.roomForWords
        var columns = [Table.Column(""), Table.Column("", isFlexible: true)]
        if hasUnread { columns.append(Table.Column("", .right)) }
        if hasTimes { columns.append(Table.Column("", .right)) }
        if hasWords { columns.append(Table.Column("", isFlexible: true)) }
        var table = Table(columns)
        for (row, time) in zip(rows, times) {
            table.add(
                [row.number, row.name] + (hasUnread ? [row.unread] : []) + (hasTimes ? [StyledText(time, .muted)] : [])
                    + (hasWords ? [row.words] : []))
        }
        // A very narrow screen cuts what a table could not shrink.
        return table.lines(width: area.width - 1, withTitles: false).map { $0.truncated(toWidth: area.width - 1) }
    }

    private func hasRoom(for times: [String], _ width: Int) -> Bool {
        guard times.contains(where: { !$0.isEmpty }) else { return false }
        func widest(_ widths: [Int]) -> Int { widths.max() ?? 0 }
        let unread = widest(rows.map(\.unread.width))
        let needed =
            digits + 2 + widest(rows.map(\.name.width)) + (unread > 0 ? 2 + unread : 0) + 2 + widest(times.map(\.count))
        return width >= ListTable.roomForTimes || needed < width
    }

    /// `11:14` of today, and the day of others.
    private func moment(_ time: String, _ width: Int) -> String {
        if time.prefix(10) == today { return String(time.dropFirst(11)) }
        return String(width >= ListTable.roomForYears ? time.prefix(10) : time.prefix(10).dropFirst(5))
    }
}
