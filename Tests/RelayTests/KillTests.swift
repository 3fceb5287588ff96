import ByteCoding
import CryptoCore
import Glibc
import Relay
import SMPProtocol
import SystemIO
import TestSupport
import Testing

/// The program itself, killed in the middle of its work: what it said OK to has happened, and stays so.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
    @Test func answered_commands_survive_a_kill() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/relay"
        var settings = RelaySettings(hosts: [try TransportHost(text: "127.0.0.1")], port: 0)
        settings.listen = try TransportHost(text: "127.0.0.1")
        let address = try RelayFolder.create(at: path, settings: settings).address
        let life = try KilledRelay(path, fingerprint: address.fingerprint)
        for round in 1...6 { try life.round(killAfter: 150 + 70 * round) }
        #expect(life.acknowledged.count > 300)
        #expect(life.checked > 6)
    }
}

/// Clients that send to, read and empty a few queues, over several lives of one relay.
private final class KilledRelay {
    private let path: String
    private let fingerprint: Bytes
    private let loop: EventLoop
    private var random = SeededRandom(seed: 5)
    private var queues: [TestQueue] = []
    private var clients: [LoopbackClient] = []
    private var lastMessage = 0

    /// What the relay has said about each message.
    private var accepted: [Int: Set<Int>] = [:]
    private(set) var acknowledged: Set<Int> = []
    /// Messages whose SEND, or whose ACK, was not answered before the end: they may be there or not.
    private var unanswered: Set<Int> = []
    private(set) var checked = 0

    init(_ path: String, fingerprint: Bytes) throws {
        self.path = path
        self.fingerprint = fingerprint
        loop = try EventLoop()
    }

    /// One life of the relay: check what it still knows, work, kill it.
    func round(killAfter answers: Int) throws {
        let relay = try RelayProcess(path)
        clients = try (0..<4).map { _ in
            let client = try LoopbackClient(port: relay.port, fingerprint: fingerprint, loop: loop)
            try run("the hellos are done") { client.session != nil || client.end != nil }
            return client
        }
        if queues.isEmpty { queues = try (0..<6).map { _ in try makeQueue() } }
        for index in queues.indices { try check(index) }
        try work(answers)
        #expect(try relay.end(by: SIGKILL) == .signalled(SIGKILL))
        // What had left the relay before its end still counts.
        try run("the connections are closed") { clients.allSatisfy { $0.end != nil } }
        settle()
    }

    private func run(_ what: Comment, until isDone: () -> Bool) throws {
        var isLate = false
        let timer = loop.after(.seconds(30)) { isLate = true }
        loop.run { isLate || isDone() }
        timer.cancel()
        try #require(isDone(), what)
    }

    private func ask(
        _ client: LoopbackClient, _ command: ClientCommand, of entityID: EntityID, key: AuthorizationPrivateKey?
    ) throws -> RelayMessage {
        let id = try #require(try client.send([(command, entityID, key)]).first)
        try run("\(command.tag) is answered") { client.answer(to: id) != nil || client.end != nil }
        return try #require(client.answer(to: id))
    }

