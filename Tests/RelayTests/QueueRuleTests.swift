import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import TestSupport
import Testing

/// What commands do in which state of a queue, as tables: a list of acts, each with its answer.
@Suite struct QueueRuleTests {
    /// One command, by whom and with which key.
    enum Act {
        case key(Int), skey(Int), skeySigned(Int, by: Int)
        case send(Int?), off, sub, que, rkey([Int]), byRecipient(Int)
        case del
    }

    struct Table: CustomTestStringConvertible {
        let name: String
        let mode: QueueMode?
        let acts: [(Act, RelayMessage)]
        var testDescription: String { name }
    }

    static let tables = [
        Table(
            name: "KEY can be set once", mode: .messaging,
            acts: [
                (.send(nil), .ok), (.key(1), .ok), (.key(1), .ok), (.key(2), .auth), (.send(nil), .auth),
                (.send(1), .ok), (.send(2), .auth), (.skey(1), .ok), (.skey(2), .auth),
            ]),
        Table(
            name: "SKEY can be set once, by the holder of the key", mode: .messaging,
            acts: [
                (.send(1), .auth), (.skeySigned(1, by: 2), .auth), (.skey(1), .ok), (.skey(1), .ok), (.skey(2), .auth),
                (.key(1), .ok), (.key(2), .auth), (.send(nil), .auth), (.send(1), .ok),
            ]),
        Table(
            name: "a contact queue is secured by its recipient only", mode: .contact,
            acts: [(.skey(1), .auth), (.send(nil), .ok), (.key(1), .ok), (.send(nil), .auth), (.send(1), .ok)]),
        Table(
            name: "a queue without mode is secured by its recipient only", mode: nil,
            acts: [(.skey(1), .auth), (.send(nil), .ok), (.key(1), .ok), (.send(1), .ok), (.rkey([1]), .auth)]),
        Table(
            name: "RKEY is for contact queues", mode: .messaging,
            acts: [(.rkey([1]), .auth), (.byRecipient(1), .auth), (.byRecipient(0), .ok)]),
        Table(
            name: "RKEY replaces all keys", mode: .contact,
            acts: [
                (.rkey([1, 2]), .ok), (.byRecipient(0), .auth), (.byRecipient(1), .ok), (.byRecipient(2), .ok),
                (.byRecipient(3), .auth),
            ]),
        Table(
            name: "more recipient keys than are tried", mode: .contact,
            acts: [(.rkey(Array(1...16)), .ok), (.byRecipient(16), .ok)]),
        Table(
            name: "too many recipient keys", mode: .contact,
            acts: [(.rkey(Array(1...17)), .prohibited), (.byRecipient(0), .ok)]),
        Table(
            name: "OFF refuses messages and nothing else", mode: .messaging,
            acts: [
                (.off, .ok), (.send(nil), .auth), (.key(1), .ok), (.send(1), .auth), (.off, .ok),
                (.sub, .sok(serviceID: nil)),
            ]),
        Table(
            name: "after DEL there is nothing", mode: .messaging,
            acts: [
                (.del, .ok), (.del, .auth), (.sub, .auth), (.send(nil), .auth), (.skey(1), .auth), (.key(1), .auth),
                (.que, .auth),
            ]),
    ]

    @Test(arguments: tables)
    func rules(_ table: Table) throws {
        let world = try CoreWorld()
        let client = world.connect(), sender = world.connect()
        let queue = try client.makeQueue(mode: table.mode, subscribe: false)
        var keys: [Int: AuthorizationPrivateKey] = [0: queue.recipientKey]
        func key(_ index: Int) -> AuthorizationPrivateKey {
            let key = keys[index] ?? ed25519(world)
            keys[index] = key
            return key
        }
        for (index, (act, wanted)) in table.acts.enumerated() {
            let answer: RelayMessage
            switch act {
            case .key(let number): answer = try client.own(queue, .key(key(number).publicKey))
            case .skey(let number):
                answer = try sender.ask(.skey(key(number).publicKey), of: queue.senderID, key: key(number))
            case .skeySigned(let number, let signer):
                answer = try sender.ask(.skey(key(number).publicKey), of: queue.senderID, key: key(signer))
            case .send(let number): answer = try sender.send("x", to: queue, key: number.map(key))
            case .off: answer = try client.own(queue, .off)
            case .sub: answer = try client.own(queue, .sub)
            case .que: answer = try client.own(queue, .que)
            case .del: answer = try client.own(queue, .del)
            case .rkey(let numbers): answer = try client.own(queue, .rkey(numbers.map { key($0).publicKey }))
            case .byRecipient(let number): answer = try client.ask(.ldel, of: queue.recipientID, key: key(number))
            }
            #expect(answer == wanted, "act \(index + 1), \(act)")
        }
    }

    // MARK: - Authorization

    static let keyKinds = ["ed25519", "ed448", "x25519"]

    static func makeKey(_ kind: String, _ random: any RandomSource) -> AuthorizationPrivateKey {
        switch kind {
        case "ed448": .ed448(Ed448.PrivateKey(random: random))
        case "x25519": .x25519(X25519.PrivateKey(random: random))
        default: .ed25519(Ed25519.PrivateKey(random: random))
        }
    }

