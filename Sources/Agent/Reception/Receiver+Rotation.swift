import AgentProtocol
import SMPClient
import SMPProtocol

/// While a queue is being replaced there are two. The sender uses one after the other, so that the messages of the old one
/// come before those of the new one: those are held until the old one is known to be empty.
extension Receiver {
    /// Keeps a message of a new queue back. Returns whether it is to be read later.
    func holds(_ message: EncryptedMessage, _ subscription: Subscription) -> Bool {
        guard subscription.queue.role == .next, let old = old(of: subscription), old.state != .lost else {
            return false
        }
        // The relay of the old queue cannot be reached: it may be why there is a new one.
        if isUnreachable(old.key) { return false }
        subscription.held = message
        prove(old)
        return true
    }

    /// Finds out whether a queue is empty now. What was known of it may be from before its last message.
    func prove(_ subscription: Subscription) {
        subscription.firstQuestion = subscription.questions + 1
        ask(subscription)
    }

    /// Nothing waits in a queue, as far as is known.
    func settle(_ subscription: Subscription) {
        switch subscription.queue.role {
        case .current:
            onEmpty(subscription.queue.connectionID)
            if !heldMessages(of: subscription.queue.connectionID).isEmpty { ask(subscription) }
        case .next: onEmpty(subscription.queue.connectionID)
        case .former: ask(subscription)
        }
    }

    /// Nothing will ever come from a queue, or nothing more if it is an old one.
    func settleForEver(_ subscription: Subscription) {
        let id = subscription.queue.connectionID
        switch subscription.queue.role {
        case .current:
            onEmpty(id)
            for held in heldMessages(of: id) { release(held) }
        case .next: onEmpty(id)
        case .former:
            do { try engine.drained(id) } catch { onFailure(error, id) }
        }
    }

    /// The session with the relay of an old queue ended, or could not be made.
    func settleClosed(_ key: LinkKey) {
        for old in queues(of: key) where old.queue.role == .current {
            for subscription in heldMessages(of: old.queue.connectionID) where subscription.key != key {
                if isUnreachable(key) {
                    release(subscription)
                } else if provesEmpty {
                    // The relay delivers it again in the next session.
                    subscription.held = nil
                    subscription.state = .deferred
                }
            }
        }
    }

    /// Asks whether something waits in a queue. What waits is delivered in any case.
    func ask(_ subscription: Subscription) {
        let queue = subscription.queue
        guard link(subscription.key).isOpen, subscription.state != .idle, subscription.state != .requested else {
            return
        }
        subscription.questions += 1
        let question = subscription.questions
        link(subscription.key).send(RelayRequest(.que, entityID: queue.recipientID, key: queue.key)) {
            [weak self] answer in
            guard let self else { return }
            switch answer {
            case .success(.info(let state)) where state.size == 0:
                guard question >= subscription.firstQuestion,
                    subscription.state == .subscribed || subscription.state == .empty
                else { return }
                subscription.state = .empty
                settleForEver(subscription)
            case .failure(.refused) where subscription.queue.role != .next: settleForEver(subscription)
            // A queue that is not empty will be heard of, and so will the end of the session.
            case .success, .failure: break
            }
        }
    }

    private func release(_ subscription: Subscription) {
        guard let message = subscription.held else { return }
        subscription.held = nil
        store(subscription.key, subscription, message)
    }

    private func old(of subscription: Subscription) -> Subscription? {
        subscriptions(of: subscription.queue.connectionID).first { $0.queue.role == .current }
    }

    private func heldMessages(of id: ConnectionID) -> [Subscription] {
        subscriptions(of: id).filter { $0.held != nil }
    }
}
