import AgentProtocol
import SMPClient
import SMPProtocol
import SystemIO

/// The key of a relay link: profiles never share one.
struct LinkKey: Hashable {
    let profileID: ProfileID
    let server: ServerAddress
}

/// The reception: subscribes queues, stores messages and acknowledges them (smp-agent.md 7.9, 12.3).
///
/// A relay delivers one message of a queue at a time, and the next one with the acknowledgement. A queue is empty when
/// an acknowledgement gets OK. If no message arrived at all, it is empty when the relay confirms that after delivering
/// the messages of all queues.
final class Receiver {
    let engine: AgentEngine
    let link: (LinkKey) -> RelayLink
    private(set) var relays: [LinkKey: RelayQueues] = [:]
    /// The same queues by connection, usually one for each.
    private var byConnection: [ConnectionID: [Subscription]] = [:]
    private(set) var failures: [LinkKey: SessionError] = [:]
    /// The relays that failed before and are being retried since ``askAgain()``.
    private var retried: Set<LinkKey> = []
    /// The number of failed sessions in a row.
    private var failedOpenings: [LinkKey: Int] = [:]
    /// True if queues are checked for being empty.
    var provesEmpty = false
    var onNotice: (AgentNotice) -> Void = { _ in }
    /// Called when the database fails for a connection.
    var onFailure: (any Error, ConnectionID) -> Void = { _, _ in }
    /// The note of the message being read.
    var crashNote: CrashNote?
    /// Called when no further message of a connection is expected.
    var onEmpty: (ConnectionID) -> Void = { _ in }

    init(engine: AgentEngine, link: @escaping (LinkKey) -> RelayLink) {
        self.engine = engine
        self.link = link
    }

    /// True if all queues of reachable relays are empty.
    var isDrained: Bool {
        relays.allSatisfy { key, queues in
            (failures[key] != nil && !retried.contains(key)) || queues.unfinished == 0
        }
    }

    /// Returns the unreachable relays of some profiles.
    func obstacles(of isIncluded: (ProfileID) -> Bool) -> [Obstacle] {
        let failures = failures.filter { isIncluded($0.key.profileID) }
        return Set(failures.map { Obstacle(server: $0.key.server, error: $0.value) }).sorted {
            $0.server.location < $1.server.location
        }
    }

    /// The number of queues known to be empty, and the number of all queues.
    var progress: (empty: Int, total: Int) {
        relays.values.reduce(into: (0, 0)) { progress, queues in
            progress.1 += queues.count
            progress.0 += queues.count - queues.unfinished
        }
    }

    // MARK: - Queues

    /// Subscribes all queues in the database.
    func start() throws {
        let (queues, unreadable) = try engine.store.subscribableQueues()
        for queue in queues { add(queue) }
        for id in unreadable { onNotice(.unreadable(id)) }
        for key in relays.keys { subscribe(key) }
    }

    /// Subscribes all queues again to check if they are empty. Messages that are being stored are finished first.
    func askAgain() {
        for (key, relay) in relays {
            relay.askAgain()
            if failures[key] != nil { retried.insert(key) }
            subscribe(key)
        }
    }

    /// Updates the queues of a connection after a change.
    func update(_ id: ConnectionID) throws {
        let queues = try engine.store.subscribableQueues(of: id)
        for gone in subscriptions(of: id) where !queues.contains(where: { $0.recipientID == gone.queue.recipientID }) {
            let key = gone.key
            relays[key]?.remove(gone)
            byConnection[id]?.removeAll { $0 === gone }
            if byConnection[id]?.isEmpty == true { byConnection[id] = nil }
            if relays[key]?.isEmpty == true {
                relays[key] = nil
                failures[key] = nil
                retried.remove(key)
            }
        }
        for queue in queues {
            add(queue)
            subscribe(LinkKey(profileID: queue.profileID, server: queue.server))
        }
        for former in subscriptions(of: id) where former.queue.role == .former {
            // The previous result predates the last message.
            if former.state == .empty { former.state = .subscribed }
            prove(former)
        }
    }

    /// Returns the queues of a connection.
    func subscriptions(of id: ConnectionID) -> [Subscription] {
        byConnection[id] ?? []
    }

    /// Returns the queues at a relay.
    func queues(of key: LinkKey) -> [Subscription] {
        relays[key].map { Array($0.byID.values) } ?? []
    }

    private func add(_ queue: Subscribable) {
        let key = LinkKey(profileID: queue.profileID, server: queue.server)
        let relay = relays[key] ?? RelayQueues()
        relays[key] = relay
        if let known = relay.byID[queue.recipientID] {
            known.queue = queue
            return
        }
        let subscription = Subscription(queue, at: relay)
        relay.add(subscription)
        byConnection[queue.connectionID, default: []].append(subscription)
    }

    func stop() {
        relays = [:]
        byConnection = [:]
        failures = [:]
        retried = []
        failedOpenings = [:]
    }

    /// Returns true if a relay has queues of ours.
    func uses(_ key: LinkKey) -> Bool {
        relays[key] != nil
    }

    /// Returns true if a relay is unreachable: after one attempt if the process only drains, otherwise after several.
    func isUnreachable(_ key: LinkKey) -> Bool {
        failures[key] != nil && failedOpenings[key, default: 0] >= (provesEmpty ? 1 : Receiver.attemptLimit)
    }

    private static let attemptLimit = 4

    // MARK: - Sessions

