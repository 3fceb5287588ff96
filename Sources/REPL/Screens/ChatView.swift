import ChatCore
import Navigation
import TerminalKit

/// A conversation: its newest entries, or those around the place where it was left.
struct ChatView: ScreenView {
    let contact: Int64

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let count = ChatView.count(area)
        if let position = area.position {
            let (contact, items) = try await reader.chat(contact, .after(ChatItemID(position - 1), count))
            if let last = items.last, !items.isEmpty {
                var drawing = drawing(contact, items, area)
                let newer = try await reader.chat(self.contact, .after(last.id, 1)).items
                drawing.isAtEnd = newer.isEmpty
                if !newer.isEmpty { drawing.lines.append(StyledText("…  /end shows the newest", .muted)) }
                return drawing
            }
        }
        let (contact, items) = try await reader.chat(contact, .last(count))
        return drawing(contact, items, area)
    }

    /// The entries before one.
    func earlier(than item: Int64, _ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let (contact, items) = try await reader.chat(contact, .before(ChatItemID(item), ChatView.count(area)))
        return drawing(contact, items, area)
    }

    private static func count(_ area: DrawingArea) -> Int { max(area.height - 4, 5) }

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
        if items.isEmpty { drawing.lines.append(StyledText("nothing was said yet", .muted)) }
        if !contact.isReady, !contact.isNotes {
            drawing.lines += area.text("messages cannot be sent now: \(contact.status.rawValue)", .warning)
        }
        return drawing
    }
}
