public import ByteCoding
import CryptoCore
public import SMPProtocol
import SecureTransport
public import SystemIO

/// A relay that keeps the rules of the protocol except where ``Faults`` say otherwise: real TLS, real hellos, queues in
/// memory. It checks no authorization, because its clients are the ones under test.
public final class HostileRelay {
    /// What the relay does wrong.
    public struct Faults: Sendable {
        /// The seconds since 1970 that messages get, one after the other, then again from the first; the time of this
        /// machine if empty.
        public var times: [Int64] = []
        /// Sends a PONG that answers nothing at this interval.
        public var pongInterval: Duration?
        /// Leaves all commands without an answer.
        public var isMute = false
        /// What is presented in TLS and in the hello, instead of the relay's own chain.
        public var presented: PresentedChain?
        /// What is shown to a client that asks for a session with another relay.
        public var proxied: PresentedChain?

        public init() {}
    }

    private final class Queue {
        let ids: QueueIDs
        let secret: Secret
        var link: (id: EntityID, blobs: LinkBlobs)?
        var messages: [(id: EntityID, body: ReceivedBody)] = []
        var subscriber: Client?
        var isDelivered = false

        init(_ ids: QueueIDs, secret: Secret) {
            self.ids = ids
            self.secret = secret
        }
    }

    private final class Client {
        var connection: TLSConnection?
        var handshake: RelayHandshake?
        var session: TransmissionSession?
        var cipher = BlockCipher()
    }

    private let loop: EventLoop
    private let faults: Faults
    private let random = SystemRandom()
    private let presented: PresentedChain
    private let context: TLSContext
    private let fingerprint: Bytes
    private var listener: Listener?
    private var clients: [ObjectIdentifier: Client] = [:]
    private var queues: [EntityID: Queue] = [:]
    private var senders: [EntityID: Queue] = [:]
    private var timeCount = 0
    /// How many commands it has got, by tag.
    public private(set) var commands: [CommandTag: Int] = [:]

    /// - Parameter fingerprint: What its address promises, if that is another than it presents.
    public init(_ loop: EventLoop, port: UInt16 = 0, faults: Faults = Faults(), fingerprint: Bytes? = nil) throws {
        self.loop = loop
        self.faults = faults
        let root = try IssuedCertificate.authority("SMP server CA")
        presented = try faults.presented ?? PresentedChain("own", .leaf(by: root), root.der)
        self.fingerprint = fingerprint ?? presented.fingerprint
        context = try TLSContext(serverWith: presented.chain, key: presented.key)
        listener = try Listener(host: "127.0.0.1", port: port, loop: loop) { [unowned self] number in accept(number) }
    }

    public var address: ServerAddress {
        ServerAddress(hosts: [.ipv4("127.0.0.1")], port: listener?.port, fingerprint: fingerprint)
    }

    // MARK: - Connections

    private func accept(_ number: Int32) {
        let client = Client()
        client.connection = try? TLSConnection(
            FileDescriptor(owning: number), side: .server, context: context, loop: loop, blockSize: SMP.blockSize,
            handshakeDeadline: .seconds(10), writeDeadline: .seconds(60)
        ) { [weak self, weak client] event in
            guard let self, let client else { return }
            switch event {
            case .secured(let tls): greet(client, tls)
            case .block(let block): if (try? receive(block, client)) == nil { end(client) }
            case .closed: end(client)
            }
        }
        clients[ObjectIdentifier(client)] = client
    }

    private func end(_ client: Client) {
        client.connection?.close()
        client.connection = nil
        clients[ObjectIdentifier(client)] = nil
        for queue in queues.values where queue.subscriber === client {
            queue.subscriber = nil
            queue.isDelivered = false
        }
    }

    private func greet(_ client: Client, _ tls: TLSSession) {
        let handshake = RelayHandshake(
            versions: SMP.versions, hasALPN: tls.alpn != nil, sessionID: tls.sessionID,
            chain: presented.chain.certificates, signer: presented.key, key: X25519.PrivateKey(random: random))
        client.handshake = handshake
        if let block = try? client.cipher.seal(handshake.hello.encoded) { client.connection?.send(block) }
    }

    private func receive(_ block: Bytes, _ client: Client) throws {
        let content = try client.cipher.open(block)
        guard let session = client.session else {
            guard let result = try client.handshake?.accept(content) else { return }
            client.session = result.transmission
            client.cipher = result.cipher
            if let interval = faults.pongInterval { keepSaying(.pong, to: client, every: interval) }
            return
        }
        for bytes in try Batch.transmissions(of: content) {
            let transmission = try Transmission(decoding: bytes, session: session)
            let command = try ClientCommand(decoding: transmission.command, version: session.version)
            commands[command.tag, default: 0] += 1
            guard !faults.isMute, let answer = try answer(command, transmission, client) else { continue }
            let hasEntity = (try? answer.tag.checkEntity(isPresent: true)) != nil
            send(answer, of: hasEntity ? transmission.entityID : .empty, transmission.correlationID, to: client)
        }
    }

