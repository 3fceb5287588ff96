import AgentProtocol
import ChatCore
import Commands
import Navigation
import TerminalKit

/// What happens in the store by itself.
extension Session {
    func take(_ effect: SessionEffect) {
        switch effect {
        case .homeChanged: enqueue { await $0.updatePrompt() }
        case .newItems(let items): take(new: items)
        case .itemsUpdated(let items):
            outbox.update(items)
            // Receipts come for every message: only what a person must know is said.
            for located in items where isHere(located.item.chat) {
                guard let trouble = located.item.status.trouble, !located.item.status.isUnsent else { continue }
                say("message \(located.item.id.number): \(trouble)", .warning)
            }
        case .itemChanged(let located):
            if isHere(located.item.chat) { show(changed: located) }
        case .itemsDeleted(let deleted):
            for entry in deleted where isHere(entry.chat) {
                say("message \(entry.item.number) was deleted", .muted)
            }
        case .chatDeleted(let chat):
            if isHere(chat) { say("the contact was deleted; back goes back", .warning) }
            listsChanged()
        case .profileGone(let profile): leave(profile: profile)
        case .listsChanged: listsChanged()
        case .gateChanged: Task(executorPreference: store.loop) { await self.reloadGate() }
        case .callBegan(let located):
            window.ring(for: [located])
            queue.start { [unowned self] in await calls.update(in: state.profile) }
        case .callEnded(let located):
            if isHere(located.item.chat) { show(changed: located) }
            calls.remove(located.item.id)
        case .relayLost(let server, let problem): relays.lose(server.place, because: problem.sentence)
        case .relayReached(let server): relays.reach(server.place)
        case .requestReceived, .notice:
            guard let (subject, text) = effect.sentence else { return }
            print([(StyledText(subject, .name) + StyledText(" \(text)")).truncated(toWidth: area.width - 1)])
            enqueue { await $0.updatePrompt() }
        }
    }

    /// Goes to the active profile if the one on the screen is not there any more, of which nothing is to be seen then.
    private func leave(profile: ProfileID) {
        guard state.profile == profile.number else { return listsChanged() }
        editor?.answer(nil)
        editor?.clear()
        editor?.clearScreen()
        state = NavigationState()
        enqueue { session in
            await session.startAtHome()
            session.draft = ""
            await session.showTop()
        }
    }

    private func listsChanged() {
        renewList()
        enqueue { await $0.updatePrompt() }
    }

    private func take(new items: [LocatedItem]) {
        window.ring(for: items)
        let here = items.filter { isHere($0.item.chat) }
        let others = items.filter { !isHere($0.item.chat) && $0.item.status == .receivedNew }.count
        if others > 0 {
            promptLine.add(unread: others)
        }
        if here.count < items.count { renewList() }
        guard !here.isEmpty else { return }
        if isAtEnd { show(new: here) } else { say("new messages: /end shows them", .unread) }
        let ids = here.filter { $0.item.status == .receivedNew }.map(\.item.id)
        if isAtEnd, !ids.isEmpty { enqueue { await $0.mark(ids) } }
    }

    /// Marks entries of the conversation on the screen, unless it is another one by now.
    private func mark(_ ids: [ChatItemID]) async {
        guard let conversation else { return }
        _ = try? await store.execute(MarkItemsRead(.reference(conversation), ids))
    }

    private func isHere(_ chat: ChatReference) -> Bool { !isHidden && chat == conversation }
}
