import CryptoCore
import SMPProtocol

/// Names a connection while it is open.
package struct ClientID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// A connection, as the core sees it: what its hellos agreed on, what it is subscribed to, what it is owed.
final class Client {
    let id: ClientID
    let session: TransmissionSession
    let keys: SessionKeys

    /// By the number of the queue.
    var subscriptions: [Int64: ClientSubscription] = [:]
    /// Messages that GET returned and that were not acknowledged yet, by the number of their queue.
    var fetched: [Int64: EntityID] = [:]
    /// Ids of notifiers.
    var notifierSubscriptions: Set<EntityID> = []

    /// What it is told at the end of this turn: answers in the order of their commands, then events.
    var answers: [Answer] = []
    var events: [Answer] = []

    /// How many queues it has made.
    var createdQueues = 0
    /// How many of its commands wait for other relays.
    var proxyRequests = 0

    /// How many more blocks with an answer it may be sent before commands have to wait, and with a message before the
    /// messages have to.
    var room: Room
    /// Queues whose message waits for room.
    var waiting = WaitingLine<Int64>()

    struct Room {
        var answers: Int
        var messages: Int

        init(_ blocks: Int) {
            answers = blocks
            messages = blocks
        }
    }

    init(id: ClientID, session: TransmissionSession, keys: SessionKeys, room: Int) {
        self.id = id
        self.session = session
        self.keys = keys
        self.room = Room(room)
    }
}

/// The relay's X25519 key of one connection, and the agreements that it has made.
final class SessionKeys {
    private let relayKey: X25519.PrivateKey
    private let clientKey: X25519.PublicKey?
    private var proven: [X25519.PublicKey: Secret] = [:]

    /// An agreement takes 30 µs and 100 bytes.
    private static let provenLimit = 64

    init(relayKey: X25519.PrivateKey, clientKey: X25519.PublicKey?) {
        self.relayKey = relayKey
        self.clientKey = clientKey
    }

    /// The secret of a proxy and this relay; nil without a key in the client's hello.
    private(set) lazy var proxySecret: Secret? = clientKey.flatMap { try? relayKey.agree(with: $0) }

    /// The agreement with another key; nil for a key without contribution.
    func agree(with key: X25519.PublicKey) -> Secret? {
        proven[key] ?? (try? relayKey.agree(with: key))
    }

    /// Keeps the agreement with a key whose holder has just authorized a command, and will authorize more.
    ///
    /// SECURITY: agreements with other keys are not kept. Otherwise the second attempt with a wrong key would be faster
    /// for a queue that exists than for one that does not.
    func keep(_ secret: Secret, with key: X25519.PublicKey) {
        if proven.count >= SessionKeys.provenLimit { proven.removeAll(keepingCapacity: true) }
        proven[key] = secret
    }
}
