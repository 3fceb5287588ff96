import AgentProtocol
import ChatCore
import Commands
import Navigation
import TerminalKit

/// Changes of the store that are not made on the screen.
extension Router {
    /// Shows a change. Calls and relays are shown above the prompt, by others.
    func take(_ effect: SessionEffect) {
        switch effect {
        case .homeChanged: scheduler.enqueue { [weak self] in await self?.updatePrompt() }
        case .newItems(let items): take(new: items)
        case .itemsUpdated(let items):
            // Receipts come for every message: only failures are said.
            for located in items where isHere(located.item.chat) {
                guard let trouble = located.item.status.trouble, !located.item.status.isUnsent else { continue }
                display.say("message \(located.item.id.number): \(trouble)", .warning)
            }
        case .itemChanged(let located):
            if isHere(located.item.chat) { show(changed: located) }
        case .itemsDeleted(let deleted):
            for entry in deleted where isHere(entry.chat) {
                display.say("message \(entry.item.number) was deleted", .muted)
            }
        case .chatDeleted(let chat):
            if isHere(chat) {
                let subject = if case .group = chat { "group" } else { "contact" }
                display.say("the \(subject) was deleted; /back returns", .warning)
            }
            listsChanged()
        case .profileGone(let profile): leave(profile: profile)
        case .listsChanged: listsChanged()
        case .callEnded(let located):
            if isHere(located.item.chat) { show(changed: located) }
        case .requestReceived, .notice:
            guard let (subject, text) = effect.sentence else { return }
            display.print(row: StyledText(subject, .name) + StyledText(" \(text)"))
            scheduler.enqueue { [weak self] in await self?.updatePrompt() }
        case .gateChanged, .callBegan, .relayLost, .relayReached: break
        }
    }

    /// Goes to the active profile if the one on the screen was deleted or hidden. Nothing of that stays on the screen.
    private func leave(profile: ProfileID) {
        guard state.profile == profile.number else { return listsChanged() }
        display.terminal?.answer(nil)
        display.terminal?.clear()
        display.terminal?.clearScreen()
        state = NavigationState()
        scheduler.enqueue { [weak self] in
            guard let self else { return }
            await startAtHome()
            drafts.forget()
            await showTop()
        }
    }

    private func listsChanged() {
        renewList()
        scheduler.enqueue { [weak self] in await self?.updatePrompt() }
    }

    private func take(new items: [LocatedItem]) {
        let here = items.filter { isHere($0.item) }
        let others = items.filter { !isHere($0.item) && $0.item.status == .receivedNew }
        let mentions = others.filter { $0.item.group?.mentionsUser == true }.count
        prompt.add(unread: others.count, mentions: mentions)
        if here.count < items.count { renewList() }
        takeSupport(others)
        guard !here.isEmpty else { return }
        if isAtEnd { show(new: here) } else { display.say("new messages: /end shows them", .unread) }
        let ids = here.filter { $0.item.status == .receivedNew }.map(\.item.id)
        if isAtEnd, !ids.isEmpty { scheduler.enqueue { [weak self] in await self?.mark(ids) } }
    }

    /// Marks messages of the conversation as read.
    private func mark(_ ids: [ChatItemID]) async {
        guard let conversation else { return }
        await memory.writes.value {
            _ = try await core.execute(MarkItemsRead(.reference(conversation), ids))
        }
    }

    /// Shows messages to the moderators where the screen is their support chat, or says that there are some.
    private func takeSupport(_ items: [LocatedItem]) {
        let items = items.filter { !display.isHidden && $0.item.supportID != nil && $0.item.chat == chat }
        guard let last = items.last?.item.supportID else { return }
        if case .support(_, last)? = supportChat {
            scheduler.enqueue { [weak self] in await self?.showTop() }
        } else {
            let slash = conversation == nil ? "" : "/"
            display.say("new messages to the moderators: \(slash)open support", .unread)
        }
    }

    /// True if an entry belongs to the conversation on the screen.
    private func isHere(_ item: ChatItem) -> Bool { isHere(item.chat) && item.supportID == nil }

    private func isHere(_ chat: ChatReference) -> Bool { !display.isHidden && chat == conversation }
}