    func opened(_ key: LinkKey) {
        guard uses(key) else { return }
        failures[key] = nil
        retried.remove(key)
        failedOpenings[key] = 0
        onNotice(.connect(key.profileID, key.server))
        subscribe(key)
    }

    func closed(_ key: LinkKey, _ error: SessionError) {
        guard let queues = relays[key] else { return }
        let down = queues.byID.values.filter(\.state.isSubscribed).map(\.queue.connectionID)
        queues.restart()
        retried.remove(key)
        // The end of a session is not a failure to open one.
        if failures[key] == nil, failedOpenings[key] != nil {
            failedOpenings[key] = 0
        } else {
            failedOpenings[key, default: 0] += 1
        }
        failures[key] = error
        if !down.isEmpty { onNotice(.down(key.profileID, key.server, down.sorted { $0.number < $1.number })) }
        onNotice(.disconnect(key.profileID, key.server, error))
        settleClosed(key)
    }

    // MARK: - Messages

    func handle(_ key: LinkKey, _ entityID: EntityID, _ message: RelayMessage) {
        guard let subscription = relays[key]?.byID[entityID] else { return }
        switch message {
        case .msg(let message): receive(key, subscription, message)
        // Reported once, even if a relay repeats it.
        case .end where subscription.state == .lost, .deld where subscription.state == .lost: break
        case .end:
            subscription.state = .lost
            onNotice(.end(subscription.queue.connectionID))
            settlePermanently(subscription)
        case .deld:
            subscription.state = .lost
            onNotice(.deld(subscription.queue.connectionID))
            settlePermanently(subscription)
        case .err(.blocked(let blocking)) where subscription.state != .lost: refuse(subscription, .blocked(blocking))
        default: break
        }
    }

    /// Gives up a queue that its relay refuses.
    private func refuse(_ subscription: Subscription, _ error: ProtocolError) {
        let queue = subscription.queue
        subscription.state = .lost
        if case .blocked(let blocking) = error { note(blocking.notice, of: queue) }
        onNotice(.err(queue.connectionID, error))
        settlePermanently(subscription)
    }

    private func note(_ notice: Blocking.Notice?, of queue: Subscribable) {
        do { try engine.note(notice, of: queue.recipientID, at: queue.server) } catch {
            onFailure(error, queue.connectionID)
        }
    }

    func receive(_ key: LinkKey, _ subscription: Subscription, _ message: EncryptedMessage) {
        subscription.state = .busy
        if !holds(message, subscription) { store(key, subscription, message) }
    }

    /// Stores a message and acknowledges it.
    func store(_ key: LinkKey, _ subscription: Subscription, _ message: EncryptedMessage) {
        let queue = subscription.queue
        do {
            let number = message.crashNumber(in: queue.recipientID)
            try CrashNote.during(number, crashNote) {
                try engine.receive(message, number, in: queue.recipientID, at: queue.server)
            }
        } catch {
            // Not acknowledged: the relay keeps the message and sends no other message of this queue.
            subscription.state = .lost
            onFailure(error, queue.connectionID)
            return settlePermanently(subscription)
        }
        let acknowledgement = RelayRequest(
            .ack(messageID: message.messageID), entityID: queue.recipientID, key: queue.key)
        link(key).send(acknowledgement) { [weak self] answer in
            guard subscription.state == .busy, !subscription.isRemoved else { return }
            switch answer {
            case .success(.ok), .failure(.refused(.noMessage)):
                subscription.state = .empty
                self?.settle(subscription)
            case .success(.msg(let next)): self?.receive(key, subscription, next)
            case .failure(.refused(let error)): self?.refuse(subscription, error)
            // The session is about to end; the message will be delivered again and detected.
            case .success, .failure: break
            }
        }
    }
}

/// The subscription of queues. The number of commands in flight keeps a relay busy with bounded memory.
extension Receiver {
    /// Subscribes the next queues and checks if they are empty.
    func subscribe(_ key: LinkKey) {
        let link = link(key)
        guard link.isOpen else { return link.open() }
        guard let relay = relays[key] else { return }
        let queues = relay.next()
        guard !queues.isEmpty else { return }
        for subscription in queues {
            subscription.state = .requested
            let queue = subscription.queue
            link.send(RelayRequest(.sub, entityID: queue.recipientID, key: queue.key)) { [weak self] answer in
                self?.subscribed(key, subscription, answer)
            }
        }
        relay.ask(queues.count)
        // The response to PING follows those to all subscriptions.
        link.send(.ping) { [weak self] answer in
            guard let self, case .success(.pong) = answer, relays[key] === relay else { return }
            relay.answered(queues.count)
            let up = queues.filter(\.state.isSubscribed).map(\.queue.connectionID)
            if !up.isEmpty { onNotice(.up(key.profileID, key.server, up)) }
            askWhetherEmpty(key, queues)
        }
    }

    private func subscribed(_ key: LinkKey, _ subscription: Subscription, _ answer: RelaySession.Answer) {
        guard !subscription.isRemoved else { return }
        if case .success = answer { note(nil, of: subscription.queue) }
        switch answer {
        case .success(.msg(let message)): receive(key, subscription, message)
        case .success(.sok), .success(.ok):
            if subscription.state == .requested { subscription.state = .subscribed }
            let isAwaited = subscriptions(of: subscription.queue.connectionID).contains { $0.held != nil }
            if subscription.queue.role == .former || isAwaited { ask(subscription) }
        case .failure(.refused(let error)): refuse(subscription, error)
        // The session is about to end.
        case .success, .failure: break
        }
    }

    /// Checks the queues without a message, and continues with the next ones.
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
