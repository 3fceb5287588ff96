import ChatCore
import TerminalKit

/// The history as plain text: a title for each conversation, a line for each day, and messages as `tacit read` shows them.
///
/// What others wrote is escaped and stands behind a margin, so nobody's message looks like the line of a day or of
/// somebody else.
struct TextHistory: HistoryDocument {
    private let invocation: Invocation
    private var day = ""
    private var isFirst = true

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func beginning() -> String { "" }

    mutating func conversation(with chat: HistoryChat) -> String {
        defer { (day, isFirst) = ("", false) }
        let name = UntrustedText(chat.name).singleLine, fullName = UntrustedText(chat.fullName).singleLine
        let title =
            UntrustedText(chat.target).singleLine + (fullName.isEmpty || fullName == name ? "" : " (\(fullName))")
        let rule = String(repeating: "=", count: StyledText(title).width)
        return (isFirst ? "" : "\n") + "\(title)\n\(rule)\n"
    }

    mutating func entry(_ report: MessageReport) -> String {
        let date = String(invocation.time(report.item.time).prefix(10))
        let separator = date == day ? "" : "\n-- \(date) --\n"
        day = date
        let lines = report.lines(ReportStyle(plain: invocation))
        return separator + lines.map { $0.rendered(inColor: false) + "\n" }.joined()
    }

    func end() -> String { "" }
}
