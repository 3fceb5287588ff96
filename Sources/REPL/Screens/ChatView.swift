import ChatCore
import Navigation
import TerminalKit

/// A conversation: its newest entries, or those around the place where it was left.
struct ChatView: ScreenView {
    let chat: ChatReference

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let count = ChatView.count(area)
        if let position = area.position {
            let (chat, found) = try await reader.chat(chat, .after(ChatItemID(position - 1), count))
            let items = ChatView.fitting(found, chat, area)
            if let last = items.last {
                var drawing = drawing(chat, items, area)
                let newer = try await reader.chat(self.chat, .after(last.id, 1)).items
                drawing.isAtEnd = newer.isEmpty
                if !newer.isEmpty { drawing.lines.append(StyledText("…  /end shows the newest", .muted)) }
                return drawing
            }
        }
        let (chat, items) = try await reader.chat(chat, .last(count))
        return drawing(chat, ChatView.fitting(items.reversed(), chat, area).reversed(), area)
    }

    /// The entries before one.
    func earlier(than item: Int64, _ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let (chat, items) = try await reader.chat(chat, .before(ChatItemID(item), ChatView.count(area)))
        return drawing(chat, ChatView.fitting(items.reversed(), chat, area).reversed(), area)
    }

    /// How many rows there are for entries, and so how many entries at most.
    static func count(_ area: DrawingArea) -> Int { max(area.height - 4, 5) }

    /// The first entries, as many as fit on the screen. One that begins in its upper half is among them however long it is.
    static func fitting(_ items: [ChatItem], _ chat: Chat, _ area: DrawingArea) -> [ChatItem] {
        var rows = 0, messages = MessageLines(width: area.width)
        return Array(
            items.prefix { item in
                let before = rows
                rows += messages.lines(item, from: chat.name).count
                return rows <= count(area) || before <= count(area) / 2
            })
    }

    private func drawing(_ chat: Chat, _ items: [ChatItem], _ area: DrawingArea) -> Drawing {
        var drawing = Drawing(lines: [area.rule(chat.name)])
        var messages = MessageLines(width: area.width), hasUnread = false
        for item in items {
            if item.status == .receivedNew, !hasUnread {
                hasUnread = true
                drawing.lines.append(MessageLines.rule("new", width: area.width, .unread))
            }
            drawing.lines += messages.lines(item, from: chat.name)
        }
        drawing.messages = messages
        if let first = items.first, let last = items.last, first.id <= last.id {
            drawing.shownItems = first.id.number...last.id.number
        }
        if items.isEmpty {
            let words =
                chat.isNotes
                ? EmptyList.firstNote : chat.contact?.isReady == true ? EmptyList.firstMessage : EmptyList.messages
            drawing.lines += area.text(words, .muted)
        }
        if let contact = chat.contact, !contact.isReady {
            drawing.lines += area.text("nothing can be sent: \(contact.status.obstacle)", .warning)
        }
        return drawing
    }
}

extension Contact.Status {
    /// Why nothing can be sent to a contact with which there is no connection.
    fileprivate var obstacle: String {
        switch self {
        case .active: "you are not connected yet"
        case .deleted: "the contact deleted you"
        case .deletedByUser: "you deleted the contact"
        }
    }
}
