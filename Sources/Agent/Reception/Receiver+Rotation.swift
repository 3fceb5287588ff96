import AgentProtocol
import SMPClient
import SMPProtocol

/// The reception during a rotation. The sender uses the old queue, then the new one. So the messages of the new queue
/// are held until the old queue is known to be empty.
extension Receiver {
    /// Holds a message of a new queue. Returns true if the message is to be read later.
    func holds(_ message: EncryptedMessage, _ subscription: Subscription) -> Bool {
        guard subscription.queue.role == .next, let old = old(of: subscription), old.state != .lost else {
            return false
        }
        // The relay of the old queue is unreachable, perhaps the reason for the rotation.
        if isUnreachable(old.key) { return false }
        subscription.held = message
        prove(old)
        return true
    }

    /// Checks if a queue is empty now. An earlier result may predate its last message.
    func prove(_ subscription: Subscription) {
        subscription.firstQuestion = subscription.questions + 1
        ask(subscription)
    }

    /// Records that a queue is empty, as far as is known.
    func settle(_ subscription: Subscription) {
        switch subscription.queue.role {
        case .current:
            onEmpty(subscription.queue.connectionID)
            if !heldMessages(of: subscription.queue.connectionID).isEmpty { ask(subscription) }
        case .next: onEmpty(subscription.queue.connectionID)
        case .former: ask(subscription)
        }
    }

    /// Records that a queue will deliver no messages, or an old queue no further ones.
    func settlePermanently(_ subscription: Subscription) {
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

    /// Records that the session with the relay of an old queue ended or failed.
    func settleClosed(_ key: LinkKey) {
        for old in queues(of: key) where old.queue.role == .current {
            for subscription in heldMessages(of: old.queue.connectionID) where subscription.key != key {
                if isUnreachable(key) {
                    release(subscription)
                } else if provesEmpty {
                    // The relay delivers the message again in the next session.
                    subscription.held = nil
                    subscription.state = .deferred
                }
            }
        }
    }

    /// Checks if a queue is empty. A waiting message is delivered in any case.
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
                settlePermanently(subscription)
            case .failure(.refused) where subscription.queue.role != .next: settlePermanently(subscription)
            // A queue that is not empty delivers a message, and the end of the session is reported.
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
