import ChatCore
import Navigation
import TerminalKit

/// A conversation: its newest entries, or those around the place where it was left.
struct ChatView: ScreenView {
    let contact: Int64

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let count = ChatView.count(area)
        if let position = area.position {
            let (contact, found) = try await reader.chat(contact, .after(ChatItemID(position - 1), count))
            let items = ChatView.fitting(found, contact, area)
            if let last = items.last {
                var drawing = drawing(contact, items, area)
                let newer = try await reader.chat(self.contact, .after(last.id, 1)).items
                drawing.isAtEnd = newer.isEmpty
                if !newer.isEmpty { drawing.lines.append(StyledText("…  /end shows the newest", .muted)) }
                return drawing
            }
        }
        let (contact, items) = try await reader.chat(contact, .last(count))
        return drawing(contact, ChatView.fitting(items.reversed(), contact, area).reversed(), area)
    }

    /// The entries before one.
    func earlier(than item: Int64, _ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let (contact, items) = try await reader.chat(contact, .before(ChatItemID(item), ChatView.count(area)))
        return drawing(contact, ChatView.fitting(items.reversed(), contact, area).reversed(), area)
    }

    /// How many rows there are for entries, and so how many entries at most.
    static func count(_ area: DrawingArea) -> Int { max(area.height - 4, 5) }

    /// The first entries, as many as fit on the screen. One that begins in its upper half is among them however long it is.
    static func fitting(_ items: [ChatItem], _ contact: Contact, _ area: DrawingArea) -> [ChatItem] {
        var rows = 0, messages = MessageLines(width: area.width)
        return Array(
            items.prefix { item in
                let before = rows
                rows += messages.lines(item, from: contact.name).count
                return rows <= count(area) || before <= count(area) / 2
            })
    }

    private func drawing(_ contact: Contact, _ items: [ChatItem], _ area: DrawingArea) -> Drawing {
        var drawing = Drawing(lines: [area.rule(contact.name)])
        var messages = MessageLines(width: area.width), hasUnread = false
        for item in items {
            if item.status == .receivedNew, !hasUnread {
                hasUnread = true
                drawing.lines.append(MessageLines.rule("new", width: area.width, .unread))
            }
            drawing.lines += messages.lines(item, from: contact.name)
        }
        drawing.messages = messages
        if let first = items.first, let last = items.last, first.id <= last.id {
            drawing.shownItems = first.id.number...last.id.number
        }
        if items.isEmpty {
            let words =
                contact.isNotes
                ? EmptyList.firstNote : contact.isReady ? EmptyList.firstMessage : EmptyList.messages
            drawing.lines += area.text(words, .muted)
        }
        if !contact.isReady, !contact.isNotes {
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
