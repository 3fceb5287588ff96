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
        #expect(step.problem == nil)
        for event in step.events {
            if case .msg(let message) = event {
                lastMessage = MessageReceipt(number: message.number, hash: message.hash, info: [])
            }
            // The recorded implementation has no event for the joiner's confirmation.
            if event != .joined { events.append(TranscriptEvent(event)) }
        }
    }

    // MARK: - Commands

    /// Takes the next task, which must be the recorded command or send the recorded content; returns the body of a SEND.
    mutating func take(_ recorded: String, at step: Vector) throws -> Bytes? {
        let task = try #require(tasks.first, "nothing to do at step \(step["n"])")
        tasks.removeFirst()
        switch task {
        case .secureSendQueue: #expect(recorded == "SKEY", "step \(step["n"])")
        case .createReplyQueue: #expect(recorded == "NEW", "step \(step["n"])")
        case .secureReceiveQueue: #expect(recorded == "KEY", "step \(step["n"])")
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

    /// The application of the recorded agents confirms every message. ``Connection`` reads receipts and sends none, so this
    /// one is made here.
    mutating func sendReceipt() throws {
        let receipt = try #require(lastMessage)
        let plain = AgentMessage.message(connection.sent.nextHeader, .receipts([receipt])).encoded
        let ratchet = try #require(connection.ratchet)
        let sealed = try ratchet.encrypting(
            plain, paddedSize: PaddedSize.message(postQuantum: connection.isPostQuantum))
        var sequence = connection.sent
        let number = sequence.nextHeader.number
        sequence.advance(over: plain)
        connection = connection.with(ratchet: sealed.state, sent: sequence)
        let envelope = AgentEnvelope(version: connection.agentVersion, .message(encrypted: sealed.message))
        tasks.append(
            .send(
                OutgoingMessage(
                    kind: .control, number: number, hash: sequence.lastHash, notifies: false,
                    envelope: envelope.encoded)))
    }

    /// The application accepts the joiner when its confirmation was acknowledged.
    mutating func acknowledge() throws {
        if connection.status == .requested { apply(try connection.allow(Bytes("alice".utf8))) }
    }

    // MARK: - Answers

    mutating func created(_ mode: QueueMode?) throws {
        apply(try connection.created(Self.queue(random, mode: mode)))
    }

    /// A positive answer, which matters if it belongs to a SEND.
    mutating func delivered(_ isOfSender: Bool) {
        guard isOfSender, !sent.isEmpty else { return }
        apply(connection.delivered(sent.removeFirst()))
    }

    mutating func receive(_ body: Bytes) throws {
        let queue = try #require(connection.receiveQueue)
        let opened = try queue.open(body)
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
        case .control: ["RCPT"]
        }
    }
}

extension Connection {
    fileprivate func with(ratchet: RatchetState, sent: MessageSequence) -> Connection {
        Connection(
            role: role, status: status, agentVersion: agentVersion, isPostQuantum: isPostQuantum,
            agreementKeys: agreementKeys, ratchet: ratchet, sent: sent, received: received,
            ownInformation: ownInformation, waitingSenderKey: waitingSenderKey, receiveQueue: receiveQueue,
            sendQueue: sendQueue)
    }
}
