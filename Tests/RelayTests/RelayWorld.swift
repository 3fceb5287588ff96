import AttackSupport
import ByteCoding
import CryptoCore
import Glibc
import Relay
import SMPProtocol
import SecureTransport
import SystemIO
import TestSupport
import Testing

/// The certificate of a service, with the key that signs the commands of a session.
struct TestService {
    let role: ServiceHello.Role
    let certificates: RelayCertificates
    let key = Ed25519.PrivateKey(random: SystemRandom())

    init(_ role: ServiceHello.Role = .messaging, certificates: RelayCertificates? = nil) throws {
        self.role = role
        self.certificates =
            try certificates ?? RelayCertificates.generate(host: "bot", random: SystemRandom()).certificates
    }

    /// A session of the same service with another key.
    func again() throws -> TestService { try TestService(role, certificates: certificates) }

    /// The context of a client that presents the certificate in TLS.
    func context() throws -> TLSContext {
        try TLSContext(clientOf: SMP.alpn, with: (certificates.chain, certificates.key))
    }

    var hello: ServiceHello {
        ServiceHello(
            role: role, chain: certificates.chain.certificates,
            signedKey: SignedServiceKey(key.publicKey, signedBy: certificates.key).der)
    }

    /// Signs a command for a queue of the service: the key of the queue signs the certificate too.
    func transmission(
        _ bytes: Bytes, of entityID: EntityID, key: AuthorizationPrivateKey, _ id: CorrelationID, in session: SMPSession
    ) throws -> Bytes {
        let plain = Transmission(correlationID: id, entityID: entityID, command: bytes)
        let signed = plain.authorized(in: session.transmission)
        return Transmission(
            authorization: try Authorization.make(
                for: certificates.fingerprint + signed, key: key, correlationID: id, relayKey: session.relayKey),
            serviceSignature: self.key.sign(signed), correlationID: id, entityID: entityID, command: bytes
        ).encoded(in: session.transmission)
    }
}

/// A client of a relay on loopback, with nothing that a client does by itself.
final class LoopbackClient {
    private(set) var connection: TLSConnection?
    private(set) var hello: ServerHello?
    private(set) var session: SMPSession?
    private(set) var end: ConnectionError?
    /// The blocks that came before or instead of a session.
    private(set) var plainBlocks: [Bytes] = []
    private(set) var received: [(CorrelationID, EntityID, RelayMessage)] = []
    private let loop: EventLoop
    private let random = SystemRandom()
    private let fingerprint: Bytes
    private let version: UInt16
    private let encryptsBlocks: Bool
    private var handshake: ClientHandshake?
    private let service: TestService?
    /// The relay's response to the certificate of the service.
    private(set) var serviceAnswer: ServiceAnswer?

    /// True if commands can be sent.
    var isOpen: Bool { session != nil && (service == nil || serviceAnswer != nil) }
    /// The id of the service at the relay.
    var serviceID: EntityID? { if case .accepted(let id) = serviceAnswer { id } else { nil } }

    /// - Parameters:
    ///   - version: 0 for a client that does not answer the relay's hello.
    ///   - context: What many clients have in common; nil for one of this client alone, with `alpn`.
    init(
        port: UInt16, fingerprint: Bytes, loop: EventLoop, version: UInt16 = 18, encryptsBlocks: Bool = true,
        alpn: String = SMP.alpn, context: TLSContext? = nil, from source: String? = nil, service: TestService? = nil
    ) throws {
        self.loop = loop
        self.service = service
        self.fingerprint = fingerprint
        self.version = version
        self.encryptsBlocks = encryptsBlocks
        let context = try context ?? service?.context() ?? TLSContext(clientOf: alpn)
        connection = try TLSConnection(
            FileDescriptor(owning: try LoopbackSocket.connect(port, from: source)), side: .client, context: context,
            loop: loop,
            blockSize: SMP.blockSize, handshakeDeadline: .seconds(20), writeDeadline: .seconds(20)
        ) { [unowned self] event in
            switch event {
            case .secured(let session): secured(session)
            case .block(let block): receive(block)
            case .closed(let error): end = error
            }
        }
    }

