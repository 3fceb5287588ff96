import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import TestSupport
import Testing

/// Whatever a client sends is answered, and nothing traps.
@Suite(.timeLimit(.minutes(60))) struct CoreFuzzTests {
    private let world: CoreWorld
    private let clients: [CoreClient]
    private var random = SeededRandom(seed: 99)

    init() throws {
        world = try CoreWorld()
        let world = world
        clients = [6, 7, 9, 15, 18].map { world.connect(version: $0) }
    }

    private func receive(_ content: Bytes, _ client: CoreClient) throws {
        let received = Received.read(content, session: client.session)
        #expect(!received.isEmpty)
        for transmission in received { world.core.receive(transmission, from: client.id) }
        try world.endTurn()
        let told = world.take(client.id)
        #expect(told.count >= received.count)
        for answer in told { #expect(answer.encoded(in: client.session).count + 2 <= Batch.capacity) }
    }

    @Test mutating func randomBytes() throws {
        for round in 0..<3000 {
            let client = clients[round % clients.count]
            let content = world.random.bytes(
                Int.random(in: 0...(round.isMultiple(of: 10) ? 16364 : 300), using: &random))
            try receive(content, client)
            // The same bytes as one transmission.
            try receive(Batch.content([content]), client)
        }
    }

    @Test mutating func damagedCommands() throws {
        for client in clients {
            let key = ed25519(world)
            let mode: QueueMode? = client.session.version < 9 ? nil : .contact
            let queue = try client.makeQueue(mode: mode, key: key)
            let blobs = LinkBlobs(fixed: [1, 2], user: [3])
            let notifier = NotifierKeys(authorizationKey: key.publicKey, dhKey: client.ownKey.publicKey)
            let new = NewQueue(
                recipientKey: key.publicKey, dhKey: client.ownKey.publicKey, password: try ServerPassword("x"),
                request: mode.map { QueueRequest(mode: $0) }, notifier: notifier)
            let server = try ServerAddress(text: "smp://\(Base64URL.encode(Bytes(1...32)))@localhost")
            let commands: [(ClientCommand, EntityID, AuthorizationPrivateKey?)] = [
                (.new(new), .empty, key), (.sub, queue.recipientID, key), (.key(key.publicKey), queue.recipientID, key),
                (.rkey([key.publicKey]), queue.recipientID, key),
                (.lset(linkID: EntityID([1]), blobs), queue.recipientID, key), (.ldel, queue.recipientID, key),
                (.nkey(notifier), queue.recipientID, key), (.ndel, queue.recipientID, key),
                (.get, queue.recipientID, key), (.ack(messageID: .empty), queue.recipientID, key),
                (.que, queue.recipientID, key), (.off, queue.recipientID, key), (.subs(nil), queue.recipientID, key),
                (.skey(key.publicKey), queue.senderID, key), (.lkey(key.publicKey), queue.senderID, key),
                (.lget, queue.senderID, nil), (.nsub, queue.senderID, key), (.nsubs(nil), queue.senderID, key),
                (.send(MessageFlags(notifies: true), body: [1, 2, 3]), queue.senderID, nil), (.ping, .empty, nil),
                (.prxy(server, password: nil), .empty, nil),
                (.pfwd(version: 17, key: client.ownKey.publicKey, encrypted: [1]), queue.senderID, nil),
                (.rfwd(encrypted: Bytes(repeating: 1, count: 50)), .empty, nil),
            ]
            for (command, entityID, key) in commands {
                let transmission = try client.transmission(
                    command, of: entityID, key: key, correlationID: CorrelationID(random: world.random))
                for _ in 0..<40 {
                    var damaged = transmission
                    for _ in 0...Int.random(in: 0...2, using: &random) {
                        damaged[Int.random(in: 0..<damaged.count, using: &random)] ^= UInt8.random(
                            in: 1...255, using: &random)
                    }
                    if Bool.random(using: &random) {
                        damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random))
                    }
                    try receive(Batch.content([damaged]), client)
                }
            }
        }
    }

    @Test mutating func randomHellos() throws {
        let certificates = [Bytes(repeating: 1, count: 100), Bytes(repeating: 2, count: 100)]
        let handshake = RelayHandshake(
            versions: SMP.versions, hasALPN: true, sessionID: Bytes(1...32), chain: certificates,
            signer: Ed25519.PrivateKey(random: world.random), key: X25519.PrivateKey(random: world.random))
        let service = ServiceHello(role: .proxy, chain: [[1]], signedKey: [2])
        let good = ClientHello(
            version: 18, fingerprint: SHA256.hash(certificates[1]), key: clients[0].ownKey.publicKey, service: service
        ).encoded
        #expect(try handshake.accept(good).service == service)
        for variant in Damage.variants(of: good) { _ = try? handshake.accept(variant) }
        for _ in 0..<1000 {
            _ = try? handshake.accept(world.random.bytes(Int.random(in: 0...400, using: &random)))
        }
    }
}
