import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import SystemIO
import TestSupport
import Testing

/// Clients that send through a proxy to relays that end and begin again, in random order: every command is answered once,
/// and what the answer says is so.
@Suite(.timeLimit(.minutes(60))) struct ProxyScheduleTests {
    @Test func responses_report_actual_outcomes() throws {
        var accepted = 0, lostSessions = 0
        for seed: UInt64 in 1...3 {
            let schedule = try ProxySchedule(seed: seed)
            for _ in 0..<250 { try schedule.step() }
            try schedule.check()
            accepted += schedule.accepted.count
            lostSessions += schedule.lostSessions
        }
        // Both were met.
        #expect(accepted > 100 && lostSessions > 0)
    }
}

/// One random run.
private final class ProxySchedule {
    private struct Sent {
        let number: Int
        let forwarded: ProxiedClient.Forwarded
        let proxied: ProxiedClient
    }

    private final class Sender {
        var client: LoopbackClient
        /// The session with each relay, if it has one.
        var sessions: [Int: ProxiedClient] = [:]
        var asked: [Int: CorrelationID] = [:]
        var pending: [Sent] = []

        init(_ client: LoopbackClient) {
            self.client = client
        }
    }

    private let near: RelayWorld
    private let far: [RelayWorld]
    private let queues: [[TestQueue]]
    private var senders: [Sender] = []
    private var random: SeededRandom
    private var lastNumber = 0
    private(set) var accepted: Set<Int> = []
    /// Answered with an error that does not say whether the message has arrived.
    private var open: Set<Int> = []
    /// Answered with an error that says that it has not.
    private var refused: Set<Int> = []
    private(set) var lostSessions = 0

    init(seed: UInt64) throws {
        var limits = RelayLimits.loopback
        limits.proxy.failurePause = .milliseconds(1)
        let near = try RelayWorld(limits: limits)
        self.near = near
        far = try (0..<2).map { _ in try RelayWorld(on: near.loop) { try $0.chooseFreePorts() } }
        queues = try far.map { world in
            let client = try world.connect()
            defer { client.close() }
            return try (0..<3).map { _ in try world.makeQueue(client, subscribe: false) }
        }
        random = SeededRandom(seed: seed)
        for _ in 0..<3 { senders.append(Sender(try near.connect())) }
    }

    private func one(of count: Int) -> Int {
        Int.random(in: 0..<count, using: &random)
    }

    func step() throws {
        let sender = senders[one(of: senders.count)], relay = one(of: far.count)
        switch one(of: 100) {
        case 0..<2:
            // Whatever it was told counts; what it was not told is open.
            try settle(sender)
            open.formUnion(sender.pending.map(\.number))
            sender.client.close()
            sender.pending = []
            sender.sessions = [:]
            sender.asked = [:]
            sender.client = try near.connect()
        case 2..<5:
            far[relay].stop()
            try turn()
            try far[relay].start()
        case 5..<80: try send(sender, to: relay)
        default: try turn()
        }
        for sender in senders { try settle(sender) }
    }

    /// Lets the loop handle what is ready.
    private func turn() throws {
        var isOver = false
        near.loop.after(.milliseconds(1)) { isOver = true }
        try near.run("time passes") { isOver }
    }

    private func send(_ sender: Sender, to relay: Int) throws {
        guard let proxied = sender.sessions[relay] else {
            guard sender.asked[relay] == nil else { return try turn() }
            let command = ClientCommand.prxy(try far[relay].address(), password: nil)
            sender.asked[relay] = try sender.client.send([(command, .empty, nil)]).first
            return
        }
        lastNumber += 1
        let number = lastNumber * senders.count + (senders.firstIndex { $0 === sender } ?? 0)
        let command = ClientCommand.send(MessageFlags(notifies: false), body: Bytes("\(number)".utf8))
        let queue = queues[relay][one(of: queues[relay].count)]
        sender.pending.append(
            Sent(number: number, forwarded: try proxied.send(command, of: queue.senderID), proxied: proxied))
    }

    /// Takes note of the answers that have come.
    private func settle(_ sender: Sender) throws {
        for (relay, id) in sender.asked {
            guard let answer = sender.client.answer(to: id) else { continue }
            sender.asked[relay] = nil
            if case .pkey(let session) = answer {
                sender.sessions[relay] = ProxiedClient(sender.client, session)
            } else {
                #expect(answer == .err(.proxy(.broker(.network))))
            }
        }
        for sent in sender.pending {
            guard let answer = try sent.proxied.answer(to: sent.forwarded) else { continue }
            sender.pending.removeAll { $0.number == sent.number }
            switch answer {
            case .ok: accepted.insert(sent.number)
            case .err(.quota): refused.insert(sent.number)
            case .err(.proxy(.noSession)):
                refused.insert(sent.number)
                sender.sessions = sender.sessions.filter { $0.value !== sent.proxied }
            case .err(.proxy(.broker(.network))):
                lostSessions += 1
                open.insert(sent.number)
                sender.sessions = sender.sessions.filter { $0.value !== sent.proxied }
            default: Issue.record("an unexpected answer: \(answer)")
            }
        }
    }

    /// Waits for all answers, and compares them with what is in the queues.
    func check() throws {
        try near.run("everything is answered") {
            for sender in senders { try? settle(sender) }
            return senders.allSatisfy { $0.pending.isEmpty && $0.asked.isEmpty }
        }
        for sender in senders {
            let ids = sender.client.received.map(\.0)
            #expect(Set(ids).count == ids.count, "nothing is answered twice")
        }
        var found: Set<Int> = []
        for (world, queues) in zip(far, queues) {
            let client = try world.connect()
            for queue in queues {
                let numbers = try read(queue, client, world)
                for sender in senders.indices {
                    let own = numbers.filter { $0 % senders.count == sender }
                    #expect(own == own.sorted(), "what a client sends keeps its order")
                }
                #expect(
                    Set(numbers).count == numbers.count && found.isDisjoint(with: numbers), "nothing is there twice")
                found.formUnion(numbers)
            }
        }
        #expect(accepted.isSubset(of: found), "what was accepted is there")
        #expect(found.isSubset(of: accepted.union(open)), "what is there was sent")
        #expect(refused.isDisjoint(with: found), "what was refused is not there")
    }

    private func read(_ queue: TestQueue, _ client: LoopbackClient, _ world: RelayWorld) throws -> [Int] {
        var numbers: [Int] = []
        while true {
            let answer = try world.ask(client, .get, of: queue.recipientID, key: queue.recipientKey)
            guard case .msg = answer else { return numbers }
            let text = try queue.read(answer)
            if text != "QUOTA" { numbers.append(try #require(Int(text))) }
            let acknowledged = try world.ask(
                client, .ack(messageID: .empty), of: queue.recipientID, key: queue.recipientKey)
            #expect(acknowledged == .ok)
        }
    }
}