    private func secured(_ tls: TLSSession) {
        guard case .ed25519(let key) = try? tls.chain.verify(fingerprint: fingerprint) else {
            Issue.record("the relay is another one")
            return
        }
        handshake = ClientHandshake(
            versions: VersionRange(6, max(6, version)), fingerprint: fingerprint, sessionID: tls.sessionID,
            leafKey: .ed25519(key))
    }

    private func receive(_ block: Bytes) {
        guard session != nil else { return receiveHello(block) }
        guard isOpen else {
            serviceAnswer = try? ServiceAnswer(decoding: Padding.unpad(block))
            return
        }
        do {
            guard let content = try session?.cipher.open(block), let session else { return }
            for bytes in try Batch.transmissions(of: content) {
                let transmission = try Transmission(decoding: bytes, session: session.transmission)
                received.append(
                    (
                        transmission.correlationID, transmission.entityID,
                        try RelayMessage(decoding: transmission.command, version: session.version)
                    ))
            }
        } catch {
            Issue.record("a block cannot be read: \(error)")
        }
    }

    private func receiveHello(_ block: Bytes) {
        plainBlocks.append(block)
        guard hello == nil, let content = try? Padding.unpad(block) else { return }
        hello = try? ServerHello(decoding: content)
        guard version > 0 else { return }
        do {
            let key = encryptsBlocks ? X25519.PrivateKey(random: random) : nil
            guard let answer = try handshake?.answer(content, key: key) else { return }
            let hello = answer.hello
            sendPlain(
                ClientHello(
                    version: hello.version, fingerprint: hello.fingerprint, key: hello.key, isProxy: hello.isProxy,
                    service: service?.hello
                ).encoded)
            session = answer.session
        } catch {
            Issue.record("the relay's hello cannot be answered: \(error)")
        }
    }

    /// Sends a padded block that is not encrypted.
    func sendPlain(_ content: Bytes) {
        guard let block = try? Padding.pad(content, to: SMP.blockSize) else { return }
        connection?.send(block)
    }

    /// Sends commands in one block.
    @discardableResult
    func send(
        _ commands: [(ClientCommand, EntityID, AuthorizationPrivateKey?)]
    ) throws -> [CorrelationID] {
        guard let session else { return [] }
        var ids: [CorrelationID] = []
        let transmissions = try commands.map { command, entityID, key in
            let id = CorrelationID(random: random), bytes = command.encoded(version: session.version)
            ids.append(id)
            guard let key else {
                return Transmission(correlationID: id, entityID: entityID, command: bytes).encoded(
                    in: session.transmission)
            }
            if let service, command.tag.associatesService {
                return try service.transmission(bytes, of: entityID, key: key, id, in: session)
            }
            return try Transmission(
                bytes, entityID: entityID, correlationID: id, key: key, session: session.transmission,
                relayKey: session.relayKey
            ).encoded(in: session.transmission)
        }
        sendContent(Batch.content(transmissions))
        return ids
    }

    /// Sends the content of one block.
    func sendContent(_ content: Bytes) {
        guard let block = try? session?.cipher.seal(content) else { return }
        connection?.send(block)
    }

    func answer(to id: CorrelationID) -> RelayMessage? {
        received.first { $0.0 == id }?.2
    }

    /// Messages that were delivered.
    var messageCount: Int { received.count { $0.2.tag == .msg } }

    func close() {
        connection?.close()
        connection = nil
    }
}

/// A relay in a temporary folder, served on the loop of the test.
final class RelayWorld {
    let folder: TemporaryFolder
    let loop: EventLoop
    private(set) var server: RelayServer?

