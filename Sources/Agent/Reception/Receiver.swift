import AgentProtocol
import SMPClient
import SMPProtocol

/// Names a way to a relay: profiles never share one.
struct LinkKey: Hashable {
    let profileID: ProfileID
    let server: ServerAddress
}

/// Subscribes the queues, stores what comes and acknowledges it.
///
/// A relay delivers one message of a queue at a time and the next one with the acknowledgement. That nothing waits in a
/// queue is known when an acknowledgement is answered by OK, or, where no message came at all, when the relay says that
/// the queue is empty after it has delivered what it had for all queues.
final class Receiver {
    private enum State {
        /// Not asked for, or lost with the session.
        case idle
        case requested
        /// Subscribed; whether something waits is not known.
        case subscribed
        /// A message is being stored and acknowledged.
        case busy
        case empty
        /// The relay does not have the queue, or somebody else subscribed it.
        case lost
    }

    private final class Subscription {
        let queue: Subscribable
        var state = State.idle

        init(_ queue: Subscribable) {
            self.queue = queue
        }
    }

    private let engine: AgentEngine
    private let link: (LinkKey) -> RelayLink
    private var subscriptions: [LinkKey: [EntityID: Subscription]] = [:]
    private var failures: [LinkKey: SessionError] = [:]
    /// Whether queues are asked if they are empty.
    var provesEmpty = false
    var onNotice: (AgentNotice) -> Void = { _ in }
    var onFailure: (any Error) -> Void = { _ in }

    init(engine: AgentEngine, link: @escaping (LinkKey) -> RelayLink) {
        self.engine = engine
        self.link = link
    }

    /// Whether nothing waits in any queue of the relays that could be reached.
    var isDrained: Bool {
        subscriptions.allSatisfy { key, queues in
            failures[key] != nil
                || queues.values.allSatisfy { $0.state == .empty || $0.state == .lost }
        }
    }

    /// The relays that could not be reached.
    var obstacles: [Obstacle] {
        Set(failures.map { Obstacle(server: $0.key.server, error: $0.value) }).sorted {
            $0.server.location < $1.server.location
        }
    }

    /// How many queues there are, and how many of them are known to be empty.
    var progress: (empty: Int, total: Int) {
        subscriptions.values.reduce(into: (0, 0)) { progress, queues in
            progress.1 += queues.count
            progress.0 += queues.values.count { $0.state == .empty || $0.state == .lost }
        }
    }

    // MARK: - Which queues

    /// Subscribes all queues of the database.
    func start() throws {
        for queue in try engine.store.subscribableQueues() { add(queue) }
        for key in subscriptions.keys { subscribe(key) }
    }

    /// Follows a change of the queue of a connection.
    func update(_ id: ConnectionID) throws {
        if let queue = try engine.store.subscribableQueue(of: id) {
            add(queue)
            subscribe(LinkKey(profileID: queue.profileID, server: queue.server))
        } else {
            for (key, queues) in subscriptions {
                let others = queues.filter { $0.value.queue.connectionID != id }
                subscriptions[key] = others.isEmpty ? nil : others
                if others.isEmpty { failures[key] = nil }
            }
        }
    }

    private func add(_ queue: Subscribable) {
        let key = LinkKey(profileID: queue.profileID, server: queue.server)
        guard subscriptions[key]?[queue.recipientID] == nil else { return }
        subscriptions[key, default: [:]][queue.recipientID] = Subscription(queue)
    }

    func stop() {
        subscriptions = [:]
        failures = [:]
    }

    /// Whether a relay has queues of ours.
    func uses(_ key: LinkKey) -> Bool {
        subscriptions[key] != nil
    }

    // MARK: - Sessions

    func opened(_ key: LinkKey) {
        guard uses(key) else { return }
        failures[key] = nil
        onNotice(.up(key.server))
        subscribe(key)
    }

    func closed(_ key: LinkKey, _ error: SessionError) {
        guard let queues = subscriptions[key] else { return }
        for subscription in queues.values where subscription.state != .lost { subscription.state = .idle }
        failures[key] = error
        onNotice(.down(key.server, error))
    }

    /// Subscribes the queues that are not, in one go, and then finds out which of them are empty.
    private func subscribe(_ key: LinkKey) {
        let link = link(key)
        guard link.isOpen else { return link.open() }
        let queues = (subscriptions[key] ?? [:]).values.filter { $0.state == .idle }
        guard !queues.isEmpty else { return }
        for subscription in queues {
            subscription.state = .requested
            let queue = subscription.queue
            link.send(RelayCommand(.sub, entityID: queue.recipientID, key: queue.key)) { [weak self] answer in
                self?.subscribed(key, subscription, answer)
            }
        }
        // The answer to PING comes behind those to all subscriptions.
        link.send(.ping) { [weak self] answer in
            if case .success(.pong) = answer { self?.askWhetherEmpty(key, queues) }
        }
    }

    private func subscribed(_ key: LinkKey, _ subscription: Subscription, _ answer: RelaySession.Answer) {
        switch answer {
        case .success(.msg(let message)): receive(key, subscription, message)
        case .success(.sok), .success(.ok):
            if subscription.state == .requested { subscription.state = .subscribed }
        case .failure(.refused(let error)):
            subscription.state = .lost
            onNotice(.refused(subscription.queue.connectionID, error))
        // The session is about to end.
        case .success, .failure: break
        }
    }

    private func askWhetherEmpty(_ key: LinkKey, _ queues: [Subscription]) {
        guard provesEmpty else { return }
        for subscription in queues where subscription.state == .subscribed {
            let queue = subscription.queue
            link(key).send(RelayCommand(.que, entityID: queue.recipientID, key: queue.key)) { answer in
                // A queue that is not empty will be heard of.
                if case .success(.info(let state)) = answer, state.size == 0, subscription.state == .subscribed {
                    subscription.state = .empty
                }
            }
        }
    }

    // MARK: - Messages

    func handle(_ key: LinkKey, _ entityID: EntityID, _ message: RelayMessage) {
        guard let subscription = subscriptions[key]?[entityID] else { return }
        switch message {
        case .msg(let message): receive(key, subscription, message)
        case .end:
            subscription.state = .lost
            onNotice(.end(subscription.queue.connectionID))
        case .deld:
            subscription.state = .lost
            onNotice(.refused(subscription.queue.connectionID, .authorization))
        default: break
        }
    }

    private func receive(_ key: LinkKey, _ subscription: Subscription, _ message: EncryptedMessage) {
        let queue = subscription.queue
        subscription.state = .busy
        do {
            try engine.receive(message, in: queue.recipientID, at: queue.server)
        } catch {
            // Not acknowledged: the relay keeps the message.
            return onFailure(error)
        }
        let acknowledgement = RelayCommand(
            .ack(messageID: message.messageID), entityID: queue.recipientID, key: queue.key)
        link(key).send(acknowledgement) { [weak self] answer in
            guard subscription.state == .busy else { return }
            switch answer {
            case .success(.ok), .failure(.refused(.noMessage)): subscription.state = .empty
            case .success(.msg(let next)): self?.receive(key, subscription, next)
            case .failure(.refused): subscription.state = .lost
            // The session is about to end; the message will come again and be recognised.
            case .success, .failure: break
            }
        }
    }
}
