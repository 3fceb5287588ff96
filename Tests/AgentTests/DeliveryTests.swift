import Agent
import AgentProtocol
import ByteCoding
import SMPClient
import SMPProtocol
import Store
import SystemIO
import TestSupport
import Testing

/// The outbox, and what the agent says about relays that fail.
@Suite struct DeliveryTests {
    @Test func unsent_message_waits_for_next_fetch() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 1)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        world.relay.isUp = false
        try alice.send("one")
        let connection = try #require(alice.connection)
        alice.agent?.deliver(connection)
        world.run { alice.agent?.isQuiet == true }
        #expect(alice.agent?.obstacle(of: connection) != nil)
        #expect(try alice.agent?.waitingMessages() == 1)
        try alice.send("two")
        try alice.fetch()
        #expect(alice.sent.isEmpty && alice.problems.isEmpty)
        world.relay.isUp = true
        try alice.fetch()
        try bob.fetch()
        #expect(bob.texts == ["one", "two"])
        #expect(try alice.agent?.waitingMessages() == 0)
    }

    @Test func staying_agent_retries() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 2)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        world.relay.isUp = false
        try alice.agent?.start(.staying)
        try bob.agent?.start(.staying)
        try alice.send("one")
        world.pass(.seconds(3600))
        #expect(alice.sent.isEmpty)
        world.relay.isUp = true
        #expect(world.run(.seconds(180)) { bob.texts == ["one"] })
    }

    @Test func draining_waits_for_a_relay_that_failed_before() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 5)
        let (alice, _) = try ConnectingTests.friends(world, folder)
        try alice.agent?.start(.staying)
        world.run { alice.agent?.isDrained == true }
        world.relay.isUp = false
        alice.environment.cut()
        world.pass(.seconds(300))
        #expect(alice.agent?.isDrained == true)
        #expect(alice.agent?.obstacles { _ in true }.count == 1)
        world.relay.isUp = true
        try alice.agent?.drain()
        #expect(alice.agent?.isQuiet == false)
        // The pause between attempts would be two minutes by now.
        #expect(world.run(.seconds(1)) { alice.agent?.isQuiet == true })
        #expect(alice.agent?.obstacles { _ in true }.isEmpty == true)
    }

    @Test func draining_ends_at_a_relay_that_fails_again() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 6)
        let (alice, _) = try ConnectingTests.friends(world, folder)
        try alice.agent?.start(.staying)
        world.relay.isUp = false
        alice.environment.cut()
        world.pass(.seconds(300))
        try alice.agent?.drain()
        #expect(world.run(.seconds(1)) { alice.agent?.isQuiet == true })
        #expect(alice.agent?.obstacles { _ in true }.count == 1)
    }

    @Test func messages_expire_after_two_days() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 3)
        let (alice, _) = try ConnectingTests.friends(world, folder)
        world.relay.isUp = false
        try alice.agent?.start(.staying)
        try alice.send("one")
        world.pass(.seconds(47 * 3600))
        #expect(alice.problems.isEmpty)
        world.pass(.seconds(2 * 3600))
        #expect(alice.problems == [.merr(token: Bytes("one".utf8), .expired)])
    }

    @Test func aFullQueueGoesOnAsSoonAsItsRecipientReads() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 4)
        world.relay.quota = 4
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        try alice.agent?.start(.staying)
        let texts = (0..<10).map { "message \($0)" }
        for text in texts { try alice.send(text) }
        world.pass(.seconds(10))
        #expect(alice.sent.count == 4)
        try bob.agent?.start(.staying)
        // Without the other side's word the next attempt would come after five minutes.
        #expect(world.run(.seconds(60)) { bob.texts.count == 10 })
        #expect(bob.texts == texts)
        #expect(bob.integrities.allSatisfy { $0 == .ok })
    }

    /// The other side's word may overtake its last acknowledgement, and cross an attempt that the relay still refuses.
    @Test(arguments: 100..<120) func full_queue_resumes_in_any_order_of_events(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: seed)
        world.relay.quota = 2
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        try alice.agent?.start(.staying)
        try bob.agent?.start(.staying)
        // What is sent has the first of what waits tried again.
        for number in 0..<40 {
            try alice.send("\(number)")
            world.pass(.milliseconds(5))
        }
        #expect(world.run(.seconds(60)) { bob.texts.count == 40 }, "\(bob.texts.count) came")
    }

    /// A message that a relay repeats is known by its hash, among those of its connection only.
    @Test(arguments: [false, true]) func hashesBelongToAConnection(_ isAnothers: Bool) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 62)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        try bob.send("one")
        try bob.fetch()
        let queue = try #require(world.relay.queues.values.first { !$0.messages.isEmpty })
        let messages = queue.messages
        try alice.fetch()
        #expect(alice.texts == ["one"] && queue.messages.isEmpty)
        if isAnothers {
            try Database(folder.path + "/alice.db", .readWrite).run("UPDATE seen_messages SET connection_id = 999")
        }
        queue.messages = messages
        try alice.fetch()
        #expect(alice.texts == ["one"] && alice.problems.isEmpty == !isAnothers)
    }

    /// A relay that gives one id twice changes nothing of the first queue.
    @Test func anIDThatIsGivenTwiceIsRefused() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 63)
        let alice = try TestPerson("alice", world, folder)
        _ = try alice.invite()
        world.relay.nextRecipientID = world.relay.queues.keys.first
        #expect(throws: (any Error).self) { try alice.createAddress() }
        #expect(try alice.agent?.contains(TestPerson.address) == false)
    }

    /// A message whose reading ends the process twice is acknowledged unread, and those behind it are received.
    @Test func aMessageThatEndsTheProcessIsPassedOver() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 64)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        for text in ["poison", "after"] { try bob.send(text) }
        try bob.fetch()
        let note = CrashNote(folder.path + "/crash")
        for _ in 0..<2 {
            var number: Int64?
            alice.agent?.crashNote = note
            alice.agent?.checkpoint = {
                guard let current = note.current else { return }
                number = current
                throw Crash()
            }
            try? alice.fetch()
            #expect(alice.texts.isEmpty)
            try alice.restart()
            try alice.agent?.noteCrash(reading: #require(number))
        }
        alice.agent?.crashNote = note
        try alice.fetch()
        #expect(alice.texts == ["after"] && alice.problems == [.unreadable(.malformed)])
        #expect(note.current == nil)
    }

    @Test func message_with_same_token_is_sent_once() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 5)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        for _ in 0..<3 { try alice.send("once") }
        try alice.fetch()
        try alice.send("once")
        try alice.fetch()
        try bob.fetch()
        #expect(bob.texts == ["once"])
    }

    @Test func message_for_several_connections_is_stored_at_once() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 65)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        let connection = try #require(alice.connection), unknown = ConnectionID(99)
        func send(_ text: String) throws -> [AgentError?] {
            let token = Bytes(text.utf8)
            return try #require(
                try alice.agent?.send(token, notifies: true, token: token, to: [unknown, connection, unknown]))
        }
        var borders = 0
        alice.agent?.checkpoint = { borders += 1 }
        #expect(try send("one") == [.unknownConnection, nil, .unknownConnection])
        #expect(borders == 2)
        #expect(try send("one") == [.unknownConnection, nil, .unknownConnection])
        alice.agent?.checkpoint = { throw Crash() }
        #expect(throws: AgentError.self) { try send("lost") }
        try alice.restart()
        #expect(try send("one") == [.unknownConnection, nil, .unknownConnection])
        #expect(try send("two").contains(nil))
        try alice.fetch()
        try bob.fetch()
        #expect(bob.texts == ["one", "two"] && bob.integrities == [.ok, .ok])
        #expect(alice.sent == ["one", "two"])
    }

    @Test func other_client_with_same_keys_is_reported() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 6)
        let (alice, _) = try ConnectingTests.friends(world, folder)
        try alice.agent?.start(.staying)
        world.pass(.seconds(1))
        let queue = try #require(world.relay.queues.values.first { $0.subscriber != nil })
        queue.subscriber?.tell(queue.recipientID, .end)
        world.pass(.seconds(1))
        guard case .end(let id)? = alice.notices.last else {
            Issue.record("the end of a subscription is a notice")
            return
        }
        #expect(id == alice.connection)
    }

    @Test func up_and_down_notices_list_connections() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 61)
        let (alice, _) = try ConnectingTests.friends(world, folder)
        let id = try #require(alice.connection)
        try alice.agent?.start(.staying)
        world.pass(.seconds(1))
        alice.environment.cut()
        world.pass(.seconds(30))
        let queue = try #require(world.relay.queues.values.first { $0.subscriber != nil })
        queue.subscriber?.tell(queue.recipientID, .deld)
        world.pass(.seconds(1))
        let names = alice.notices.suffix(7).map { notice in
            switch notice {
            case .connect(_, FakeRelay.address): "CONNECT"
            case .disconnect(_, FakeRelay.address, _): "DISCONNECT"
            case .up(_, FakeRelay.address, [id]): "UP"
            case .down(_, FakeRelay.address, [id]): "DOWN"
            case .deld(id): "DELD"
            default: "?"
            }
        }
        #expect(names == ["CONNECT", "UP", "DOWN", "DISCONNECT", "CONNECT", "UP", "DELD"])
    }

    /// A message that is held up is warned of by its name, and the other side's word that it may go is an event.
    @Test func aFullQueueIsWarnedOf() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 62)
        world.relay.quota = 2
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        try alice.agent?.start(.staying)
        for number in 0..<5 { try alice.send("\(number)") }
        world.pass(.seconds(10))
        let warned = alice.notices.compactMap { notice in
            if case .mwarn(_, let token, .refused(.quota)) = notice {
                token.map { String(decoding: $0, as: UTF8.self) }
            } else {
                nil
            }
        }
        #expect(Set(warned) == ["2"])
        try bob.agent?.start(.staying)
        #expect(world.run(.seconds(60)) { bob.texts.count == 5 })
        world.pass(.seconds(1))
        #expect(alice.continued > 0)
    }

    @Test func fetchKnowsWhenNothingWaits() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 7)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        for number in 0..<20 { try alice.send("\(number)") }
        try alice.fetch()
        let before = world.time
        try bob.fetch()
        #expect(bob.texts.count == 20)
        // An empty queue is known to be empty without waiting for silence.
        try bob.fetch()
        #expect(world.time - before < 23 * 2 * world.latency)
    }

    @Test func a_connection_that_is_deleted_with_its_message_is_not_waited_for() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 11)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        bob.lastWords = "bye"
        try alice.send("bye")
        try alice.fetch()
        try bob.agent?.start(.draining)
        #expect(world.run(.seconds(60)) { bob.agent?.isQuiet == true })
        #expect(bob.texts == ["bye"] && bob.agent?.isDrained == true)
        #expect(bob.notices.allSatisfy { if case .err = $0 { false } else { true } })
    }

    @Test func waitingEndsAtItsDeadline() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 8)
        let alice = try TestPerson("alice", world, folder)
        var results: [Bool] = []
        var isMet = false
        alice.agent?.wait(.seconds(5), until: { isMet }, finish: { results.append($0) })
        world.pass(.seconds(6))
        #expect(results == [false])
        alice.agent?.wait(.seconds(5), until: { isMet }, finish: { results.append($0) })
        isMet = true
        try alice.agent?.start(.draining)
        world.pass(.seconds(1))
        #expect(results == [false, true])
    }
}
