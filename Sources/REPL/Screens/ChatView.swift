import ChatCore
import ChatProtocol
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
        var rows = 0, messages = MessageLines(area)
        return Array(
            items.prefix { item in
                let before = rows
                rows += messages.lines(item, from: chat.name).count
                return rows <= count(area) || before <= count(area) / 2
            })
    }

    private func drawing(_ chat: Chat, _ items: [ChatItem], _ area: DrawingArea) -> Drawing {
        var drawing = Drawing(lines: [area.rule(chat.displayName)])
        var messages = MessageLines(area), hasUnread = false
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
                ? EmptyList.firstNote
                : chat.contact?.isReady == true || chat.group?.obstacle == nil && chat.group != nil
                    ? EmptyList.firstMessage : EmptyList.messages
            drawing.lines += area.text(words, .muted)
        }
        if let contact = chat.contact, !contact.isReady {
            drawing.lines += area.text("nothing can be sent: \(contact.status.obstacle)", .warning)
        }
        if let obstacle = chat.group?.obstacle { drawing.lines += area.text(obstacle, .warning) }
        if let group = chat.group, group.attentionCount > 0 {
            drawing.lines += area.text("\(group.attentionCount) waiting for a moderator: /open support", .unread)
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

extension Group {
    /// Why nothing can be sent to a group; nil if something can.
    var obstacle: String? {
        switch membership.status {
        case .invited: "you are invited: /join joins the group, /reject rejects the invitation"
        case .pendingApproval, .pendingReview: "a moderator has to let you in; only moderators read your messages"
        case .rejected: "nothing can be sent: the group did not let you in"
        case .removed: "nothing can be sent: you were removed from the group"
        case .left: "nothing can be sent: you left the group"
        case .deleted: "nothing can be sent: the group was deleted"
        case .unknown, .introduced, .introInvited, .accepted, .announced:
            prepared?.isStarted == false
                ? "you have not joined the group yet" : "nothing can be sent yet: you are joining the group"
        case .connected, .complete, .creator:
            membership.role <= .observer ? "you are an observer: you can read and react" : nil
        }
    }
}
