import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import Glibc
import JSONCoding
import Ratchet
import SMPClient
import SMPProtocol
import Store
import SystemIO

/// A contact that breaks the rules, through a real connection and a real ratchet.
///
///     attacker contact FOLDER RELAY LINK FORM [COUNT] ...
///
/// joins the one-time invitation LINK, with a queue of its own at RELAY, prints `joined` when its confirmation is with the
/// relay and `connected` when the other side has answered. Then it carries out each FORM, COUNT times, and prints the form
/// when the relay has all of it. What does not fit into the queue waits until there is room.
enum HostileContactCommand {
    static func run(_ words: [String]) throws {
        guard words.count >= 4 else { stop("contact FOLDER RELAY LINK FORM [COUNT] ...") }
        let contact = try HostileContact(words[0], try ServerAddress(text: words[1]))
        try contact.join(try ConnectionLink(text: words[2]))
        var forms = words[3...]
        while let word = forms.popFirst() {
            guard let form = HostileContact.Form(rawValue: word) else { stop("contact: no form \(word)") }
            var count = 1
            if let number = forms.first.flatMap({ Int($0) }) {
                count = number
                forms.removeFirst()
            }
            try contact.carryOut(form, count)
            print("\(word) \(count)")
            fflush(nil)
        }
    }
}

/// The connection of a hostile contact: made by an agent, then used without one.
final class HostileContact {
    enum Form: String, CaseIterable {
        /// Leaves out 512 numbers of the chain before each message.
        case skip
        /// Each message twice, and another one under a number that was used.
        case duplicates
        /// Numbers and hashes in the header that do not fit.
        case hashes
        /// Chat messages that are none, from a seed.
        case json
        /// Agent messages that are none, or about what does not exist.
        case agent
        /// Receipts for messages that were never sent.
        case receipts
        /// Envelopes outside of the ratchet.
        case envelopes
        /// Ordinary messages.
        case flood
        /// Keys for new ratchets, after which the old one is lost.
        case keys
    }

    private static let id = ConnectionID(1)

    private let loop: EventLoop
    private let random = SystemRandom()
    private let path: String
    private let relay: ServerAddress
    private var numbers = SystemRandomNumberGenerator()
    // What is read from the agent's database.
    private var ratchet: RatchetState?
    private var queue: SendQueue?
    private var number: Int64 = 0
    private var hash: Bytes = []
    private var session: RelaySession?

    init(_ folder: String, _ relay: ServerAddress) throws {
        loop = try EventLoop()
        path = folder + "/agent.db"
        self.relay = relay
        try Files.createFolder(folder)
    }

    // MARK: - The connection

    /// Connects as an honest agent does, and takes the keys out of its database.
    func join(_ link: ConnectionLink) throws {
        var isJoined = false, isConnected = false, problem: String?
        let relay = relay
        let agent = try Agent(
            path, .create, environment: LoopEnvironment(loop: loop, parameters: SessionParameters()),
            servers: { _, _ in ConfiguredServer(address: relay) },
            handler: { event in
                switch event.content {
                case .connection(.joined): isJoined = true
                case .connection(.con): isConnected = true
                case .err(let error): problem = "\(error)"
                default: break
                }
            })
        let profile = ChatMessage(event: .profile(Profile(displayName: "mallory")))
        try agent.join(
            HostileContact.id, ProfileID(1), link, information: profile.encoded, replyServer: relay, postQuantum: .off)
        try agent.start(.staying)
        loop.run { isJoined || problem != nil }
        print("joined")
        fflush(nil)
        loop.run { isConnected || problem != nil }
        if let problem { stop("contact: \(problem)") }
        try agent.stop()
        try takeKeys()
        print("connected")
        fflush(nil)
    }

    private func takeKeys() throws {
        let database = try Database(path, .readOnly)
        let state = try database.first("SELECT ratchet, sent_number, sent_hash FROM connections") {
            row throws(StoreError) in (try row.secret(), try row.int64(), try row.bytes())
        }
        let queue = try database.first(
            """
            SELECT address, sender_id, version, authorization_key, agreement_key, secret
            FROM send_queues JOIN servers USING (server_id)
            """
        ) { row throws(StoreError) in
            (try row.text(), try row.bytes(), try row.uint16(), try row.secret(), try row.bytes(), try row.secret())
        }
        guard let state, let queue else { stop("contact: the agent knows no connection") }
        ratchet = try RatchetState(stored: state.0)
        (number, hash) = (state.1, state.2)
        self.queue = SendQueue(
            server: try ServerAddress(text: queue.0), senderID: EntityID(queue.1), mode: .messaging, version: queue.2,
            authorizationKey: .ed25519(try Ed25519.PrivateKey(seed: queue.3)),
            agreementKey: try X25519.PublicKey(der: queue.4), secret: queue.5)
    }

    // MARK: - Sending

    /// Encrypts bytes with the next key of the chain.
    private func seal(_ bytes: Bytes) throws -> Bytes {
        guard let ratchet else { stop("contact: no ratchet") }
        let sealed = try ratchet.encrypting(bytes, paddedSize: PaddedSize.message(postQuantum: false))
        self.ratchet = sealed.state
        return AgentEnvelope(version: AgentVersion.supported.max, .message(encrypted: sealed.message)).encoded
    }

    /// An honest message around a body.
    private func message(_ body: AgentMessageBody) -> Bytes {
        number &+= 1
        let bytes = AgentMessage.message(MessageHeader(number: number, previousHash: hash), body).encoded
        hash = SHA256.hash(bytes)
        return bytes
    }

