import CryptoCore
import SMPProtocol

/// The id of a connection while it is open.
package struct ClientID: Hashable, Sendable {
    /// The number.
    package let number: UInt64

    /// Creates an id from its number.
    package init(_ number: UInt64) {
        self.number = number
    }
}

/// The state of a connection in the core: its session, its subscriptions, and its pending messages.
final class Client {
    let id: ClientID
    let session: TransmissionSession
    let keys: SessionKeys
    /// The service that the client is; nil for other clients.
    let service: ClientService?

    /// The subscriptions, by the numbers of their queues.
    var subscriptions: [Int64: ClientSubscription] = [:]
    /// The messages returned by GET and not acknowledged yet, by the numbers of their queues.
    var fetched: [Int64: EntityID] = [:]
    /// The subscribed notifiers, by id.
    var notifierSubscriptions: Set<EntityID> = []

    /// The messages to send at the end of this turn: responses in the order of their commands, then events.
    var answers: [Answer] = []
    var events: [Answer] = []

    /// The number of queues that the connection created.
    var createdQueues = 0
    /// The number of its commands that wait for other relays.
    var proxyRequests = 0
    /// The number of its commands that wait for the resolver of names.
    var nameRequests = 0

    /// The number of further blocks that may be sent: of responses before commands have to wait, and of messages before
    /// deliveries have to wait.
    var room: Room
    /// The queues whose message waits for room.
    var waiting = WaitingLine<Int64>()

    struct Room {
        var answers: Int
        var messages: Int

        init(_ blocks: Int) {
            answers = blocks
            messages = blocks
        }
    }

    init(
        id: ClientID, session: TransmissionSession, keys: SessionKeys, service: ClientService? = nil, room: Int
    ) {
        self.id = id
        self.session = session
        self.keys = keys
        self.service = service
        self.room = Room(room)
    }
}

/// The relay's X25519 key of one connection, with the agreements made with it.
final class SessionKeys {
    private let relayKey: X25519.PrivateKey
    private let clientKey: X25519.PublicKey?
    private var proven: [X25519.PublicKey: Secret] = [:]

    /// The largest number of stored agreements. An agreement takes 30 µs and 100 bytes.
    private static let provenLimit = 64

    init(relayKey: X25519.PrivateKey, clientKey: X25519.PublicKey?) {
        self.relayKey = relayKey
        self.clientKey = clientKey
    }

    /// The secret of a proxy and this relay; nil without a key in the client's hello.
    private(set) lazy var proxySecret: Secret? = clientKey.flatMap { try? relayKey.agree(with: $0) }

    /// Returns the agreement with another key, or nil for a key without contribution.
    func agree(with key: X25519.PublicKey) -> Secret? {
        proven[key] ?? (try? relayKey.agree(with: key))
    }

    /// Stores the agreement with a key that has just authorized a command, and will authorize more.
    ///
    /// SECURITY: agreements with other keys are not stored. Otherwise the second attempt with a wrong key would be
    /// faster for an existing queue than for a missing one.
    func keep(_ secret: Secret, with key: X25519.PublicKey) {
        if proven.count >= SessionKeys.provenLimit { proven.removeAll(keepingCapacity: true) }
        proven[key] = secret
    }
}
