import AgentProtocol
import ByteCoding
import SMPProtocol
import TestSupport
import Testing

@Suite struct ConnectionTests {
    @Test func connectsWithTwoConfirmations() throws {
        var initiator = try TestSide.initiator(seed: 1, mode: .messaging)
        let link = try #require(initiator.connection.invitation).description
        var joiner = try TestSide.joiner(seed: 2, link)
        #expect(joiner.connection.status == .confirming)
        guard case .secureSendQueue = joiner.tasks[0], case .createReplyQueue(.messaging) = joiner.tasks[1] else {
            Issue.record("the joiner secures the queue and creates its own")
            return
        }

        let confirmation = try joiner.work()
        #expect(joiner.connection.status == .confirmed)
        #expect(confirmation.map(\.count) == [15992])
        try initiator.receive(confirmation)
        #expect(initiator.connection.status == .requested)
        #expect(initiator.events == [.conf(information: Bytes("joiner".utf8), supportsPostQuantum: false)])
        #expect(initiator.connection.invitation == nil)

        try initiator.allow()
        let answer = try initiator.work()
        #expect(initiator.connection.status == .ready)
        #expect(initiator.events.last == .con(isPostQuantum: false))
        #expect(answer.map(\.count) == [15992])
        try joiner.receive(answer)
        let information = ConnectionEvent.info(Bytes("initiator".utf8), supportsPostQuantum: false)
        #expect(joiner.events == [.joined, information, .con(isPostQuantum: false)])
        #expect(joiner.connection.status == .ready)
        #expect(initiator.allowedKeys.isEmpty && joiner.allowedKeys.isEmpty)
    }

