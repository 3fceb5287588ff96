import Agent
import AgentProtocol
import ByteCoding
import Store
import TestSupport
import Testing

/// Receipts: collected, sent when the application has a message, and matched with what was sent.
@Suite struct ReceiptTests {
    @Test func manyMessagesAreConfirmedByFewReceipts() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 40)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        bob.sendsReceipts = true
        for number in 0..<120 { try alice.send("\(number)") }
        try alice.fetch()
        try bob.fetch()
        let queued = world.relay.queues.values.map(\.messages.count)
        // One message for the first hundred, one for the rest.
        #expect(queued.sorted() == [0, 2])
        try alice.fetch()
        #expect(alice.confirmed == (0..<120).map { "\($0)" })
        // Receipts are not confirmed themselves.
        try bob.fetch()
        try alice.fetch()
        #expect(world.relay.queues.values.allSatisfy { $0.messages.isEmpty })
    }

    @Test func receipts_are_sent_on_request_only() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 41)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        try alice.send("one")
        try alice.fetch()
        try bob.fetch()
        try alice.fetch()
        #expect(bob.texts == ["one"] && alice.confirmed.isEmpty)
    }

    /// The process ends at each border of a transaction while it receives; every message is confirmed all the same, once.
    @Test(arguments: 0..<12)
    func aReceiptSurvivesACrash(border: Int) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 42)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        bob.sendsReceipts = true
        for number in 0..<3 { try alice.send("\(number)") }
        try alice.fetch()
        var borders = 0
        bob.agent?.checkpoint = {
            borders += 1
            if borders == border + 1 { throw Crash() }
        }
        try? bob.fetch()
        try bob.restart()
        try bob.fetch()
        try alice.fetch()
        #expect(bob.texts == ["0", "1", "2"])
        #expect(alice.confirmed == ["0", "1", "2"], "border \(border)")
    }

    @Test func staying_agent_sends_receipts_at_once() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 43)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        bob.sendsReceipts = true
        try alice.agent?.start(.staying)
        try bob.agent?.start(.staying)
        try alice.send("one")
        #expect(world.run(.seconds(2)) { alice.confirmed == ["one"] })
    }

    /// The contact reads nothing: its queue is full, and what it sends is confirmed by one message that waits.
    @Test func receipts_for_a_contact_with_a_full_queue_are_collected() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 44)
        world.relay.quota = 2000
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        bob.sendsReceipts = true
        try alice.fetch()
        let full = Set(world.relay.queues.values.filter { $0.messages.isEmpty }.map(\.recipientID))
        for number in 0..<600 { try alice.send("\(number)") }
        try alice.fetch()
        for queue in world.relay.queues.values where full.contains(queue.recipientID) && queue.messages.isEmpty {
            queue.isFull = true
        }
        try bob.fetch()
        #expect(bob.texts.count == 600)
        let database = try Database(folder.path + "/bob.db", .readOnly)
        let count = { (sql: String) in try database.first(sql) { row throws(StoreError) in try row.int() } }
        #expect(try count("SELECT count(*) FROM outbox") == 1)
        #expect(try count("SELECT count(*) FROM due_receipts") ?? 0 >= 345)

        for queue in world.relay.queues.values { queue.isFull = false }
        for person in [bob, alice] { try person.fetch() }
        #expect(alice.confirmed == (0..<600).map { "\($0)" })
        #expect(try count("SELECT count(*) FROM outbox") == 0)
        #expect(try count("SELECT count(*) FROM due_receipts") == 0)
    }
}