    /// Leaves out keys of the chain.
    private func leaveOut(_ count: Int) throws {
        for _ in 0..<count {
            guard let next = try ratchet?.encrypting([], paddedSize: 16).state else { return }
            ratchet = next
        }
    }

    /// Has the relay take an envelope; waits while the queue is full, for a minute at most.
    private func send(_ envelope: Bytes) throws {
        guard let queue else { return }
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let message = OutgoingMessage(kind: .content, number: 0, hash: [], notifies: false, envelope: envelope)
            let command = RelayRequest(
                try queue.sending(message, random: random), entityID: queue.senderID,
                key: queue.authorizationKey)
            var answer: RelaySession.Answer?
            try open(queue.server).send(command) { answer = $0 }
            loop.run { answer != nil }
            switch answer {
            case .success: return
            case .failure(.refused(.quota)) where ContinuousClock.now < deadline: pause(.milliseconds(100))
            case .failure(let error): stop("contact: \(error)")
            case nil: return
            }
        }
    }

    private func open(_ server: ServerAddress) throws -> RelaySession {
        if let session { return session }
        var isOpen = false
        let session = RelaySession(with: server, parameters: SessionParameters(), loop: loop, random: random) { event in
            switch event {
            case .opened: isOpen = true
            case .closed(let error): stop("contact: \(error)")
            case .message: break
            }
        }
        loop.run { isOpen }
        self.session = session
        return session
    }

    private func pause(_ duration: Duration) {
        var isOver = false
        loop.after(duration) { isOver = true }
        loop.run { isOver }
    }

    // MARK: - Attacks

    func carryOut(_ form: Form, _ count: Int) throws {
        for round in 0..<count {
            switch form {
            case .skip:
                try leaveOut(512)
                try send(seal(message(.content(text("skip \(round)")))))
            case .duplicates: try sendDuplicates(round)
            case .hashes: try sendHeader(round)
            case .json: try send(seal(message(.content(OddChat.body(UInt64(round))))))
            case .agent: try send(seal(oddAgentMessage(round)))
            case .receipts: try send(seal(message(.receipts(oddReceipts()))))
            case .envelopes: try send(oddEnvelope(round))
            case .flood: try send(seal(message(.content(text("flood \(round)")))))
            case .keys: try send(freshKeys())
            }
        }
    }

    private func text(_ text: String) -> Bytes {
        ChatMessage(
            id: SharedMessageID(random.bytes(12)), event: .message(MessageContainer(MessageContent(text)))
        ).encoded
    }

    private func sendDuplicates(_ round: Int) throws {
        let before = ratchet
        let first = try seal(message(.content(text("first \(round)"))))
        let after = ratchet
        try send(first)
        try send(first)
        // Another message under the same number of the chain.
        ratchet = before
        try send(seal(message(.content(text("second \(round)")))))
        ratchet = after
    }

    private func sendHeader(_ round: Int) throws {
        let numbers: [Int64] = [.min, .max, 0, -1, .max - 1, number, number &+ 1000, 1]
        let header = MessageHeader(
            number: numbers[round % numbers.count], previousHash: random.bytes(round % 2 == 0 ? 32 : round % 256))
        try send(seal(AgentMessage.message(header, .content(text("hash \(round)"))).encoded))
    }

    private func oddReceipts() -> [MessageReceipt] {
        let numbers: [Int64] = [.min, .max, 0, -1, 1, 2, 3]
        return (0..<200).map {
            MessageReceipt(number: numbers[$0 % numbers.count] &+ Int64($0), hash: random.bytes($0 % 40), info: [])
        }
    }

    private func oddAgentMessage(_ round: Int) throws -> Bytes {
        switch round % 10 {
        case 0: return random.bytes(round % 200)
        case 1: return message(.hello)
        case 2: return message(.ratchetReady(lastReceived: round % 20 == 2 ? .min : .max))
        case 3: return message(.queueContinue(SenderQueueAddress(server: relay, senderID: EntityID(random.bytes(24)))))
        case 4: return message(.queueTest([SenderQueueAddress(server: relay, senderID: EntityID(random.bytes(24)))]))
        case 5: return AgentMessage.ratchetInfo(random.bytes(100)).encoded
        case 6: return AgentMessage.connectionInfo(random.bytes(1000)).encoded
        case 7: return Bytes("M".utf8) + random.bytes(8) + [0] + Bytes("V".utf8) + [255] + random.bytes(60)
        case 8: return Bytes("M".utf8) + random.bytes(8) + [0] + Bytes("QA".utf8) + random.bytes(120)
        default: return []
        }
    }

    private func oddEnvelope(_ round: Int) throws -> Bytes {
        switch round % 5 {
        case 0: return random.bytes(round % 500)
        case 1: return AgentEnvelope(version: .max, .message(encrypted: random.bytes(15_000))).encoded
        case 2: return AgentEnvelope(version: 0, .confirmation(nil, encrypted: random.bytes(500))).encoded
        case 3:
            let link = "simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2Fx"
            return AgentEnvelope(version: 7, .invitation(link: link, info: random.bytes(100))).encoded
        default:
            // A header that is authentic, and a body that is not.
            var bytes = try seal(message(.hello))
            bytes[bytes.count - 1] ^= 1
            return bytes
        }
    }

    private func freshKeys() -> Bytes {
        let keys = X3DHPrivateKeys(proposesKEM: false, random: RandomRatchetKeys(random))
        return AgentEnvelope(
            version: AgentVersion.supported.max,
            .ratchetKey(keys.parameters(for: RatchetVersion.supported.max), info: AgentMessage.ratchetInfo([]).encoded)
        ).encoded
    }
}
