import AgentProtocol
import ByteCoding
import ChatCore
import Navigation
import TerminalKit

/// The way through chats with unread messages.
extension Router {
    /// A chat with unread messages.
    private struct UnreadChat {
        let chat: ChatReference
        /// True if the chat or the profile is muted.
        let isMuted: Bool
    }

    /// Goes to the next chat with unread messages: the newest first, those of this profile before others, muted chats last.
    ///
    /// - Parameter byKey: True for a key. The text of the line is the first of ``Drafts/leftTexts`` then: it stays with its
    ///   conversation, and a command comes back with the arrow up.
    func goToNextUnread(byKey: Bool = false) async {
        let text = byKey ? drafts.leftTexts.first ?? "" : ""
        guard !display.isHidden, let next = await nextUnread() else { return takeBack(text, byKey) }
        guard byKey, !text.isEmpty, conversation != nil else {
            if byKey { drafts.leftTexts.removeFirst() }
            if !text.isEmpty { display.terminal?.remember(text) }
            if await go(to: ChatScreen(next)) { await showTop() }
            return
        }
        if await go(to: ChatScreen(next), leaving: text) { return await showTop() }
        takeBack(text, byKey)
    }

    /// Puts the text of the line back, before text that was typed since then.
    private func takeBack(_ text: String, _ byKey: Bool) {
        if byKey { drafts.leftTexts.removeFirst() }
        guard !text.isEmpty, let terminal = display.terminal else { return }
        terminal.replace(text + terminal.text, cursor: text.utf8.count + terminal.cursor)
    }

    /// The chat to go to. Nil if there is none, which is said.
    private func nextUnread() async -> ChatReference? {
        do {
            let found = try await unreadChats()
            if let next = found.first(where: { !$0.isMuted }) ?? found.first { return next.chat }
            display.say("no unread messages in other chats", .muted)
        } catch {
            display.report(error)
        }
        return nil
    }

    /// Lists the chats with unread messages, of this profile first.
    func showUnread() async {
        do {
            let profiles = try await reader.profiles().filter { $0.unreadCount > 0 && !$0.isHidden }
            let own = profiles.filter { $0.id.number == state.profile }
            var rows: [(name: String, chat: ChatSummary)] = []
            for profile in own + profiles.filter({ $0.id.number != state.profile }) {
                let place = profile.id.number == state.profile ? "" : "\(profile.name): "
                for chat in try await reader.chats(of: profile.id.number, count: nil).chats where chat.unreadCount > 0 {
                    rows.append((place + chat.displayName, chat))
                }
            }
            guard !rows.isEmpty else { return display.say("no unread messages", .muted) }
            var table = ListTable(count: rows.count)
            for (name, chat) in rows {
                table.add(
                    StyledText(name, .name), unread: chat.unreadCount, mentions: chat.unreadMentions,
                    time: chat.lastEntry?.time.milliseconds)
            }
            display.print(table.lines(area))
        } catch {
            display.report(error)
        }
    }

    private func unreadChats() async throws -> [UnreadChat] {
        let profiles = try await reader.profiles().filter { $0.unreadCount > 0 && !$0.isHidden }
        let own = profiles.filter { $0.id.number == state.profile }
        var found: [UnreadChat] = []
        for profile in own + profiles.filter({ $0.id.number != state.profile }) {
            let chats = try await reader.chats(of: profile.id.number, count: nil).chats
            for chat in chats where chat.unreadCount > 0 && chat.reference != conversation {
                found.append(UnreadChat(chat: chat.reference, isMuted: chat.isMuted || profile.isMuted))
            }
        }
        return found
    }
}
