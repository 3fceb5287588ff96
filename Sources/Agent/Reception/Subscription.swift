import SMPProtocol

/// A queue that messages come from, as far as it is known what waits in it.
final class Subscription {
    enum State {
        /// Not asked for, or lost with the session.
        case idle
        case requested
        /// Subscribed; whether something waits is not known.
        case subscribed
        /// A message is being stored and acknowledged.
        case busy
        /// A message came that has to wait for another queue, and came too early to be waited for.
        case deferred
        case empty
        /// The relay does not have the queue, or somebody else subscribed it.
        case lost
    }

    var queue: Subscribable
    private weak var relay: RelayQueues?
    var state = State.idle {
        didSet { relay?.count(oldValue, state) }
    }
    /// A message that must not be read before those in the queue that this one replaces.
    var held: EncryptedMessage?
    /// How often it was asked whether the queue is empty.
    var questions = 0
    /// The first question whose answer counts: what was asked before may be answered late.
    var firstQuestion = 0

    init(_ queue: Subscribable, at relay: RelayQueues) {
        self.queue = queue
        self.relay = relay
    }

    var key: LinkKey { LinkKey(profileID: queue.profileID, server: queue.server) }

}

extension Subscription.State {
    /// Whether the relay delivers what comes.
    var isSubscribed: Bool {
        switch self {
        case .subscribed, .busy, .deferred, .empty: true
        case .idle, .requested, .lost: false
        }
    }

    /// Whether nothing more is known to come.
    var isDone: Bool { self == .empty || self == .lost || self == .deferred }
}

/// The queues of a profile at one relay. Counts are kept up to date with each change: with 100,000 queues a scan after each answer
/// takes too long.
final class RelayQueues {
    private(set) var byID: [EntityID: Subscription] = [:]
    /// How many are not known to be empty.
    private(set) var unfinished = 0
    /// Queues to be subscribed, the next one last.
    private var line: [Subscription] = []
    /// How many commands wait for the answer of the relay.
    private var asked = 0

    /// How many commands may wait at a time: some fifty blocks keep a relay busy that is far away, and what has to be
    /// remembered of them takes a few megabytes at most.
    private static let window = 4096

    var isEmpty: Bool { byID.isEmpty }
    var count: Int { byID.count }

    func add(_ subscription: Subscription) {
        byID[subscription.queue.recipientID] = subscription
        if !subscription.state.isDone { unfinished += 1 }
        line.append(subscription)
    }

    func remove(_ subscription: Subscription) {
        guard byID.removeValue(forKey: subscription.queue.recipientID) != nil else { return }
        if !subscription.state.isDone { unfinished -= 1 }
    }

    /// Takes note of a change of one of the queues.
    func count(_ before: Subscription.State, _ after: Subscription.State) {
        if before.isDone != after.isDone { unfinished += after.isDone ? -1 : 1 }
    }

    /// Has all queues subscribed again: their session has ended.
    func restart() {
        asked = 0
        for subscription in byID.values where subscription.state != .lost {
            subscription.state = .idle
            subscription.held = nil
        }
        line = byID.values.filter { $0.state == .idle }
    }

    /// Has those queues subscribed again that are, and of which nothing is known to come.
    func askAgain() {
        for subscription in byID.values where subscription.state == .subscribed || subscription.state == .empty {
            subscription.state = .idle
            line.append(subscription)
        }
    }

    /// The next queues to be subscribed, as many as there is room for.
    func next() -> [Subscription] {
        var next: [Subscription] = []
        while asked + next.count < RelayQueues.window, let subscription = line.popLast() {
            // One that was removed meanwhile, or has been subscribed, is not.
            guard subscription.state == .idle, byID[subscription.queue.recipientID] === subscription else { continue }
            next.append(subscription)
        }
        return next
    }

    func ask(_ count: Int) {
        asked += count
    }

    func answered(_ count: Int) {
        asked = max(0, asked - count)
    }
}
