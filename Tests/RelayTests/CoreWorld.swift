import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import Store
import TestSupport
import Testing

/// A core without sockets, with a clock that stands still and random bytes that can be repeated.
final class CoreWorld {
    final class Clock {
        var now = Timestamp(seconds: 1_700_000_000)
    }

    let clock = Clock()
    let random: SeededRandom
    let path: String
    var rules: RelayRules
    private(set) var core: RelayCore
    private var lastConnection: UInt64 = 0
    /// What the relay answers as a proxy.
    var proxy: (ProxyRequest) -> RelayMessage = { _ in .err(.proxy(.noSession)) }
    private(set) var inboxes: [ClientID: [Answer]] = [:]

    init(
        _ path: String = Database.inMemory, seed: UInt64 = 1, exists: Bool = false, rules: RelayRules = RelayRules()
    ) throws {
        random = SeededRandom(seed: seed)
        self.path = path
        self.rules = rules
        let clock = clock
        core = try RelayCore(path, exists: exists, rules: rules, clock: { clock.now }, random: random)
    }

    /// Starts the core again from its file, as after a crash: what was not committed is gone, and all connections are.
    func restart() throws {
        let clock = clock
        inboxes.removeAll()
        core = try RelayCore(path, exists: true, rules: rules, clock: { clock.now }, random: random)
    }

    func connect(version: UInt16 = 18) -> CoreClient {
        lastConnection += 1
        return CoreClient(self, ClientID(lastConnection), version: version)
    }

    /// Connects a session of a service, as after its hello.
    ///
    /// - Throws: `TransportError`.
    func connect(
        service fingerprint: Bytes, _ role: ServiceHello.Role = .messaging, version: UInt16 = 20
    ) throws -> CoreClient {
        lastConnection += 1
        let id = ClientID(lastConnection), key = Ed25519.PrivateKey(random: random)
        let service = try core.service(
            ServiceCredentials(role: role, fingerprint: fingerprint, key: key.publicKey), of: id)
        return CoreClient(self, id, version: version, service: (service, fingerprint, key))
    }

    /// Ends the turn and hands out what the clients are told; all of them read everything.
    func endTurn(room: Int = 1000) throws {
        for (connection, told) in try core.endTurn() {
            inboxes[connection, default: []] += told
        }
        for connection in inboxes.keys { core.makeRoom(room, for: connection) }
        let asked = core.takeProxyRequests()
        guard !asked.isEmpty else { return }
        for request in asked { core.answer(request, with: proxy(request)) }
        try endTurn(room: room)
    }

    /// Removes and returns what a client was told.
    func take(_ connection: ClientID) -> [Answer] {
        inboxes.updateValue([], forKey: connection) ?? []
    }

    func open(_ connection: ClientID) {
        inboxes[connection] = []
    }
}

/// A client of a core.
final class CoreClient {
    let world: CoreWorld
    let id: ClientID
    let session: TransmissionSession
    let relayKey: X25519.PrivateKey
    let ownKey: X25519.PrivateKey
    private(set) var events: [Answer] = []
    /// The service that the client is.
    let service: (session: ClientService, fingerprint: Bytes, key: Ed25519.PrivateKey)?

    fileprivate init(
        _ world: CoreWorld, _ id: ClientID, version: UInt16,
        service: (session: ClientService, fingerprint: Bytes, key: Ed25519.PrivateKey)? = nil
    ) {
        self.service = service
        self.world = world
        self.id = id
        session = TransmissionSession(version: version, sessionID: world.random.bytes(32))
        relayKey = X25519.PrivateKey(random: world.random)
        ownKey = X25519.PrivateKey(random: world.random)
        world.open(id)
        world.core.connect(id, session, relayKey: relayKey, clientKey: ownKey.publicKey, service: service?.session)
    }

    /// The received form of a command, with the correlation id of its answer.
    func received(
        _ command: ClientCommand, of entityID: EntityID = .empty, key: AuthorizationPrivateKey? = nil,
        correlationID: CorrelationID? = nil
    ) throws -> (CorrelationID, Received) {
        let correlationID = correlationID ?? CorrelationID(random: world.random)
        let bytes = try transmission(command, of: entityID, key: key, correlationID: correlationID)
        return (correlationID, Received(bytes, session: session))
    }

    func transmission(
        _ command: ClientCommand, of entityID: EntityID, key: AuthorizationPrivateKey?, correlationID: CorrelationID
    ) throws -> Bytes {
        let bytes = command.encoded(version: session.version)
        guard let key else {
            return Transmission(correlationID: correlationID, entityID: entityID, command: bytes).encoded(in: session)
        }
        if let service, command.tag.associatesService {
            // The key of the queue signs the service too, and the service signs the command.
            let plain = Transmission(correlationID: correlationID, entityID: entityID, command: bytes)
            let signed = plain.authorized(in: session)
            return Transmission(
                authorization: try Authorization.make(
                    for: service.fingerprint + signed, key: key, correlationID: correlationID,
                    relayKey: relayKey.publicKey),
                serviceSignature: service.key.sign(signed), correlationID: correlationID, entityID: entityID,
                command: bytes
            ).encoded(in: session)
        }
        return try Transmission(
            bytes, entityID: entityID, correlationID: correlationID, key: key, session: session,
            relayKey: relayKey.publicKey
        ).encoded(in: session)
    }