    /// - Parameter loop: The loop of another relay, to have both in one test.
    init(
        limits: RelayLimits = .loopback, on loop: EventLoop? = nil,
        _ change: (inout RelaySettings) throws -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        self.loop = try loop ?? EventLoop()
        var settings = RelaySettings(hosts: [try TransportHost(text: "127.0.0.1")], port: 0)
        settings.listen = try TransportHost(text: "127.0.0.1")
        try change(&settings)
        try RelayFolder.create(at: "\(folder.path)/relay", settings: settings)
        try start(limits: limits)
    }

    var path: String { "\(folder.path)/relay" }

    /// The address with the port that the system chose.
    func address() throws -> ServerAddress {
        try #require(server).address
    }

    func start(
        limits: RelayLimits = .loopback,
        clock: @escaping () -> Timestamp = { Timestamp(milliseconds: SystemClock.milliseconds()) }
    ) throws {
        server = try RelayServer(
            RelayFolder(opening: path), on: loop, limits: limits,
            clock: clock, random: SystemRandom())
    }

    func stop() {
        server?.stop()
        server = nil
    }

    /// Handles events until the condition holds.
    func run(_ what: Comment, until isDone: () -> Bool) throws {
        try loop.run(what, until: isDone)
    }

    /// A client whose TLS handshake is not done yet.
    func dial(
        version: UInt16 = 18, encryptsBlocks: Bool = true, alpn: String = SMP.alpn, from source: String? = nil
    ) throws -> LoopbackClient {
        let server = try #require(server)
        return try LoopbackClient(
            port: server.port, fingerprint: server.address.fingerprint, loop: loop, version: version,
            encryptsBlocks: encryptsBlocks, alpn: alpn, from: source)
    }

    /// - Parameter source: The loopback address that the client connects from; nil for the usual one.
    func connect(
        version: UInt16 = 18, encryptsBlocks: Bool = true, from source: String? = nil
    ) throws -> LoopbackClient {
        let client = try dial(version: version, encryptsBlocks: encryptsBlocks, from: source)
        try run("the hellos are done") { client.session != nil || client.end != nil }
        try #require(client.session != nil)
        return client
    }

    /// Connects a session of a service, which presents its certificate in TLS.
    func connect(service: TestService, version: UInt16 = SMP.versions.max) throws -> LoopbackClient {
        let server = try #require(server)
        let client = try LoopbackClient(
            port: server.port, fingerprint: server.address.fingerprint, loop: loop, version: version, service: service)
        try run("the service is answered") { client.serviceAnswer != nil || client.end != nil }
        return client
    }

    /// Sends one command and waits for its answer.
    func ask(
        _ client: LoopbackClient, _ command: ClientCommand, of entityID: EntityID = .empty,
        key: AuthorizationPrivateKey? = nil
    ) throws -> RelayMessage {
        let id = try #require(try client.send([(command, entityID, key)]).first)
        try run("\(command.tag) is answered") { client.answer(to: id) != nil || client.end != nil }
        return try #require(client.answer(to: id), "\(command.tag) is answered")
    }

    func makeQueue(
        _ client: LoopbackClient, subscribe: Bool = true, request: QueueRequest? = QueueRequest(mode: .messaging),
        password: ServerPassword? = nil
    ) throws -> TestQueue {
        let random = SystemRandom()
        let key = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: random))
        let dhKey = X25519.PrivateKey(random: random)
        let new = NewQueue(
            recipientKey: key.publicKey, dhKey: dhKey.publicKey, password: password,
            subscription: subscribe ? .subscribe : .createOnly, request: request)
        guard case .ids(let ids) = try ask(client, .new(new), key: key) else { throw ProtocolError.internal }
        return TestQueue(
            recipientID: ids.recipientID, senderID: ids.senderID, linkID: ids.linkID, recipientKey: key,
            secret: try dhKey.agree(with: ids.dhKey))
    }
}

extension RelayLimits {
    /// The usual limits for relays on loopback, which may be proxies of each other.
    static var loopback: RelayLimits {
        var limits = RelayLimits()
        limits.proxy.admitsPrivate = true
        limits.proxy.openingsPerMinute = 1_000_000
        limits.proxy.connectionsPerHost = 1_000_000
        return limits
    }
}
