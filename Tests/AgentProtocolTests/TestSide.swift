import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import TestSupport

/// One side of a connection without a network: tasks wait until the test carries them out.
struct TestSide {
    static let server = ServerAddress(
        hosts: [.domain("relay.example")], port: nil, fingerprint: Bytes(repeating: 7, count: 32))

    var connection: Connection
    var skipped = SkippedKeys()
    var tasks: [ConnectionTask] = []
    var events: [ConnectionEvent] = []
    /// Why messages that were decrypted are not among the events.
    var problems: [ReceptionError] = []
    /// Keys that this side let into its queue.
    var allowedKeys: [AuthorizationKey] = []
    /// Own queues that a relay has to delete.
    var discarded: [ReceiveQueue] = []
    let random: SeededRandom
    /// When relays received what comes.
    var relayTime = Timestamp(milliseconds: 1_000)

    /// A queue as a relay would make it.
    static func queue(_ random: SeededRandom, mode: QueueMode?) throws -> ReceiveQueue {
        let keys = NewQueueKeys(random: random)
        return try keys.queue(
            on: server,
            ids: QueueIDs(
                recipientID: EntityID(random.bytes(24)), senderID: EntityID(random.bytes(24)),
                dhKey: X25519.PrivateKey(random: random).publicKey, mode: mode))
    }

    static func initiator(
        seed: UInt64, mode: QueueMode?, postQuantum: PostQuantumSupport = .off
    ) throws -> TestSide {
        let random = SeededRandom(seed: seed)
        let connection = Connection.initiator(try queue(random, mode: mode), random: random, postQuantum: postQuantum)
        return TestSide(connection: connection, random: random)
    }

    static func joiner(
        seed: UInt64, _ link: String, information: Bytes = Bytes("joiner".utf8), postQuantum: PostQuantumSupport = .off
    ) throws -> TestSide {
        let random = SeededRandom(seed: seed)
        guard case .invitation(let queues, let offer) = try ConnectionRequest(text: link) else {
            throw DecodeError.invalid("invitation")
        }
        let (connection, step) = try Connection.joiner(
            queues, offer, information: information, replyServer: server, random: random, postQuantum: postQuantum)
        var side = TestSide(connection: connection, random: random)
        side.take(step)
        return side
    }

    mutating func take(_ step: ConnectionStep) {
        events += step.events
        tasks += step.tasks
        if step.forgetsSkippedKeys { skipped = SkippedKeys() }
        skipped.apply(step.skipped)
        discarded += step.discarded
    }

    mutating func allow(_ information: Bytes = Bytes("initiator".utf8)) throws {
        take(try connection.allow(information))
    }

    mutating func send(_ text: String, postQuantum: Bool? = nil) throws {
        tasks.append(.send(try connection.send(Bytes(text.utf8), notifies: true, postQuantum: postQuantum)))
    }

    /// Carries out all tasks and returns what was sent. `replyMode` overrides the mode of the reply queue.
    mutating func work(replyMode: QueueMode?? = nil) throws -> [Bytes] {
        var bodies: [Bytes] = []
        while !tasks.isEmpty {
            switch tasks.removeFirst() {
            case .secureSendQueue: break
            case .deleteReceiveQueue: break
            case .createNextQueue: take(connection.createdNext(try TestSide.queue(random, mode: .messaging)))
            case .secureNextQueue(let key):
                allowedKeys.append(key)
                take(connection.securedNext())
            case .createReplyQueue(let mode):
                take(try connection.created(try TestSide.queue(random, mode: replyMode ?? mode)))
            case .secureReceiveQueue(let key): allowedKeys.append(key)
            case .send(let message):
                guard let queue = connection.sendQueue,
                    case .send(_, let body) = try queue.sending(message, random: random)
                else { continue }
                bodies.append(body)
                take(connection.delivered(message.kind))
            case .createRequestQueue(let target):
                take(try connection.created(try TestSide.queue(random, mode: .messaging), for: target))
            case .sendRequest(let envelope, let target):
                guard case .send(_, let body) = try target.requesting(envelope, random: random) else { continue }
                bodies.append(body)
                take(connection.requested())
            case .openLink, .setLink, .deleteLink: break
            }
        }
        return bodies
    }

    mutating func receive(_ bodies: [Bytes]) throws {
        for body in bodies { try receive(body) }
    }

    mutating func receive(_ body: Bytes) throws {
        var next = connection
        guard let opened = try open(body) else { throw ReceptionError.unexpected }
        let step: ConnectionStep
        do {
            step = try next.receive(opened, at: relayTime, skipped: skipped, random: random)
        } catch {
            if case .ratchet(let reason) = error { take(connection.note(reason)) }
            throw error
        }
        connection = next
        take(step)
        if let problem = step.problem { problems.append(problem) }
    }

    /// Opens a message with the queue that it came through.
    private func open(_ body: Bytes) throws -> OpenedMessage? {
        if let next = connection.receiveRotation?.queue, let opened = try? next.open(body) { return opened }
        return try connection.receiveQueue?.open(body)
    }

    /// Whether the KEM protected the last message.
    var readPostQuantum: Bool? {
        events.reversed().lazy.compactMap { if case .msg(let message) = $0 { message.isPostQuantum } else { nil } }
            .first
    }

    /// The texts of received messages, and how they follow each other.
    var messages: [(text: String, integrity: MessageIntegrity)] {
        events.compactMap { event in
            guard case .msg(let message) = event else { return nil }
            return (String(decoding: message.body, as: UTF8.self), message.integrity)
        }
    }
}

/// Two sides that are connected.
struct TestPair {
    var initiator: TestSide
    var joiner: TestSide

    init(
        seed: UInt64, initiator setting: PostQuantumSupport = .off, joiner otherSetting: PostQuantumSupport = .off
    ) throws {
        initiator = try TestSide.initiator(seed: seed, mode: .messaging, postQuantum: setting)
        joiner = try TestSide.joiner(
            seed: seed + 1, initiator.connection.invitation?.description ?? "", postQuantum: otherSetting)
        try initiator.receive(try joiner.work())
        try initiator.allow()
        try joiner.receive(try initiator.work())
    }
    /// The same pair with the names exchanged.
    var swapped: TestPair {
        var pair = self
        (pair.initiator, pair.joiner) = (joiner, initiator)
        return pair
    }
}