    /// Gives a command to the core without ending the turn.
    @discardableResult
    func submit(
        _ command: ClientCommand, of entityID: EntityID = .empty, key: AuthorizationPrivateKey? = nil
    ) throws -> CorrelationID {
        let (correlationID, received) = try received(command, of: entityID, key: key)
        world.core.receive(received, from: id)
        return correlationID
    }

    /// Gives a command to the core, ends the turn, and returns the answer.
    func ask(
        _ command: ClientCommand, of entityID: EntityID = .empty, key: AuthorizationPrivateKey? = nil,
        correlationID: CorrelationID? = nil
    ) throws -> RelayMessage {
        let (correlationID, received) = try received(
            command, of: entityID, key: key, correlationID: correlationID)
        world.core.receive(received, from: id)
        try world.endTurn()
        return try #require(answers()[correlationID], "the command is answered")
    }

    /// The answers that have come, by their ids; events are kept apart.
    func answers() -> [CorrelationID: RelayMessage] {
        var answers: [CorrelationID: RelayMessage] = [:]
        for told in world.take(id) {
            if told.correlationID.isEmpty { events.append(told) } else { answers[told.correlationID] = told.message }
        }
        return answers
    }

    /// Removes and returns the events that have come.
    func takeEvents() -> [Answer] {
        _ = answers()
        defer { events = [] }
        return events
    }

    func disconnect() {
        world.core.disconnect(id)
    }
}

/// A queue as both of its sides know it.
struct TestQueue {
    let recipientID: EntityID
    let senderID: EntityID
    let linkID: EntityID?
    let recipientKey: AuthorizationPrivateKey
    let secret: Secret
    var notifierID: EntityID?
    var notifierKey: AuthorizationPrivateKey?
    var notifierSecret: Secret?

    /// The text of a delivered message, or `QUOTA`.
    func read(_ message: RelayMessage) throws -> String {
        guard case .msg(let encrypted) = message else { return "\(message.tag)" }
        switch try ReceivedBody(opening: encrypted, secret: secret) {
        case .message(_, _, let body): return String(decoding: body, as: UTF8.self)
        case .quota: return "QUOTA"
        }
    }
}

extension CoreClient {
    /// Makes a queue with keys of the given kind.
    func makeQueue(
        mode: QueueMode? = .messaging, key: AuthorizationPrivateKey? = nil, subscribe: Bool = true,
        blobs: LinkBlobs? = nil, linkID: EntityID? = nil, password: ServerPassword? = nil, withNotifier: Bool = false
    ) throws -> TestQueue {
        let key = key ?? .ed25519(Ed25519.PrivateKey(random: world.random))
        let dhKey = X25519.PrivateKey(random: world.random), notifierDH = X25519.PrivateKey(random: world.random)
        let notifierKey = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: world.random))
        let correlationID = CorrelationID(random: world.random)
        let link = blobs.map { blobs in
            NewLink(
                linkID: mode == .contact ? linkID ?? EntityID(world.random.bytes(24)) : nil,
                senderID: .sender(for: correlationID), blobs: blobs)
        }
        let new = NewQueue(
            recipientKey: key.publicKey, dhKey: dhKey.publicKey, password: password,
            subscription: subscribe ? .subscribe : .createOnly,
            request: mode.map { QueueRequest(mode: $0, link: link) },
            notifier: withNotifier
                ? NotifierKeys(authorizationKey: notifierKey.publicKey, dhKey: notifierDH.publicKey) : nil)
        let answer = try ask(.new(new), key: key, correlationID: correlationID)
        if case .err(let error) = answer { throw error }
        guard case .ids(let ids) = answer else {
            Issue.record("NEW is answered by \(answer)")
            throw ProtocolError.internal
        }
        var queue = TestQueue(
            recipientID: ids.recipientID, senderID: ids.senderID, linkID: ids.linkID, recipientKey: key,
            secret: try dhKey.agree(with: ids.dhKey))
        if let notifier = ids.notifier {
            queue.notifierID = notifier.notifierID
            queue.notifierKey = notifierKey
            queue.notifierSecret = try notifierDH.agree(with: notifier.dhKey)
        }
        return queue
    }

    /// A command of the queue's recipient.
    func own(_ queue: TestQueue, _ command: ClientCommand) throws -> RelayMessage {
        try ask(command, of: queue.recipientID, key: queue.recipientKey)
    }

    func send(_ text: String, to queue: TestQueue, key: AuthorizationPrivateKey? = nil) throws -> RelayMessage {
        try ask(
            .send(MessageFlags(notifies: true), body: Bytes(text.utf8)), of: queue.senderID, key: key)
    }
}

extension RelayMessage {
    static let auth = RelayMessage.err(.authorization)
    static let prohibited = RelayMessage.err(.command(.prohibited))
}

func ed25519(_ world: CoreWorld) -> AuthorizationPrivateKey {
    .ed25519(Ed25519.PrivateKey(random: world.random))
}
