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
