import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import TestSupport
import Testing

/// One agent of a transcript: a connection, and what it still wants to do.
struct TranscriptAgent {
    private(set) var connection: Connection
    private(set) var tasks: [ConnectionTask] = []
    private(set) var events: [TranscriptEvent] = []
    private var skipped = SkippedKeys()
    /// What the relay has not confirmed yet, in order.
    private var sent: [OutgoingMessage.Kind] = []
    /// Queues that the relay has to delete.
    private var discarded: [ReceiveQueue] = []
    /// The receipt of the last message.
    private var lastMessage: MessageReceipt?
    private let random: SeededRandom

    private static let server = ServerAddress(
        hosts: [.domain("relay.example")], port: nil, fingerprint: Bytes(repeating: 7, count: 32))

    private init(_ connection: Connection, _ random: SeededRandom) {
        self.connection = connection
        self.random = random
    }

    /// The agent that made the link.
    static func initiator(_ postQuantum: PostQuantumSupport) throws -> TranscriptAgent {
        let random = SeededRandom(seed: 1)
        let queue = try queue(random, mode: .messaging)
        return TranscriptAgent(Connection.initiator(queue, random: random, postQuantum: postQuantum), random)
    }

    /// The agent that used it.
    static func joiner(_ link: String, _ postQuantum: PostQuantumSupport) throws -> TranscriptAgent {
        guard case .invitation(let queues, let offer) = try ConnectionRequest(text: link) else {
            throw DecodeError.invalid("invitation")
        }
        let random = SeededRandom(seed: 2)
        let (connection, step) = try Connection.joiner(
            queues, offer, information: Bytes("bob".utf8), replyServer: server, random: random,
            postQuantum: postQuantum)
        var agent = TranscriptAgent(connection, random)
        agent.apply(step)
        return agent
    }

    private static func queue(_ random: SeededRandom, mode: QueueMode?) throws -> ReceiveQueue {
        try NewQueueKeys(random: random).queue(
            on: server,
            ids: QueueIDs(
                recipientID: EntityID(random.bytes(24)), senderID: EntityID(random.bytes(24)),
                dhKey: X25519.PrivateKey(random: random).publicKey, mode: mode))
    }

    private mutating func apply(_ step: ConnectionStep) {
        tasks += step.tasks
        skipped.apply(step.skipped)
        discarded += step.discarded
        #expect(step.problem == nil)
        for event in step.events {
            if case .msg(let message) = event {
                lastMessage = MessageReceipt(number: message.number, hash: message.hash, info: [])
            }
            // The recorded implementation has no event for the joiner's confirmation, and answers where this one tells that
            // a switch has begun.
            if event != .joined, event != .switching(.receiving, .started) { events.append(TranscriptEvent(event)) }
        }
    }

    // MARK: - Commands

    /// Takes the next task, which must be the recorded command or send the recorded content; returns the body of a SEND.
    mutating func take(_ recorded: String, at step: Vector) throws -> Bytes? {
        if recorded == "DEL" {
            #expect(!discarded.isEmpty, "step \(step["n"])")
            discarded = []
            return nil
        }
        let task = try #require(tasks.first, "nothing to do at step \(step["n"])")
        tasks.removeFirst()
        switch task {
        case .secureSendQueue: #expect(recorded == "SKEY", "step \(step["n"])")
        case .createReplyQueue, .createNextQueue: #expect(recorded == "NEW", "step \(step["n"])")
        case .secureReceiveQueue, .secureNextQueue: #expect(recorded == "KEY", "step \(step["n"])")
        case .deleteReceiveQueue: #expect(recorded == "DEL", "step \(step["n"])")
        case .send(let message):
            #expect(message.kind.recorded.contains(recorded), "step \(step["n"])")
            sent.append(message.kind)
            let queue = try #require(connection.sendQueue)
            guard case .send(_, let body) = try queue.sending(message, random: random) else { return nil }
            return body
        case .openLink, .createRequestQueue, .sendRequest, .setLink, .deleteLink:
            Issue.record("a link at step \(step["n"])")
        }
        return nil
    }

    /// The application writes a message.
    mutating func write() throws {
        tasks.append(.send(try connection.send(Bytes("text".utf8), notifies: true)))
    }

    /// The application of the recorded agents confirms every message.
    mutating func sendReceipt() throws {
        let receipt = try #require(lastMessage)
        apply(try #require(try connection.confirm([receipt])))
    }

    /// The application wants another queue.
    mutating func switchQueue() throws {
        apply(try connection.switchQueue())
    }

    /// The application accepts the joiner when its confirmation was acknowledged.
    mutating func acknowledge() throws {
        if connection.status == .requested { apply(try connection.allow(Bytes("alice".utf8))) }
    }

    // MARK: - Answers

    mutating func created(_ mode: QueueMode?) throws {
        apply(try connection.created(Self.queue(random, mode: mode)))
    }

    mutating func createdNext() throws {
        apply(connection.createdNext(try Self.queue(random, mode: .messaging)))
    }

    /// The relay let somebody into a queue.
    mutating func secured() {
        apply(connection.securedNext())
    }

    /// The old queue is empty as soon as a message came through the new one.
    mutating func drained() {
        apply(connection.drained())
    }

    /// A positive answer, which matters if it belongs to a SEND.
    mutating func delivered(_ isOfSender: Bool) {
        guard isOfSender, !sent.isEmpty else { return }
        apply(connection.delivered(sent.removeFirst()))
    }

    mutating func receive(_ body: Bytes) throws {
        let queues = [connection.receiveQueue, connection.receiveRotation?.queue].compactMap { $0 }
        let opened = try #require(queues.lazy.compactMap { try? $0.open(body) }.first)
        apply(
            try connection.receive(
                opened, at: Timestamp(milliseconds: 1_000), skipped: skipped, random: random))
    }
}

extension OutgoingMessage.Kind {
    /// The words of the recording.
    fileprivate var recorded: [String] {
        switch self {
        case .confirmation: ["CONF"]
        case .hello: ["HELLO"]
        case .content: ["MSG"]
        case .receipts: ["RCPT"]
        case .queueAdd: ["QADD"]
        case .queueKey: ["QKEY"]
        case .queueUse: ["QUSE"]
        case .queueTest: ["QTEST"]
        case .control, .ratchetKey, .ratchetReady: []
        }
    }
}