    /// Which queues their senders can secure, by the age of their relays.
    @Test(arguments: [(false, true), (true, false), (false, false)])
    func connectsThroughQueuesThatTheirRecipientSecures(invitation: Bool, reply: Bool) throws {
        var initiator = try TestSide.initiator(seed: 3, mode: invitation ? .messaging : nil)
        var joiner = try TestSide.joiner(seed: 4, try #require(initiator.connection.invitation).description)
        try initiator.receive(try joiner.work(replyMode: reply ? .messaging : .some(nil)))
        try initiator.allow()
        try joiner.receive(try initiator.work())
        #expect((initiator.allowedKeys.count == 1) == !invitation)
        if !reply {
            #expect(initiator.connection.status == .confirmed)
            #expect(joiner.connection.status == .greeting)
            try initiator.receive(try joiner.work())
            #expect(joiner.allowedKeys.count == 1)
            #expect(initiator.connection.status == .greeting)
            try joiner.receive(try initiator.work())
        }
        #expect(initiator.events.filter { $0 == .con(isPostQuantum: false) }.count == 1)
        #expect(joiner.events.filter { $0 == .con(isPostQuantum: false) }.count == 1)

        try initiator.send("one")
        try joiner.send("two")
        try joiner.receive(try initiator.work())
        try initiator.receive(try joiner.work())
        #expect(joiner.messages.map(\.text) == ["one"] && joiner.messages[0].integrity == .ok)
        #expect(initiator.messages.map(\.text) == ["two"] && initiator.messages[0].integrity == .ok)
    }

    @Test func theFirstMessageHasNumberTwo() throws {
        var pair = try TestPair(seed: 5)
        try pair.joiner.send("hello")
        try pair.initiator.receive(try pair.joiner.work())
        guard case .msg(let message)? = pair.initiator.events.last else {
            Issue.record("a message is an event")
            return
        }
        #expect(message.number == 2)
        #expect(message.relayTime == Timestamp(milliseconds: 1_000))
        #expect(message.hash == pair.joiner.connection.sent.lastHash)
    }

    @Test func reordered_messages_report_gaps() throws {
        var pair = try TestPair(seed: 6)
        for text in ["a", "b", "c"] { try pair.initiator.send(text) }
        let bodies = try pair.initiator.work()
        #expect(bodies.allSatisfy { $0.count == 16043 })
        try pair.joiner.receive([bodies[2], bodies[0], bodies[1]])
        #expect(pair.joiner.messages.map(\.text) == ["c", "a", "b"])
        #expect(pair.joiner.messages.map(\.integrity) == [.skipped(from: 2, to: 3), .badNumber(last: 4), .ok])
        #expect(throws: ReceptionError.self) { try pair.joiner.receive(bodies[1]) }
    }

    @Test func resent_message_keeps_its_hash() throws {
        var pair = try TestPair(seed: 7)
        let message = try pair.initiator.connection.send([1], notifies: false)
        let queue = try #require(pair.initiator.connection.sendQueue)
        var hashes: Set<Bytes?> = []
        var bodies: Set<Bytes> = []
        for _ in 0..<3 {
            guard case .send(let flags, let body) = try queue.sending(message, random: pair.initiator.random) else {
                continue
            }
            #expect(!flags.notifies)
            bodies.insert(body)
            hashes.insert(try pair.joiner.connection.receiveQueue?.open(body).repetitionHash)
        }
        #expect(bodies.count == 3 && hashes.count == 1)
    }

    @Test func aRepeatedConfirmationIsRecognised() throws {
        var initiator = try TestSide.initiator(seed: 8, mode: .messaging)
        let link = try #require(initiator.connection.invitation).description
        var joiner = try TestSide.joiner(seed: 9, link)
        let confirmation = try joiner.work()
        try initiator.receive(confirmation)
        #expect(throws: ReceptionError.repeated) { try initiator.receive(confirmation) }
        // Somebody else with the same link comes too late.
        var other = try TestSide.joiner(seed: 10, link)
        let second = try other.work()
        #expect(throws: ReceptionError.repeated) { try initiator.receive(second) }
        #expect(initiator.connection.status == .requested)
    }

    @Test func sizesAreLimitedBeforeAnythingIsSent() throws {
        var pair = try TestPair(seed: 11)
        let limit = pair.initiator.connection.largestMessage
        _ = try pair.initiator.connection.send(Bytes(repeating: 1, count: limit), notifies: true)
        #expect(throws: Connection.Failure.tooLarge(limit: limit)) {
            try pair.initiator.connection.send(Bytes(repeating: 1, count: limit + 1), notifies: true)
        }
        let link = try #require(try TestSide.initiator(seed: 12, mode: .messaging).connection.invitation).description
        #expect(throws: Connection.Failure.self) {
            try TestSide.joiner(seed: 13, link, information: Bytes(repeating: 1, count: 14_800))
        }
        var joiner = try TestSide.joiner(seed: 13, link, information: Bytes(repeating: 1, count: 14_694))
        #expect(try joiner.work().count == 1)
    }

    @Test func stepsOutOfOrderAreRefused() throws {
        var initiator = try TestSide.initiator(seed: 14, mode: .messaging)
        #expect(throws: Connection.Failure.notReady) { try initiator.allow() }
        #expect(throws: Connection.Failure.notReady) { try initiator.send("early") }
        var joiner = try TestSide.joiner(seed: 15, try #require(initiator.connection.invitation).description)
        #expect(throws: Connection.Failure.notReady) { try joiner.send("early") }
        try initiator.receive(try joiner.work())
        try initiator.allow()
        #expect(throws: Connection.Failure.notReady) { try initiator.allow() }
        // The initiator's messages wait behind its confirmation.
        try initiator.send("first")
        try joiner.receive(try initiator.work())
        #expect(joiner.messages.map(\.text) == ["first"])
    }

    @Test func theQuotaIsAnsweredWithTheAddressOfTheOwnQueue() throws {
        var pair = try TestPair(seed: 16)
        pair.joiner.take(try pair.joiner.connection.receiveQuota(of: try #require(pair.joiner.connection.receiveQueue)))
        let bodies = try pair.joiner.work()
        let body = try #require(bodies.first)
        let opened = try #require(try pair.initiator.connection.receiveQueue?.open(body))
        let step = try pair.initiator.connection.receive(
            opened, at: Timestamp(milliseconds: 0), skipped: pair.initiator.skipped, random: pair.initiator.random)
        #expect(step.canContinue && step.events == [.qcont])
    }

    @Test func damagedMessagesChangeNothing() throws {
        var pair = try TestPair(seed: 17)
        try pair.initiator.send("intact")
        let body = try #require(try pair.initiator.work().first)
        for position in stride(from: 0, to: body.count, by: 97) {
            var damaged = body
            damaged[position] ^= 1
            #expect(throws: ReceptionError.self) { try pair.joiner.receive(damaged) }
        }
        for length in stride(from: 0, to: body.count, by: 97) {
            #expect(throws: ReceptionError.self) { try pair.joiner.receive(Bytes(body.prefix(length))) }
        }
        try pair.joiner.receive(body)
        #expect(pair.joiner.messages.map(\.text) == ["intact"])
    }

    @Test func versionsWithoutAnythingInCommonAreRefused() throws {
        let initiator = try TestSide.initiator(seed: 18, mode: .messaging)
        let link = try #require(initiator.connection.invitation).description
        for (old, new) in [("v=2-7", "v=8-9"), ("e2e=v%3D2-3", "e2e=v%3D9-9"), ("%3Fv%3D1-4", "%3Fv%3D8-9")] {
            let other = link.replacing(old, with: new)
            #expect(other != link)
            #expect(throws: Connection.Failure.incompatible) { try TestSide.joiner(seed: 19, other) }
        }
    }
}
