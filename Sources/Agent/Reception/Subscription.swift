import SMPProtocol

/// A subscribed queue with its delivery state.
final class Subscription {
    enum State {
        /// Not subscribed, or lost with the session.
        case idle
        case requested
        /// Subscribed; unknown if messages are waiting.
        case subscribed
        /// A message is being stored and acknowledged.
        case busy
        /// A message arrived that has to wait for another queue, too early to be held.
        case deferred
        case empty
        /// The relay does not have the queue, or another client subscribed it.
        case lost
    }

    var queue: Subscribable
    fileprivate weak var relay: RelayQueues?
    var state = State.idle {
        didSet { relay?.count(oldValue, state) }
    }
    /// A message that must be read after those of the replaced queue.
    var held: EncryptedMessage?
    /// The number of checks for an empty queue.
    var questions = 0
    /// The first check whose response counts. Responses to earlier checks may be late.
    var firstQuestion = 0

    init(_ queue: Subscribable, at relay: RelayQueues) {
        self.queue = queue
        self.relay = relay
    }

    var key: LinkKey { LinkKey(profileID: queue.profileID, server: queue.server) }

    /// True if the queue was deleted here, with what it delivered: no response to an earlier command counts.
    var isRemoved: Bool { relay == nil }
}

extension Subscription.State {
    /// True if the relay delivers new messages.
    var isSubscribed: Bool {
        switch self {
        case .subscribed, .busy, .deferred, .empty: true
        case .idle, .requested, .lost: false
        }
    }

    /// True if no further messages are known to be waiting.
    var isDone: Bool { self == .empty || self == .lost || self == .deferred }
}

/// The queues of a profile at one relay. Counts are updated with each change: with 100,000 queues a scan after each
/// response takes too long.
final class RelayQueues {
    private(set) var byID: [EntityID: Subscription] = [:]
    /// The number of queues not known to be empty.
    private(set) var unfinished = 0
    /// The queues to subscribe, the next one last.
    private var line: [Subscription] = []
    /// The number of commands without a response.
    private var asked = 0

    /// The largest number of commands without a response. About fifty blocks keep a distant relay busy, and take a few
    /// megabytes of memory at most.
    private static let window = 4096

    var isEmpty: Bool { byID.isEmpty }
    var count: Int { byID.count }

    func add(_ subscription: Subscription) {
        byID[subscription.queue.recipientID] = subscription
        if !subscription.state.isDone { unfinished += 1 }
        line.append(subscription)
    }

    func remove(_ subscription: Subscription) {
        guard byID[subscription.queue.recipientID] === subscription else { return }
        byID[subscription.queue.recipientID] = nil
        if !subscription.state.isDone { unfinished -= 1 }
        // The response to its last command comes later, and must not be counted.
        subscription.relay = nil
    }

    /// Updates the counts after a change of one of the queues.
    func count(_ before: Subscription.State, _ after: Subscription.State) {
        if before.isDone != after.isDone { unfinished += after.isDone ? -1 : 1 }
    }

    /// Marks all queues for subscribing again, after the end of their session.
    func restart() {
        asked = 0
        for subscription in byID.values where subscription.state != .lost {
            subscription.state = .idle
            subscription.held = nil
        }
        line = byID.values.filter { $0.state == .idle }
    }

    /// Marks the subscribed queues without known messages for subscribing again.
    func askAgain() {
        for subscription in byID.values where subscription.state == .subscribed || subscription.state == .empty {
            subscription.state = .idle
            line.append(subscription)
        }
    }

    /// Returns the next queues to subscribe, as many as there is room for.
    func next() -> [Subscription] {
        var next: [Subscription] = []
        while asked + next.count < RelayQueues.window, let subscription = line.popLast() {
            // A queue that was removed or subscribed meanwhile is skipped.
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
