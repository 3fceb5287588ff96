import ByteCoding
import ChatCore
import Commands
import Navigation
import TerminalKit

/// The conversations of a profile, or the only one of a profile for one person.
struct HomeView: ScreenView {
    let screen: HomeScreen

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        if let chat = screen.chat { return try await ChatView(chat: ChatReference(chat)).drawing(reader, area) }
        var drawing = Drawing(lines: [area.rule("chats")])
        // Those that were active last, as many as have room; `list` shows all.
        let room = max(area.height - 6, 5)
        let count = area.keptOrder.isEmpty ? room + 1 : 2 * room + 1
        let list = try await reader.chats(of: screen.profile, count: count), pending = list.pending
        let chats = HomeView.ordered(list.chats, area.keptOrder)
        let requests = try await reader.requests(of: screen.profile)
        let callers = Set(try await reader.calls(of: screen.profile).map(\.item.chat))
        var table = ListTable(count: min(chats.count, room))
        for chat in chats.prefix(room) {
            table.add(
                StyledText(chat.displayName, .name), unread: chat.unreadCount, mentions: chat.unreadMentions,
                time: chat.lastEntry?.time.milliseconds,
                callers.contains(chat.reference) ? StyledText("is calling", .warning) : HomeView.words(chat))
            drawing.choices.append(.init(name: chat.name, screen: ChatScreen(chat.reference)))
        }
        drawing.lines += table.lines(area)
        if chats.isEmpty {
            drawing.lines += area.text(EmptyList.chats)
        }
        if chats.count > room { drawing.lines.append(StyledText("…  list shows all", .muted)) }
        if !requests.isEmpty {
            let words = requests.count == 1 ? "contact request" : "contact requests"
            drawing.lines += area.text("\(requests.count) \(words): type requests", .unread)
        }
        if !pending.isEmpty {
            let words = pending.count == 1 ? "open invitation" : "open invitations"
            drawing.lines += area.text("\(pending.count) \(words): list invitations", .muted)
        }
        drawing.hint = (chats.isEmpty ? "" : "a number or a name opens a chat; ") + "new, settings, help"
        return drawing
    }

    /// Chats that were on the screen stay where they are; others come behind them.
    private static func ordered(_ chats: [ChatSummary], _ kept: [ChatSubject]) -> [ChatSummary] {
        guard !kept.isEmpty else { return chats }
        let byID = Dictionary(chats.map { ($0.reference.subject, $0) }) { first, _ in first }
        let known = Set(kept)
        return kept.compactMap { byID[$0] } + chats.filter { !known.contains($0.reference.subject) }
    }

    private static func words(_ chat: ChatSummary) -> StyledText {
        if chat.state == .group(.invited) { return StyledText("invited you: open the group to join", .unread) }
        guard let entry = chat.lastEntry else { return "" }
        let line = StyledText(entry.line(entry.text.onOneLine), entry.isHidden ? .muted : .plain)
        return StyledText(entry.writer, .muted) + line
    }
}

extension ChatSummary {
    /// The name in lists: a group has its sign.
    var displayName: String {
        if case .group = reference { "+\(name)" } else { name }
    }
}

extension Chat {
    /// The name in lists: a group has its sign.
    var displayName: String { group?.listName ?? name }
}

extension Group {
    /// The name in lists.
    var listName: String { "+\(name)" }
}