    private func keepSaying(_ message: RelayMessage, to client: Client, every interval: Duration) {
        loop.after(interval) { [weak self, weak client] in
            guard let self, let client, client.connection != nil else { return }
            send(message, of: .empty, CorrelationID(random: random), to: client)
            keepSaying(message, to: client, every: interval)
        }
    }

    private func send(
        _ message: RelayMessage, of entityID: EntityID, _ correlationID: CorrelationID = .empty, to client: Client
    ) {
        guard let session = client.session else { return }
        let transmission = Transmission(
            correlationID: correlationID, entityID: entityID, command: message.encoded(version: session.version))
        guard let block = try? client.cipher.seal(Batch.content([transmission.encoded(in: session)])) else { return }
        client.connection?.send(block)
    }

    // MARK: - Commands

    private func answer(
        _ command: ClientCommand, _ transmission: Transmission, _ client: Client
    ) throws -> RelayMessage? {
        let id = transmission.entityID
        switch command {
        case .ping: return .pong
        case .new(let request): return try create(request, transmission.correlationID, client)
        case .lget, .lkey:
            guard let queue = queues.values.first(where: { $0.link?.id == id }), let link = queue.link else {
                return .err(.authorization)
            }
            return .lnk(senderID: queue.ids.senderID, link.blobs)
        case .skey: return senders[id] == nil ? .err(.authorization) : .ok
        case .send(let flags, let body):
            guard let queue = senders[id] else { return .err(.authorization) }
            queue.messages.append((EntityID(random.bytes(24)), .message(time: nextTime(), flags, body: body)))
            if let subscriber = queue.subscriber, !queue.isDelivered, let message = next(queue) {
                send(message, of: queue.ids.recipientID, to: subscriber)
            }
            return .ok
        case .prxy: return try faults.proxied.map { try proxied($0) } ?? .err(.proxy(.password))
        default:
            guard let queue = queues[id] else { return .err(.authorization) }
            return answer(command, queue, client)
        }
    }

    private func answer(_ command: ClientCommand, _ queue: Queue, _ client: Client) -> RelayMessage {
        switch command {
        case .sub:
            queue.subscriber = client
            return next(queue) ?? .sok(serviceID: nil)
        case .get: return next(queue) ?? .ok
        case .ack:
            if queue.isDelivered { queue.messages.removeFirst() }
            queue.isDelivered = false
            return next(queue) ?? .ok
        case .key, .off, .rkey: return .ok
        case .lset(let id, let blobs):
            queue.link = (id, blobs)
            return .ok
        case .ldel:
            queue.link = nil
            return .ok
        case .del:
            queues[queue.ids.recipientID] = nil
            senders[queue.ids.senderID] = nil
            return .ok
        case .que:
            return .info(
                QueueState(
                    isSecured: true, hasNotifier: false, subscription: nil, delivered: nil,
                    size: queue.messages.count, message: nil))
        default: return .err(.command(.prohibited))
        }
    }

    private func create(
        _ request: NewQueue, _ correlationID: CorrelationID, _ client: Client
    ) throws -> RelayMessage {
        let key = X25519.PrivateKey(random: random), link = request.request?.link
        let linkID = link.map { $0.linkID ?? EntityID(random.bytes(24)) }
        let ids = QueueIDs(
            recipientID: EntityID(random.bytes(24)), senderID: link?.senderID ?? EntityID(random.bytes(24)),
            dhKey: key.publicKey, mode: request.request?.mode, linkID: linkID)
        let queue = Queue(ids, secret: try key.agree(with: request.dhKey))
        if let link, let linkID { queue.link = (linkID, link.blobs) }
        queue.subscriber = client
        queues[ids.recipientID] = queue
        senders[ids.senderID] = queue
        return .ids(ids)
    }

    private func next(_ queue: Queue) -> RelayMessage? {
        guard let (id, body) = queue.messages.first,
            let message = try? body.seal(messageID: id, secret: queue.secret)
        else { return nil }
        queue.isDelivered = true
        return .msg(message)
    }

    private func nextTime() -> Int64 {
        guard !faults.times.isEmpty else { return SystemClock.milliseconds() / 1000 }
        defer { timeCount += 1 }
        return faults.times[timeCount % faults.times.count]
    }

    private func proxied(_ presented: PresentedChain) throws -> RelayMessage {
        let key = X25519.PrivateKey(random: random)
        return .pkey(
            ProxiedSession(
                sessionID: random.bytes(32), versions: SMP.proxiedVersions,
                credentials: SessionCredentials(
                    chain: presented.chain.certificates,
                    signedKey: SignedSessionKey(key.publicKey, signedBy: presented.key))))
    }
}
