import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import Commands
import SystemIO
import TerminalKit

/// How entries of a conversation look in the session: number, time and author beside the text, or above it where there is
/// little room.
struct MessageLines {
    let width: Int
    let usesUTC: Bool
    /// The folder for files of the store.
    private let filesFolder: String
    private var lastDay: String?

    /// Below so many columns the text gets rows of its own.
    private static let roomForColumns = 60
    private static let nameWidth = 16
    /// What stands before a notice of tacit, where a message has the name of its author and its margin. No name begins with a
    /// dash, and each row of a message is behind the margin `│`.
    static let noticeMark = "-!-"

    init(width: Int, usesUTC: Bool = false, filesFolder: String = "") {
        self.width = width
        self.usesUTC = usesUTC
        self.filesFolder = filesFolder
    }

    init(_ area: DrawingArea) {
        self.init(width: area.width, filesFolder: area.filesFolder)
    }

    /// The rows of an entry, below the day if that is another one than that of the entry before.
    ///
    /// - Parameter isFresh: Whether it was written just now: that it waits in the outbox is nothing to say then.
    mutating func lines(_ item: ChatItem, from name: String, isFresh: Bool = false) -> [StyledText] {
        let time = LocalTime.text(milliseconds: item.time.milliseconds, utc: usesUTC) ?? ""
        let parts = time.split(separator: " ")
        let day = parts.first.map(String.init) ?? "", clock = parts.dropFirst().first.map(String.init) ?? ""
        var lines: [StyledText] = []
        if day != lastDay {
            lines.append(MessageLines.rule(day, width: width))
            lastDay = day
        }
        return lines + entry(item, name, clock, isFresh)
    }

    /// A line across the screen with a word in it.
    static func rule(_ word: String, width: Int, _ style: Style = .muted) -> StyledText {
        let text = StyledText("── \(word) ", style)
        return (text + StyledText(String(repeating: "─", count: max(width - 1 - text.width, 0)), .muted))
            .truncated(toWidth: width - 1)
    }

    private func entry(_ item: ChatItem, _ name: String, _ clock: String, _ isFresh: Bool) -> [StyledText] {
        let isOwn = item.direction == .sent
        let author = isOwn ? StyledText("you", .own) : MessageLines.author(of: item, name)
        let number = StyledText("\(item.id.number)", .muted)
        if item.isNotice {
            let head = number.padded(toWidth: 5, .right) + " " + StyledText(clock, .muted) + " "
            let mark = StyledText("\(MessageLines.noticeMark) ", .warning)
            let author = MessageLines.author(of: item, name).text
            let sentence =
                item.callSentence(with: author)
                ?? (isOwn ? "" : "\(author): ") + item.content.plainText
            let start = head + mark, space = StyledText(String(repeating: " ", count: start.width))
            let rows = UntrustedText(sentence).singleLine.wrapped(toWidth: max(width - 1 - start.width, 8))
            return rows.enumerated().map { index, row in (index == 0 ? start : space) + StyledText(row, .warning) }
        }
        guard width >= MessageLines.roomForColumns else {
            let head = (number + " " + StyledText(clock, .muted) + " " + tick(item) + author + marks(item, isFresh))
                .truncated(toWidth: width - 1)
            return [head] + body(item, width: width - 1)
        }
        let head =
            number.padded(toWidth: 5, .right) + " " + StyledText(clock, .muted) + " " + tick(item)
            + author.truncated(toWidth: MessageLines.nameWidth) + marks(item, isFresh) + " "
        let rows = body(item, width: max(width - 1 - head.width, 16))
        let space = StyledText(String(repeating: " ", count: head.width))
        return rows.enumerated().map { index, row in (index == 0 ? head : space) + row }
    }

    /// The author of a received entry: the contact, or the member of a group in the look of its name.
    private static func author(of item: ChatItem, _ name: String) -> StyledText {
        guard let author = item.group?.author else { return self.author(name) }
        return self.author(author.name, .member(author.id.number))
    }

