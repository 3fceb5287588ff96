import ByteCoding
import ChatCore
import TerminalKit

/// The history as one page: bubbles on two sides, a line for each day, light or dark as the reader's system is.
///
/// The page needs nothing else and can do nothing: there is no script, no image, no font and no link to outside, and its
/// policy forbids all of that. Times are those of whoever exports, as the page says.
struct HTMLHistory: HistoryDocument {
    private let invocation: Invocation
    private let profile: String
    private let chats: [HistoryChat]
    private var day = ""
    private var isOpen = false

    init(_ invocation: Invocation, _ profile: String, _ chats: [Chat]) {
        self.invocation = invocation
        self.profile = profile
        self.chats = chats.map(HistoryChat.init)
    }

    func beginning() -> String {
        let title = chats.count == 1 ? "\(chats[0].name) – \(profile)" : profile
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
            <meta name="referrer" content="no-referrer">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="generator" content="tacit">
            <title>\(HTMLText.line(title))</title>
            <style>
            \(HTMLHistory.style)
            </style>
            </head>
            <body>
            <header><h1>\(HTMLText.line(profile))</h1>
            <p>\(chats.count == 1 ? "One conversation" : "\(chats.count) conversations"). Times are \
            \(invocation[GlobalOptions.utc] ? "UTC" : "local").</p>
            \(navigation)</header>
            <main>

            """
    }

    private var navigation: String {
        guard chats.count > 1 else { return "" }
        let links = chats.map { "<a href=\"#\($0.id)\">\(HTMLText.line($0.name))</a>" }
        return "<nav>\(links.joined(separator: "\n"))</nav>\n"
    }

    mutating func conversation(with chat: HistoryChat) -> String {
        let start = isOpen ? "</section>\n" : ""
        (day, isOpen) = ("", true)
        let fullName =
            chat.fullName.isEmpty || chat.fullName == chat.name ? "" : HTMLText.line(chat.fullName)
        return start + """
            <section id="\(chat.id)">
            <h2><bdi>\(HTMLText.line(chat.name))</bdi>\(fullName.isEmpty ? "" : " <small><bdi>\(fullName)</bdi></small>")</h2>

            """
    }

    mutating func entry(_ report: MessageReport) -> String {
        let time = invocation.time(report.item.time)
        let date = String(time.prefix(10)), clock = String(time.dropFirst(11))
        let separator = date == day ? "" : "<h3><time datetime=\"\(date)\">\(date)</time></h3>\n"
        day = date
        let isIncoming = report.item.direction == .received
        let text = HTMLText.body(report.item.content.plainText)
        let stamp = "<time datetime=\"\(report.item.time)\">\(clock)</time>"
        guard case .message = report.item.content else {
            return separator + "<p class=\"notice\">\(text) \(stamp)</p>\n"
        }
        let who = isIncoming ? report.item.group?.author?.name ?? report.chat.name : profile
        return separator + """
            <article class="\(isIncoming ? "in" : "out")"><b><bdi>\(HTMLText.line(who))</bdi></b>
            <p dir="auto">\(text)</p>
            <footer>\(stamp)\(state(report))</footer></article>

            """
    }

    /// What became of an own message.
    private func state(_ report: MessageReport) -> String {
        guard report.item.direction == .sent else { return "" }
        let word = report.item.status.word
        switch word {
        case "delivered" where !report.item.status.needsAttention: return " <i title=\"delivered\">✓✓</i>"
        case "sent": return " <i title=\"sent\">✓</i>"
        default: return " <i class=\"bad\">\(word)</i>"
        }
    }

    func end() -> String {
        """
        \(isOpen ? "</section>\n" : "")</main>
        </body>
        </html>

        """
    }
}
