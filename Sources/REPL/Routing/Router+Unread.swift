import AgentProtocol
import ChatCore
import Navigation
import TerminalKit

/// Going through what is unread, chat by chat.
extension Session {
    /// A chat with something unread.
    private struct UnreadChat {
        let chat: ChatReference
        /// Whether the user wants to hear of it: neither the chat nor the profile is muted.
        let isMuted: Bool
    }

    /// Goes to the next chat with unread messages: the newest first, those of this profile before others, what is muted last.
    ///
    /// - Parameter byKey: Whether a key asks for it. What stood in the line then is no part of where it leads: a text stays with its
    ///   conversation, and a command comes back by the arrow up.
    func goToNextUnread(byKey: Bool = false) async {
        let text = byKey ? leftTexts.first ?? "" : ""
        guard !isHidden, let next = await nextUnread() else { return takeBack(text, byKey) }
        guard byKey, !text.isEmpty, conversation != nil else {
            if byKey { leftTexts.removeFirst() }
            if !text.isEmpty { editor?.remember(text) }
            if await go(to: ChatScreen(next)) { await showTop() }
            return
        }
        if await go(to: ChatScreen(next), leaving: text) { return await showTop() }
        takeBack(text, byKey)
    }

    /// Puts what stood in the line there again, before what was typed since then.
    private func takeBack(_ text: String, _ byKey: Bool) {
        if byKey { leftTexts.removeFirst() }
        guard !text.isEmpty, let editor else { return }
        editor.replace(text + editor.text, cursor: text.utf8.count + editor.cursor)
    }

    /// Nil, and said, if there is none.
    private func nextUnread() async -> ChatReference? {
        do {
            let found = try await unreadChats()
            if let next = found.first(where: { !$0.isMuted }) ?? found.first { return next.chat }
            say("no unread messages in other chats", .muted)
        } catch {
            report(error)
        }
        return nil
    }

    private func unreadChats() async throws -> [UnreadChat] {
        let profiles = try await reader.profiles().filter { $0.unreadCount > 0 && !$0.isHidden }
        let own = profiles.filter { $0.id.number == state.profile }
        var found: [UnreadChat] = []
        for profile in own + profiles.filter({ $0.id.number != state.profile }) {
            let chats = try await reader.chats(of: profile.id.number, count: nil).chats
            for chat in chats where chat.chat.unreadCount > 0 && chat.chat.reference != conversation {
                found.append(UnreadChat(chat: chat.chat.reference, isMuted: chat.chat.isMuted || profile.isMuted))
            }
        }
        return found
    }
}
