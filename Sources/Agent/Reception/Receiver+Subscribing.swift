import AgentProtocol
import SMPClient
import SMPProtocol

/// How queues are subscribed: so many in one go that the relay is kept busy, and never so many that what has to be
/// remembered of them counts.
extension Receiver {
    /// Subscribes the queues that are not, so many at a time, and finds out which of them are empty.
    func subscribe(_ key: LinkKey) {
        let link = link(key)
        guard link.isOpen else { return link.open() }
        guard let relay = relays[key] else { return }
        let queues = relay.next()
        guard !queues.isEmpty else { return }
        for subscription in queues {
            subscription.state = .requested
            let queue = subscription.queue
            link.send(RelayCommand(.sub, entityID: queue.recipientID, key: queue.key)) { [weak self] answer in
                self?.subscribed(key, subscription, answer)
            }
        }
        relay.ask(queues.count)
        // The answer to PING comes behind those to all subscriptions.
        link.send(.ping) { [weak self] answer in
            guard let self, case .success(.pong) = answer, relays[key] === relay else { return }
            relay.answered(queues.count)
            let up = queues.filter(\.state.isSubscribed).map(\.queue.connectionID)
            if !up.isEmpty { onNotice(.up(key.profileID, key.server, up)) }
            askWhetherEmpty(key, queues)
        }
    }

    private func subscribed(_ key: LinkKey, _ subscription: Subscription, _ answer: RelaySession.Answer) {
        switch answer {
        case .success(.msg(let message)): receive(key, subscription, message)
        case .success(.sok), .success(.ok):
            if subscription.state == .requested { subscription.state = .subscribed }
            let isAwaited = subscriptions(of: subscription.queue.connectionID).contains { $0.held != nil }
            if subscription.queue.role == .former || isAwaited { ask(subscription) }
        case .failure(.refused(let error)):
            subscription.state = .lost
            onNotice(.err(subscription.queue.connectionID, error))
            settleForEver(subscription)
        // The session is about to end.
        case .success, .failure: break
        }
    }

    /// Asks about those queues from which nothing came, and goes on with the next.
    private func askWhetherEmpty(_ key: LinkKey, _ queues: [Subscription]) {
        let silent = provesEmpty ? queues.filter { $0.state == .subscribed } : []
        guard let relay = relays[key], !silent.isEmpty else { return subscribe(key) }
        for subscription in silent { ask(subscription) }
        relay.ask(silent.count)
        link(key).send(.ping) { [weak self] answer in
            guard let self, case .success(.pong) = answer, relays[key] === relay else { return }
            relay.answered(silent.count)
            subscribe(key)
        }
    }
}
