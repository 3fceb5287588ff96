import AgentProtocol
import ByteCoding
import SMPProtocol
import Store
import TestSupport
import Testing

@testable import Agent

/// What the official agent reads of its database later: queues that have been replaced, keys for links, and flags.
@Suite struct OfficialRotationTests {
    private func numbers(_ database: Database, _ sql: String) throws -> [Int64] {
        try database.rows(sql) { row throws(StoreError) in try row.int64() }
    }

    private func export(
        _ person: TestPerson, _ use: (inout OfficialAgentExport, Database) throws -> Void
    ) throws {
        let time = Timestamp(milliseconds: 1_800_000_000_000)
        let database = try Database(Database.inMemory, .create)
        try OfficialAgentSchema.schema.create(in: database, at: time)
        try person.replaceStore { path in
            var export = OfficialAgentExport(try Database(path, .readOnly), into: database, at: time)
            try export.run(profiles: [ProfileID(1)])
            try use(&export, database)
        }
    }

    /// The official agent makes the new queue the primary one, which replaces none, with the first message there.
    @Test func new_queue_is_the_primary_one_while_the_old_one_is_read() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 101)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        let id = try #require(alice.connection)
        try alice.agent?.switchQueue(of: id)
        for person in [alice, bob, alice, bob] { try person.fetch() }
        try bob.send("in the new queue")
        try bob.fetch()
        try alice.agent?.start(.staying)
        #expect(world.run { alice.texts == ["in the new queue"] })
        var trip: OfficialTrip?
        try alice.replaceStore { path in
            trip = try OfficialTrip(path) { database throws in
                let primary = try numbers(database, "SELECT rcv_primary FROM rcv_queues ORDER BY rcv_queue_id")
                #expect(primary == [0, 1])
                #expect(
                    try numbers(database, "SELECT count(*) FROM rcv_queues WHERE replace_rcv_queue_id IS NOT NULL")
                        == [0])
                #expect(
                    try numbers(
                        database, "SELECT rcv_queue_id FROM rcv_queues WHERE switch_status = 'received_message'") == [1]
                )
                #expect(
                    try numbers(database, "SELECT count(*) FROM commands WHERE command_tag = x'\(Self.deletionTag)'")
                        == [1])
            }
        }
        let made = try #require(trip)
        #expect(made.after[id] == made.before[id])
        #expect(made.after[id]?.contains { $0.hasPrefix("moving draining ") } == true)
        #expect(made.discarded.after == 0)
        try bob.send("later")
        for person in [bob, alice] { try person.fetch() }
        #expect(alice.texts == ["in the new queue", "later"] && alice.integrities == [.ok, .ok])
        #expect(try alice.agent?.condition(of: id).receiveServers == [FakeRelay.otherAddress])
        #expect(world.relay.queues.count == 1 && world.otherRelay.queues.count == 1)
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    private static let deletionTag = Hex.encode(Bytes("INTERNAL QDELETE".utf8))

    /// The official agent looks for the key of an opened invitation by the queue of the full link.
    @Test func key_of_an_opened_link_is_found_by_its_queue() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 102)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let links = try alice.inviteWithLinks(showing: "hello")
        let short = try #require(links.short)
        let request = try bob.open(short).request
        try export(bob) { export, database throws in
            #expect(export.remainders == [.openedLinks: 1])
            try export.addOpenedLink(short, leadingTo: request, of: ProfileID(1))
            #expect(export.remainders.isEmpty)
            let senders = try database.rows(
                "SELECT snd_id FROM inv_short_links JOIN servers USING (host, port) WHERE link_id = ?",
                short.linkID.bytes
            ) { row throws(StoreError) in try row.bytes() }
            #expect(senders == [request.queues.first.location.senderID.bytes])
        }
    }

    @Test func every_start_finds_the_statistics() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 103)
        let alice = try TestPerson("alice", world, folder)
        try export(alice) { _, database throws in
            #expect(
                try numbers(database, "SELECT servers_stats_id FROM servers_stats WHERE started_at > '2027'") == [1])
        }
    }

    @Test func flags_are_those_of_the_connection() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 104)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        for person in [alice, bob] { person.postQuantum = .on }
        try bob.join(try alice.invite())
        for person in [bob, alice, bob] { try person.fetch() }
        for _ in 0..<3 {
            for person in [alice, bob] {
                try person.send("hello")
                try person.fetch()
            }
        }
        try alice.send("waits")
        let id = try #require(alice.connection)
        try export(alice) { export, database throws in
            let waiting = "snd_message_deliveries JOIN messages USING (conn_id, internal_id)"
            #expect(try numbers(database, "SELECT pq_encryption FROM \(waiting)") == [1])
            #expect(try numbers(database, "SELECT enable_ntfs FROM connections") == [1])
            try export.disableNotifications(of: id)
            #expect(try numbers(database, "SELECT enable_ntfs FROM connections") == [0])
        }
    }
}
