import AgentProtocol
import ChatCore
import Commands
import TerminalKit

/// What happens in the store by itself.
extension Session {
    func take(_ event: ChatEvent) {
        switch event {
        case .homeChanged: enqueue { await $0.updatePrompt() }
        case .newItems(_, let items): take(new: items)
        case .itemsUpdated(_, let items):
            // Receipts come for every message: only what a person must know is said.
            for located in items where isHere(located.contact) {
                guard let trouble = located.item.status.trouble, !located.item.status.isUnsent else { continue }
                say("message \(located.item.id.number): \(trouble)", .warning)
            }
        case .itemUpdated(_, let located), .itemReaction(_, let located, _, _):
            if isHere(located.contact) { show(changed: located) }
        case .itemsDeleted(_, let deleted):
            for item in deleted where isHere(item.before.contact) {
                say("message \(item.before.item.id.number) was deleted", .muted)
            }
        default:
            guard let sentence = store.sentence(about: event) else { return }
            print([sentence.truncated(toWidth: area.width - 1)])
            enqueue { await $0.updatePrompt() }
        }
    }

    private func take(new items: [LocatedItem]) {
        let here = items.filter { isHere($0.contact) }
        let others = items.filter { !isHere($0.contact) && $0.item.status == .receivedNew }.count
        if others > 0 {
            unreadElsewhere += others
            redrawPrompt()
        }
        guard !here.isEmpty else { return }
        if isAtEnd { show(new: here) } else { say("new messages: /end shows them", .unread) }
        let ids = here.filter { $0.item.status == .receivedNew }.map(\.item.id)
        if isAtEnd, !ids.isEmpty { enqueue { await $0.mark(ids) } }
    }

    /// Marks entries of the conversation on the screen, unless it is another one by now.
    private func mark(_ ids: [ChatItemID]) async {
        guard let conversation else { return }
        _ = try? await reader.execute(.markItemsRead(.reference(.contact(conversation)), ids))
    }

    private func isHere(_ contact: Contact) -> Bool { !isHidden && contact.id == conversation }
}