    private func makeQueue() throws -> TestQueue {
        let source = SystemRandom(), key = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()))
        let dhKey = X25519.PrivateKey(random: source)
        let new = NewQueue(
            recipientKey: key.publicKey, dhKey: dhKey.publicKey, subscription: .createOnly,
            request: QueueRequest(mode: .messaging))
        guard case .ids(let ids) = try ask(clients[0], .new(new), of: .empty, key: key) else {
            throw ProtocolError.internal
        }
        return TestQueue(
            recipientID: ids.recipientID, senderID: ids.senderID, linkID: nil, recipientKey: key,
            secret: try dhKey.agree(with: ids.dhKey))
    }

    // MARK: - Checking

    /// Reads a queue to its end, and compares what was in it with what the relay had promised.
    private func check(_ index: Int) throws {
        let queue = queues[index]
        var found: [Int] = []
        var answer = try ask(clients[0], .get, of: queue.recipientID, key: queue.recipientKey)
        while case .msg = answer {
            found.append(try #require(Int(try queue.read(answer))))
            #expect(try ask(clients[0], .ack(messageID: .empty), of: queue.recipientID, key: queue.recipientKey) == .ok)
            answer = try ask(clients[0], .get, of: queue.recipientID, key: queue.recipientKey)
        }
        for client in clients.indices {
            let sent = found.filter { $0 % clients.count == client }
            #expect(sent == sent.sorted(), "what a client sends keeps its order")
        }
        #expect(Set(found).count == found.count, "nothing is there twice")
        #expect(acknowledged.isDisjoint(with: found), "what was acknowledged does not come back")
        let promised = accepted[index, default: []].subtracting(acknowledged).subtracting(unanswered)
        #expect(promised.isSubset(of: found), "what was accepted is there")
        checked += promised.count
        acknowledged.formUnion(found)
        accepted[index] = []
    }

    // MARK: - Working

    private enum Pending {
        case send(Int)
        case acknowledge(Int)
    }

    /// Which command each client waits for, and what it is about.
    private var pending: [Int: [(CorrelationID, queue: Int, Pending)]] = [:]
    private var read: [Int: Int] = [:]

    /// Lets all clients send and acknowledge at the same time until the relay has given so many answers.
    private func work(_ answers: Int) throws {
        pending = [:]
        read = clients.indices.reduce(into: [:]) { $0[$1] = clients[$1].received.count }
        // Each queue has one subscriber, who does not read queue 0: that one only grows.
        for (index, queue) in queues.enumerated().dropFirst() {
            let command = (ClientCommand.sub, queue.recipientID, AuthorizationPrivateKey?.some(queue.recipientKey))
            try clients[index % clients.count].send([command])
        }
        var count = 0
        try run("the relay works") {
            for index in clients.indices {
                count += (try? handle(index)) ?? 0
                // A few messages on the way to each side.
                while pending[index, default: []].count < 3 { try? send(from: index) }
            }
            return count >= answers
        }
    }

    private func send(from index: Int) throws {
        lastMessage += 1
        let number = lastMessage * clients.count + index
        let queue = Int.random(in: 0..<queues.count, using: &random)
        let command = ClientCommand.send(MessageFlags(notifies: false), body: Bytes("\(number)".utf8))
        let id = try #require(try clients[index].send([(command, queues[queue].senderID, nil)]).first)
        pending[index, default: []].append((id, queue, .send(number)))
    }

    /// Takes note of what a client was told; returns how many answers there were.
    private func handle(_ index: Int) throws -> Int {
        let news = clients[index].received.dropFirst(read[index, default: 0])
        read[index] = clients[index].received.count
        for (id, entityID, message) in news {
            if let place = pending[index]?.firstIndex(where: { $0.0 == id }),
                let entry = pending[index]?.remove(at: place)
            {
                note(entry.2, queue: entry.queue, message)
            }
            guard case .msg(let encrypted) = message,
                let queue = queues.firstIndex(where: { $0.recipientID == entityID }),
                let number = Int(try queues[queue].read(message))
            else { continue }
            #expect(!acknowledged.contains(number), "what was acknowledged is not delivered again")
            let command = ClientCommand.ack(messageID: encrypted.messageID)
            guard clients[index].end == nil else { continue }
            let sent = try clients[index].send([(command, entityID, queues[queue].recipientKey)])
            if let sent = sent.first { pending[index, default: []].append((sent, queue, .acknowledge(number))) }
        }
        return news.count
    }

    private func note(_ pending: Pending, queue: Int, _ answer: RelayMessage) {
        switch (pending, answer) {
        case (.send(let number), .ok): accepted[queue, default: []].insert(number)
        case (.send, .err(.quota)): break
        case (.acknowledge(let number), .ok), (.acknowledge(let number), .msg): acknowledged.insert(number)
        default: Issue.record("an unexpected answer: \(answer.tag)")
        }
    }

    /// After the end: what was not answered is open.
    private func settle() {
        for index in clients.indices { _ = try? handle(index) }
        for (_, _, entry) in pending.values.joined() {
            switch entry {
            case .send(let number), .acknowledge(let number): unanswered.insert(number)
            }
        }
        for client in clients { client.close() }
    }
}
