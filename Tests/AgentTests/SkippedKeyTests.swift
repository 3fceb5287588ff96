import Agent
import AgentProtocol
import SMPProtocol
import Store
import TestSupport
import Testing

/// Keys of messages that never arrive: how many are kept, and which.
@Suite struct SkippedKeyTests {
    /// What a connection is known by costs no more than a limit, whatever its contact sends.
    @Test func hashes_of_received_messages_are_limited() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 71)
        world.relay.quota = 10_000
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        for number in 0..<2300 { try alice.send("\(number)") }
        for person in [alice, bob] { try person.fetch() }
        #expect(bob.texts.count == 2300)
        let count = try Database(folder.path + "/bob.db", .readOnly).first("SELECT count(*) FROM seen_messages") {
            row throws(StoreError) in try row.int()
        }
        #expect((2000...2101).contains(count ?? 0))
    }

    @Test func keys_of_lost_messages_are_limited_and_the_oldest_are_dropped() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 70)
        world.relay.quota = 10_000
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        var lost: [[(id: EntityID, body: ReceivedBody)]] = []
        var reached: FakeRelay.Queue?
        for round in 0..<5 {
            for number in 0..<512 { try alice.send("lost \(round) \(number)") }
            try alice.send("round \(round)")
            try alice.fetch()
            let queue = try #require(world.relay.queues.values.first { !$0.messages.isEmpty })
            reached = queue
            lost.append(Array(queue.messages.prefix(512)))
            queue.messages.removeFirst(512)
            try bob.fetch()
        }
        #expect(bob.texts == (0..<5).map { "round \($0)" })
        let database = try Database(folder.path + "/bob.db", .readOnly)
        let count = try database.first("SELECT count(*) FROM skipped_keys") { row throws(StoreError) in try row.int() }
        #expect(count == 2048)

        // The newest that was lost comes late and is read; the oldest is not, and stands in the way of nothing.
        let queue = try #require(reached)
        queue.messages += [lost[4][511], lost[0][0]]
        try bob.fetch()
        #expect(bob.texts.last == "lost 4 511")
        #expect(bob.problems == [.unreadable(.undecryptable)])
        try alice.send("after")
        try alice.fetch()
        try bob.fetch()
        #expect(bob.texts.last == "after")
    }
}