    @Test(arguments: keyKinds, keyKinds)
    func only_the_right_key_authorizes(_ kind: String, _ otherKind: String) throws {
        let world = try CoreWorld()
        let client = world.connect()
        let queue = try client.makeQueue(key: Self.makeKey(kind, world.random))
        for _ in 0..<2 {
            #expect(try client.own(queue, .ldel) == .ok)
            let other = Self.makeKey(otherKind, world.random)
            #expect(try client.ask(.ldel, of: queue.recipientID, key: other) == .auth)
            #expect(try client.ask(.ldel, of: queue.senderID, key: queue.recipientKey) == .auth)
            #expect(try client.ask(.ldel, of: EntityID(world.random.bytes(24)), key: other) == .auth)
        }
        #expect(world.core.statistics.refusedCommands == 6)
    }

    @Test func anAuthorizationIsBoundToItsConnection() throws {
        let world = try CoreWorld()
        let client = world.connect(), other = world.connect()
        let queue = try client.makeQueue()
        let bytes = try other.transmission(
            .sub, of: queue.recipientID, key: queue.recipientKey, correlationID: CorrelationID(random: world.random))
        world.core.receive(Received(bytes, session: client.session), from: client.id)
        try world.endTurn()
        #expect(Array(client.answers().values) == [.auth])
    }

    /// The hello of this relay has its key in every version, because it is able to speak the newest.
    @Test func authenticatorsAreUnderstoodBelowVersion7Too() throws {
        let world = try CoreWorld()
        let client = world.connect(version: 6)
        let queue = try client.makeQueue(key: Self.makeKey("x25519", world.random))
        #expect(try client.own(queue, .off) == .ok)
        let stranger = Self.makeKey("x25519", world.random)
        #expect(try client.ask(.sub, of: queue.recipientID, key: stranger) == .auth)
    }

    @Test func servicesAreRefused() throws {
        let world = try CoreWorld()
        let client = world.connect(), entity = EntityID(world.random.bytes(24))
        #expect(try client.ask(.subs(nil), of: entity, key: ed25519(world)) == .err(.service))
        #expect(try client.ask(.nsubs(nil), of: entity, key: ed25519(world)) == .err(.service))
        let signed = Transmission(
            authorization: .signature(Bytes(repeating: 1, count: 64)), serviceSignature: Bytes(repeating: 2, count: 64),
            correlationID: CorrelationID(random: world.random), entityID: entity, command: Bytes("SUB".utf8))
        world.core.receive(Received(signed.encoded(in: client.session), session: client.session), from: client.id)
        try world.endTurn()
        #expect(Array(client.answers().values) == [.err(.service)])
    }

    // MARK: - NEW

    @Test func thePasswordIsAskedForInEveryVersion() throws {
        var rules = RelayRules()
        rules.password = try ServerPassword("secret")
        let world = try CoreWorld(rules: rules)
        for version in [6, 8, 9, 14, 15, 18] as [UInt16] {
            let client = world.connect(version: version)
            let key = ed25519(world), dhKey = X25519.PrivateKey(random: world.random)
            let mode = version < 9 ? nil : QueueRequest(mode: .messaging)
            for password in [nil, "secre", "secrets", "wrong!"] {
                let new = NewQueue(
                    recipientKey: key.publicKey, dhKey: dhKey.publicKey,
                    password: try password.map { try ServerPassword($0) },
                    request: mode)
                #expect(try client.ask(.new(new), key: key) == .auth)
            }
            _ = try client.makeQueue(mode: mode?.mode, password: rules.password)
        }
        #expect(world.core.statistics.createdQueues == 6)
    }

    @Test func newQueuesCanBeTurnedOff() throws {
        var rules = RelayRules()
        rules.acceptsNewQueues = false
        let client = try CoreWorld(rules: rules).connect(), key = ed25519(client.world)
        let new = NewQueue(
            recipientKey: key.publicKey, dhKey: client.ownKey.publicKey, request: QueueRequest(mode: .messaging))
        #expect(try client.ask(.new(new), key: key) == .auth)
    }

    @Test func deletion_is_reported_to_subscriber() throws {
        let world = try CoreWorld()
        let client = world.connect(), other = world.connect()
        let queue = try client.makeQueue()
        #expect(try other.own(queue, .del) == .ok)
        #expect(client.takeEvents() == [Answer(.empty, queue.recipientID, .deld)])
        let mine = try client.makeQueue()
        #expect(try client.own(mine, .del) == .ok)
        #expect(client.takeEvents().isEmpty)
    }

    @Test func theStateOfAQueueIsTold() throws {
        let world = try CoreWorld()
        let client = world.connect()
        let queue = try client.makeQueue(subscribe: false, withNotifier: true)
        func state() throws -> QueueState? {
            if case .info(let state) = try client.own(queue, .que) { state } else { nil }
        }
        let new = QueueState(
            isSecured: false, hasNotifier: true, subscription: nil, delivered: nil, size: 0, message: nil)
        #expect(try state() == new)
        #expect(try client.send("x", to: queue) == .ok)
        #expect(try client.own(queue, .key(ed25519(world).publicKey)) == .ok)
        guard case .msg(let message) = try client.own(queue, .get) else { return #expect(Bool(false)) }
        let id = message.messageID.bytes
        #expect(
            try state()
                == QueueState(
                    isSecured: true, hasNotifier: true, subscription: .prohibited, delivered: id, size: 1,
                    message: .init(messageID: id, time: "2023-11-14T22:13:20.000Z", kind: .message)))
    }
}
