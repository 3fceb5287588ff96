import ChatCore
import Commands

/// Effects of events and of other processes.
extension Session {
    func take(_ effect: SessionEffect) {
        switch effect {
        case .gateChanged: queue.start { [gate] in await gate.reload() }
        case .newItems(let items): window.ring(for: items)
        case .itemsUpdated(let items): outbox.update(items)
        case .callBegan(let located):
            window.ring(for: [located])
            queue.start { [calls, router] in await calls.update(in: router.profile) }
        case .callEnded(let located): calls.remove(located.item.id)
        case .relayLost(let server, let problem): relays.lose(server.place, because: problem.sentence)
        case .relayReached(let server): relays.reach(server.place)
        case .itemChanged(let located):
            if transfers.take(located) { return }
        case .itemsDeleted, .chatDeleted, .profileGone, .listsChanged, .homeChanged, .requestReceived,
            .notice:
            break
        }
        router.take(effect)
    }
}
