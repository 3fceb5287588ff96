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
        let (recent, pending) = try await reader.chats(of: screen.profile, count: count)
        let chats = HomeView.ordered(recent, area.keptOrder)
        let requests = try await reader.requests(of: screen.profile)
        let callers = Set(try await reader.calls(of: screen.profile).map(\.item.chat))
        var table = ListTable(count: min(chats.count, room))
        for chat in chats.prefix(room) {
            table.add(
                StyledText(chat.chat.displayName, .name), unread: chat.chat.unreadCount,
                mentions: chat.chat.group?.unreadMentions ?? 0,
                time: chat.lastItem?.time.milliseconds,
                callers.contains(chat.chat.reference) ? StyledText("is calling", .warning) : HomeView.words(chat))
            drawing.choices.append(
                .init(name: chat.chat.name, screen: ChatScreen(chat.chat.reference)))
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
    private static func ordered(_ chats: [ChatPreview], _ kept: [ChatSubject]) -> [ChatPreview] {
        guard !kept.isEmpty else { return chats }
        let byID = Dictionary(chats.map { ($0.chat.reference.subject, $0) }) { first, _ in first }
        let known = Set(kept)
        return kept.compactMap { byID[$0] } + chats.filter { !known.contains($0.chat.reference.subject) }
    }

    private static func words(_ chat: ChatPreview) -> StyledText {
        if let group = chat.chat.group, group.membership.status == .invited {
            return StyledText("invited you: open the group to join", .unread)
        }
        guard let item = chat.lastItem else { return "" }
        let own = StyledText(
            item.direction == .sent ? "you: " : item.group?.author.map { "\($0.name): " } ?? "", .muted)
        if let removal = item.group?.removal { return own + StyledText("(\(removal.sentence))", .muted) }
        guard item.deletedAt == nil else { return own + StyledText("(deleted)", .muted) }
        return own + StyledText(UntrustedText(item.content.plainText.onOneLine).singleLine)
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