    /// The name of an author, in which the mark of notices does not stand.
    private static func author(_ name: String, _ style: Style = .name) -> StyledText {
        // String.replacing would link the library for regular expressions.
        let mark = Array(noticeMark.unicodeScalars)
        var rest = Array(name.unicodeScalars)[...], written = ""
        while let first = rest.first {
            if rest.starts(with: mark) {
                written += "-\u{a1}-"
                rest = rest.dropFirst(mark.count)
            } else {
                written.unicodeScalars.append(first)
                rest = rest.dropFirst()
            }
        }
        return StyledText(written, style)
    }

    private func body(_ item: ChatItem, width: Int) -> [StyledText] {
        var rows: [StyledText] = []
        if let quote = item.quote {
            rows.append(
                StyledText("│ > \(UntrustedText(quote.content.text.onOneLine).singleLine)", .muted)
                    .truncated(toWidth: width))
        }
        if let removal = item.group?.removal {
            rows.append(StyledText("│ (\(removal.sentence))", .muted))
        } else if item.deletedAt != nil {
            rows.append(StyledText("│ (deleted)", .muted))
        } else if case .message = item.content {
            if !item.content.plainText.isEmpty || item.file == nil {
                rows += UntrustedText(item.content.plainText).body(width: width)
            }
            if let file = item.file {
                let rest = file.summary(in: filesFolder).wrapped(toWidth: max(width - 2, 8))
                rows += rest.map { StyledText("│ \($0)", .muted).truncated(toWidth: width) }
            }
        } else {
            rows.append(
                (StyledText("│ ", .muted) + StyledText(item.content.plainText, .warning)).truncated(toWidth: width))
        }
        if !item.reactions.isEmpty {
            rows.append(
                StyledText("│ ", .muted) + StyledText(item.reactions.summary))
        }
        return rows
    }

    /// How far an own message has come: one tick at the relay, two at the contact, in brackets for some members of a group.
    private func tick(_ item: ChatItem) -> StyledText {
        guard item.direction == .sent, let tick = item.status.tick, item.deletedAt == nil else { return "" }
        return StyledText(tick + " ", tick == ChatItem.Status.failureTick ? .warning : .muted)
    }

    private func marks(_ item: ChatItem, _ isFresh: Bool) -> StyledText {
        var marks = item.deletedAt == nil ? [item.content.attachment].compactMap(\.self) : []
        if item.editedAt != nil, item.deletedAt == nil { marks.append("edited") }
        if item.isForwarded { marks.append("forwarded") }
        if let forwarder = item.group?.memberForwarder { marks.append("forwarded by \(forwarder.name)") }
        if item.ttl != nil { marks.append("disappears") }
        if item.supportID != nil { marks.append("to moderators") }
        var text = marks.reduce(into: StyledText()) { $0 += StyledText(" (\($1))", .muted) }
        if item.group?.mentionsUser == true, item.direction == .received { text += StyledText(" @you", .unread) }
        if let trouble = item.status.trouble, !(isFresh && item.status == .sendNew) {
            text += StyledText(" (\(trouble))", .warning)
        }
        return text
    }
}

extension ChatItem {
    /// True if the entry is no message: something that tacit reports of the conversation.
    fileprivate var isNotice: Bool {
        if case .message = content { false } else { deletedAt == nil }
    }
}

extension String {
    /// The text with spaces for its line breaks.
    var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension ChatItem.Status {
    /// What a person should know about how far a message has come.
    var trouble: String? {
        switch self {
        case .sendNew: "queued"
        case .sendWarning(let problem): "queued: \(problem.rawValue)"
        case .sendErrorAuthorization: "failed: refused"
        case .sendError(let problem): "failed: \(problem.rawValue)"
        case .sendReceived(isIntact: false), .sendReceivedPartly(isIntact: false): "altered"
        case .sendUnconfirmed: "not confirmed"
        case .sendSent, .sendSentPartly, .sendReceived, .sendReceivedPartly, .receivedNew, .receivedRead: nil
        }
    }
}
