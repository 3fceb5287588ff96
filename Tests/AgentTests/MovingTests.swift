import Agent
import AgentProtocol
import ByteCoding
import SMPClient
import SMPProtocol
import Store
import TestSupport
import Testing

/// Queues that move to another relay, and ratchets that are replaced, with agents and relays.
@Suite struct MovingTests {
    private func phases(_ person: TestPerson, _ direction: QueueDirection) -> [SwitchPhase] {
        person.switches.filter { $0.direction == direction }.map(\.phase)
    }

    @Test func aQueueMovesWithOneSideOfflineAtATime() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 50)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        let id = try #require(alice.connection)
        try alice.agent?.switchQueue(of: id)
        for _ in 0..<4 {
            try alice.fetch()
            try bob.send("\(world.time)")
            try bob.fetch()
        }
        try alice.fetch()
        #expect(phases(alice, .receiving) == [.started, .confirmed, .secured, .completed])
        #expect(phases(bob, .sending) == [.started, .confirmed, .secured, .completed])
        #expect(world.relay.queues.count == 1 && world.otherRelay.queues.count == 1)
        #expect(try alice.agent?.condition(of: id).receiveServers == [FakeRelay.otherAddress])
        #expect(alice.texts.count == 4 && alice.integrities.allSatisfy { $0 == .ok })
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    /// The other side reads nothing for longer than a message is kept: the move is given up, and can begin again.
    @Test func anOfferThatNeverArrivesIsWithdrawn() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 58)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        let id = try #require(alice.connection)
        world.relay.refusals[.send] = .quota
        try alice.agent?.start(.staying)
        try alice.agent?.switchQueue(of: id)
        #expect(world.run(.seconds(10 * 24 * 3600)) { phases(alice, .receiving).last == .aborted })
        #expect(alice.notices.contains { if case .mwarn(id, nil, .refused(.quota)) = $0 { true } else { false } })
        world.pass(.seconds(60))
        #expect(world.otherRelay.queues.isEmpty)
        world.relay.refusals = [:]
        try alice.agent?.stop()
        try alice.agent?.switchQueue(of: id)
        for _ in 0..<4 { for person in [alice, bob] { try person.fetch() } }
        #expect(phases(alice, .receiving).last == .completed)
    }

    /// Nothing of a relay is kept that the contact had its queue at: no row, and no session.
    @Test func unused_relay_is_forgotten() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 59)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        for person in [alice, bob] { try person.agent?.start(.staying) }
        for person in [alice, bob] {
            try person.agent?.switchQueue(of: try #require(person.connection))
            #expect(world.run { phases(person, .receiving).last == .completed })
            world.pass(.seconds(60))
        }
        #expect(world.relay.queues.isEmpty)
        for person in [alice, bob] {
            #expect(person.environment.sessions(with: world.relay) == 0)
            #expect(person.environment.sessions(with: world.otherRelay) == 1)
        }
        // The other one has made the link there.
        let servers = try Database(folder.path + "/bob.db", .readOnly).rows("SELECT address FROM servers") {
            row throws(StoreError) in try row.text()
        }
        #expect(servers == [FakeRelay.otherAddress.description])
        try alice.send("one")
        #expect(world.run { bob.texts == ["one"] })
    }

    @Test func messagesOfTheOldQueueComeFirst() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 51)
        // What comes through the old queue takes much longer.
        world.relay.slowness = 30
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        try alice.agent?.switchQueue(of: try #require(alice.connection))
        for person in [alice, bob, alice] { try person.fetch() }
        for number in 0..<10 { try bob.send("\(number)") }
        try bob.fetch()
        for number in 10..<20 { try bob.send("\(number)") }
        try bob.fetch()
        #expect(world.otherRelay.queues.values.contains { $0.messages.count > 10 })
        try alice.fetch()
        #expect(alice.texts == (0..<20).map { "\($0)" })
        #expect(alice.integrities.allSatisfy { $0 == .ok })
        #expect(phases(alice, .receiving).last == .completed)
    }

    @Test func missing_relay_does_not_block_new_queue() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 52)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        // bob receives through the other relay, so that the first one can go.
        try bob.agent?.switchQueue(of: try #require(bob.connection))
        for person in [bob, alice, bob, alice, bob] { try person.fetch() }
        #expect(phases(bob, .receiving).last == .completed)
        try alice.agent?.switchQueue(of: try #require(alice.connection))
        for person in [alice, bob, alice, bob] { try person.fetch() }
        world.relay.isUp = false
        try bob.send("through the new queue")
        try bob.fetch()
        try alice.fetch()
        #expect(alice.texts == ["through the new queue"])
        #expect(phases(alice, .receiving).last == .secured)
        world.relay.isUp = true
        try alice.fetch()
        #expect(phases(alice, .receiving).last == .completed)
        #expect(world.relay.queues.isEmpty)
    }

    @Test func aborted_rotation_leaves_no_queue() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 53)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        let id = try #require(alice.connection)
        try alice.agent?.switchQueue(of: id)
        try alice.fetch()
        #expect(world.otherRelay.queues.count == 1)
        #expect(throws: AgentError.connection(.notReady)) { try alice.agent?.switchQueue(of: id) }
        try alice.agent?.abortSwitch(of: id)
        for person in [alice, bob, alice, bob] { try person.fetch() }
        #expect(world.otherRelay.queues.isEmpty && world.relay.queues.count == 2)
        try bob.send("still here")
        try bob.fetch()
        try alice.fetch()
        #expect(alice.texts == ["still here"])
    }

    /// The process of either side ends at each border of a transaction.
    @Test(arguments: 0..<24)
    func aMoveSurvivesACrashAtEveryStep(border: Int) throws {
        for isAlice in [true, false] {
            let folder = try TemporaryFolder()
            let world = World(seed: 54)
            let (alice, bob) = try ConnectingTests.friends(world, folder)
            let victim = isAlice ? alice : bob
            var borders = 0
            victim.agent?.checkpoint = {
                borders += 1
                if borders == border + 1 { throw Crash() }
            }
            try? alice.agent?.switchQueue(of: try #require(alice.connection))
            if alice.agent?.failure != nil { try alice.restart() }
            for round in 0..<8 {
                for person in [alice, bob] {
                    try? person.fetch()
                    if person.agent?.failure != nil {
                        try person.restart()
                        try person.fetch()
                    }
                    do {
                        try person.send("\(person.name) \(round)")
                    } catch is AgentError {
                        try person.restart()
                        try person.send("\(person.name) \(round)")
                    }
                }
            }
            for person in [alice, bob, alice, bob] {
                do { try person.fetch() } catch {
                    try person.restart()
                    try person.fetch()
                }
            }
            if phases(alice, .receiving).isEmpty {
                // The request itself was lost in the crash.
                #expect(isAlice && border == 0)
            } else {
                #expect(phases(alice, .receiving) == [.started, .confirmed, .secured, .completed], "border \(border)")
                #expect(phases(bob, .sending).last == .completed)
            }
            #expect(alice.texts == (0..<8).map { "bob \($0)" } && bob.texts == (0..<8).map { "alice \($0)" })
            #expect((alice.integrities + bob.integrities).allSatisfy { $0 == .ok })
            #expect(alice.problems.isEmpty && bob.problems.isEmpty)
        }
    }

    @Test func synchronized_ratchet_sends_queued_messages() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 55)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        let id = try #require(alice.connection)
        #expect(throws: AgentError.connection(.notReady)) { try alice.agent?.synchronize(id, force: false) }
        try bob.send("before")
        try bob.fetch()
        try alice.agent?.synchronize(id, force: true)
        #expect(throws: AgentError.connection(.outOfStep)) { try alice.send("not now") }
        for person in [alice, bob, alice, bob, alice] { try person.fetch() }
        #expect(alice.states == [.started, .agreed, .ok] && bob.states == [.agreed, .ok])
        try alice.send("now")
        try alice.fetch()
        try bob.send("after")
        try bob.fetch()
        try alice.fetch()
        #expect(bob.texts == ["now"] && alice.texts == ["before", "after"])
        #expect((alice.integrities + bob.integrities).allSatisfy { $0 == .ok })
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    /// Alice takes the role of the silent other side after a minute, and reads the late message of that side.
    @Test(arguments: [false, true]) func silent_agreement_exchanges_roles_after_a_minute(stays: Bool) throws {
        var silent = 0
        for seed in 60..<76 as Range<UInt64> {
            let folder = try TemporaryFolder()
            let world = World(seed: seed)
            let (alice, bob) = try ConnectingTests.friends(world, folder)
            let id = try #require(alice.connection)
            try alice.agent?.synchronize(id, force: true)
            try alice.fetch()
            // Bob has not read the keys of Alice when he sends his own.
            try bob.agent?.synchronize(#require(bob.connection), force: true)
            try bob.agent?.deliverAll()
            world.run { bob.agent?.hasTriedAll ?? true }
            try bob.agent?.stop()
            if stays { try alice.agent?.start(.staying) } else { try alice.fetch() }
            #expect(world.run { alice.states == [.started, .agreed] })
            world.pass(.seconds(58))
            if !stays { try alice.fetch() }
            let code = try alice.agent?.securityHash(of: id)
            if !stays { try alice.restart() }
            world.pass(.seconds(10))
            if stays { try alice.agent?.stop() } else { try alice.fetch() }
            if try alice.agent?.securityHash(of: id) != code { silent += 1 }
            try bob.fetch()
            for person in [alice, bob, alice, bob] { try person.fetch() }
            #expect(
                alice.states == [.started, .agreed, .ok] && bob.states == [.started, .agreed, .ok], "seed \(seed)")
            #expect(alice.problems.isEmpty && bob.problems.isEmpty)
            #expect(try alice.agent?.securityHash(of: id) == code)
            try alice.send("now")
            try alice.fetch()
            try bob.fetch()
            #expect(bob.texts == ["now"])
        }
        // In a quarter of all agreements Alice waits and the order is uncertain.
        #expect((1..<12).contains(silent))
    }
}
