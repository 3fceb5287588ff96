import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import Store
import TestSupport
import Testing

@testable import Agent

/// Connections that go to the official agent and come back, and go on.
@Suite struct OfficialAgentExportTests {
    /// Takes a person's store to the official agent and back. Everything has to be as before.
    @discardableResult
    private func carry(
        _ person: TestPerson, links: [ShortLink] = [], look: (Database) throws -> Void = { _ in }
    ) throws -> OfficialTrip {
        var trip: OfficialTrip?
        try person.replaceStore { path in trip = try OfficialTrip(path, links: links, look: look) }
        let made = try #require(trip)
        for (id, lines) in made.before {
            let after = made.after[id] ?? []
            #expect(lines.filter { !after.contains($0) } == [], "\(person.name) \(id) lost")
            #expect(after.filter { !lines.contains($0) } == [], "\(person.name) \(id) gained")
        }
        return made
    }

    private func fetch(_ people: TestPerson...) throws { for person in people { try person.fetch() } }

    private func text(_ database: Database, _ sql: String) throws -> [String] {
        try database.rows(sql) { row throws(StoreError) in try row.foreignText() }
    }

    @Test(arguments: [PostQuantumSupport.off, .on])
    func connected_people_go_on(postQuantum: PostQuantumSupport) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 81)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        for person in [alice, bob] { person.postQuantum = postQuantum }
        try bob.join(try alice.invite())
        try fetch(bob, alice, bob)
        for round in 0..<4 {
            for person in [alice, bob] { try person.send("\(person.name) \(round)") }
            try fetch(alice, bob, alice)
            for person in [alice, bob] { #expect(try carry(person).remainders.isEmpty) }
        }
        #expect(bob.texts == (0..<4).map { "alice \($0)" } && alice.texts == (0..<4).map { "bob \($0)" })
        #expect((alice.integrities + bob.integrities).allSatisfy { $0 == .ok })
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    @Test(arguments: [true, false])
    func handshake_survives_move_at_any_stage(senderSecures: Bool) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 82)
        if !senderSecures { world.relay.version = SMP.senderKeys - 1 }
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let links = try alice.inviteWithLinks(showing: "welcome")
        try carry(alice)
        #expect(try alice.agent?.links(of: #require(alice.connection)) == links)
        try bob.join(links.full)
        for _ in 0..<4 {
            for person in [bob, alice] {
                try person.fetch()
                #expect(try carry(person).remainders.isEmpty)
            }
        }
        #expect(alice.isConnected && bob.isConnected)
        try alice.send("hello")
        try fetch(alice, bob)
        #expect(bob.texts == ["hello"] && bob.integrities == [.ok])
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    /// Notices of relays are known to apps from 6.5 on. The durations and the beginnings go over and come back.
    @Test func notices_of_blocked_queues_go_over() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 96)
        let alice = try TestPerson("alice", world, folder)
        var expected: [String] = []
        for number: Int64 in 7...8 { _ = try alice.createAddress(ConnectionID(number)) }
        world.relay.refusals[.sub] = .blocked(Blocking(reason: .spam, notice: Blocking.Notice(seconds: 24 * 3600)))
        try alice.fetch()
        // The queue of a notice may be gone.
        world.relay.refusals[.sub] = nil
        try alice.replaceStore { path in
            do {
                let store = AgentStore(database: try Database(path, .readWrite))
                for (id, seconds) in [(EntityID([1]), Int64?(5)), (EntityID([2]), nil)] {
                    try store.insertNotice(of: id, at: FakeRelay.otherAddress, seconds: seconds, OfficialTrip.time)
                }
                expected = try notices(at: path)
            }
            try OfficialTrip(path, OfficialAgentSchema.today) { database throws in
                let joined = "rcv_queues q JOIN client_notices n USING (client_notice_id) WHERE q.rcv_id = n.entity_id"
                let linked = try text(database, "SELECT 'linked' FROM \(joined)")
                #expect(linked == ["linked", "linked"])
                let columns = "protocol || notice_ttl || typeof(created_at)"
                let rows = try text(database, "SELECT \(columns) FROM client_notices WHERE notice_ttl = 5")
                #expect(rows == ["smp5integer"])
            }
            let returned = try notices(at: path)
            #expect(returned == expected && expected.count == 4)
        }
        // The app of 6.4 has no table for them, and goes on.
        try carry(alice)
        try alice.replaceStore { path in
            let left = try notices(at: path)
            #expect(left.isEmpty)
        }
    }

    private func notices(at path: String) throws -> [String] {
        try AgentStore(database: try Database(path, .readOnly)).notices().map { notice in
            "\(notice.server) \(Hex.encode(notice.recipientID.bytes)) \(notice.seconds ?? -1) "
                + "\(notice.notedAt.milliseconds / 1000)"
        }.sorted()
    }

    /// The official agent does not let itself into a queue for a message that is made already. The first message shows the key
    /// then, and the other side lets it in.
    @Test func confirmation_goes_over_before_its_queue_is_secured() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 94)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        bob.server = FakeRelay.otherAddress
        try bob.join(try alice.invite())
        try bob.fetch()
        world.otherRelay.isUp = false
        try alice.fetch()
        try alice.replaceStore { path in
            let trip = try OfficialTrip(path) { database throws in
                #expect(try text(database, "SELECT status || coalesce(queue_mode, '-') FROM snd_queues") == ["new-"])
                #expect(try text(database, "SELECT msg_type FROM messages") == ["C"])
            }
            #expect(trip.remainders.isEmpty)
        }
        world.otherRelay.isUp = true
        for _ in 0..<2 { try fetch(alice, bob) }
        try alice.fetch()
        #expect(alice.isConnected && bob.isConnected)
        try alice.send("hello")
        try fetch(alice, bob)
        #expect(bob.texts == ["hello"] && bob.integrities == [.ok])
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    /// What the official agent cannot begin again is counted, and nothing stays at a relay.
    @Test func unfinished_join_is_counted() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 83)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        try bob.join(try alice.invite())
        let id = try #require(bob.connection)
        let trip = try carry(bob)
        #expect(trip.remainders == [.unfinishedJoins: 1])
        #expect(trip.names[id] == nil)
    }

    @Test func address_and_its_requests_go_over() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 84)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let links = try alice.createAddress(showing: "welcome")
        try carry(alice) { database throws in
            #expect(try text(database, "SELECT conn_mode FROM connections") == ["CON"])
            #expect(try text(database, "SELECT status || queue_mode FROM rcv_queues") == ["newC"])
        }
        #expect(try alice.agent?.links(of: TestPerson.address) == links)
        try bob.join(.short(try #require(links.short)))
        for person in [bob, alice, bob, alice] {
            try person.fetch()
            try carry(person)
        }
        #expect(alice.isConnected && bob.isConnected)
        try bob.send("hello")
        try fetch(bob, alice)
        #expect(alice.texts == ["hello"])
    }

    @Test func waiting_request_is_written() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 85)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        alice.acceptsRequests = false
        try bob.join(try alice.createAddress().full)
        try fetch(bob, alice, bob)
        let link = try #require(alice.waiting)
        let database = try Database(Database.inMemory, .create)
        try OfficialAgentSchema.schema.create(in: database, at: Timestamp(milliseconds: 0))
        try alice.replaceStore { path in
            var export = OfficialAgentExport(
                try Database(path, .readOnly), into: database, at: Timestamp(milliseconds: 0))
            try export.run(profiles: [ProfileID(1)])
            let request = OfficialAgent.Request(link: link, information: Bytes("bob".utf8), isAccepted: false)
            let id = try export.addRequest(request, at: TestPerson.address)
            let found = try #require(try OfficialAgent(database).request(id))
            #expect(found.link == link && found.information == Bytes("bob".utf8) && !found.isAccepted)
            #expect(
                try database.rows("SELECT contact_conn_id FROM conn_invitations") { row throws(StoreError) in
                    try row.bytes()
                } == [export.connectionID(TestPerson.address)])
        }
    }

    @Test func messages_that_wait_are_sent_later() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 86)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        for person in [alice, bob] { person.sendsReceipts = true }
        for number in 0..<3 { try alice.send("\(number)") }
        try carry(alice) { database throws in
            #expect(try text(database, "SELECT msg_type FROM messages ORDER BY internal_id") == ["M", "M", "M"])
            #expect(
                try text(
                    database,
                    "SELECT CAST(count(*) AS TEXT) FROM snd_message_deliveries JOIN messages USING (conn_id, internal_id)"
                ) == ["3"])
        }
        try fetch(alice, bob)
        // A receipt finds the message by its number.
        try carry(bob)
        try carry(alice)
        try fetch(bob, alice)
        #expect(bob.texts == ["0", "1", "2"] && bob.integrities.allSatisfy { $0 == .ok })
        #expect(alice.confirmed.sorted() == ["0", "1", "2"])
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    @Test func due_receipts_become_acknowledgements() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 87)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        bob.sendsReceipts = true
        for number in 0..<3 { try alice.send("\(number)") }
        try alice.fetch()
        try bob.agent?.start(.staying)
        #expect(world.run { bob.texts.count == 3 })
        let id = try #require(bob.connection)
        var due = 0
        let trip = try carry(bob) { database throws in
            let commands = try text(database, "SELECT command FROM commands")
            #expect(commands.allSatisfy { $0.hasPrefix("CLIENT ACK ") && $0.hasSuffix(" 0\n") })
            due = commands.count
            #expect(
                try database.first(
                    "SELECT count(*) FROM rcv_messages JOIN messages USING (conn_id, internal_id) WHERE user_ack = 0"
                ) { row throws(StoreError) in try row.int() } == due)
        }
        #expect(due > 0)
        #expect(try bob.agent?.condition(of: id) != nil)
        try fetch(bob, alice)
        // An event that he has not forgotten yet stays behind.
        #expect(alice.confirmed.sorted() == ["0", "1", "2"].dropLast(trip.remainders[.events] ?? 0))
        #expect(!alice.confirmed.isEmpty)
    }

    @Test func keys_of_late_messages_go_over() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 88)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        for number in 0..<5 { try alice.send("\(number)") }
        try alice.fetch()
        let queue = try #require(world.relay.queues.values.first { !$0.messages.isEmpty })
        let late = Array(queue.messages.prefix(4))
        queue.messages.removeFirst(4)
        try bob.fetch()
        #expect(bob.texts == ["4"])
        try carry(bob) { database throws in
            #expect(
                try text(
                    database,
                    "SELECT length(header_key) || ' ' || length(msg_key) FROM skipped_messages")
                    == Array(repeating: "32 49", count: 4))
        }
        queue.messages += late
        try bob.fetch()
        #expect(bob.texts == ["4", "0", "1", "2", "3"])
    }

    @Test(arguments: 0..<9)
    func rotation_goes_on(stop: Int) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 89)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        let id = try #require(alice.connection)
        try alice.agent?.switchQueue(of: id)
        var stage = 0
        for _ in 0..<5 {
            for person in [alice, bob] {
                if stage == stop { for person in [alice, bob] { try carry(person) } }
                stage += 1
                try person.fetch()
                try person.send("\(person.name) \(stage)")
            }
        }
        try fetch(alice, bob, alice)
        #expect(try alice.agent?.condition(of: id).receiveServers == [FakeRelay.otherAddress])
        #expect(alice.texts.count == 5 && bob.texts.count == 5)
        #expect((alice.integrities + bob.integrities).allSatisfy { $0 == .ok })
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
        #expect(world.relay.queues.count == 1 && world.otherRelay.queues.count == 1)
    }

    @Test(arguments: 0..<4)
    func synchronization_goes_on(stop: Int) throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 90)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        for person in [alice, bob] { person.postQuantum = .on }
        try bob.join(try alice.invite())
        try fetch(bob, alice, bob)
        try alice.agent?.synchronize(#require(alice.connection), force: true)
        for stage in 0..<4 {
            if stage == stop { for person in [alice, bob] { try carry(person) } }
            try (stage.isMultiple(of: 2) ? alice : bob).fetch()
        }
        try fetch(alice, bob, alice)
        try alice.send("again")
        try fetch(alice, bob)
        #expect(bob.texts == ["again"])
        #expect(alice.problems.isEmpty && bob.problems.isEmpty)
    }

    @Test func queues_of_deleted_connections_are_deleted_later() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 91)
        let (alice, bob) = try ConnectingTests.friends(world, folder)
        try bob.send("goodbye")
        try bob.agent?.delete(#require(bob.connection))
        let trip = try carry(bob) { database throws in
            #expect(
                try text(database, "SELECT CAST(deleted AS TEXT) FROM connections WHERE deleted_at_wait_delivery > ''")
                    == ["0"])
        }
        #expect(trip.remainders.isEmpty)
        try bob.fetch()
        #expect(bob.sent == ["goodbye"])
        #expect(world.relay.queues.count == 1)
        try alice.fetch()
        #expect(alice.texts == ["goodbye"])

        // A queue that is nothing but a debt.
        world.relay.isUp = false
        try alice.agent?.delete(#require(alice.connection))
        try alice.fetch()
        try alice.replaceStore { path in
            let left = try OfficialTrip(path)
            #expect(left.remainders.isEmpty && left.discarded.before + left.names.count == 1)
            #expect(left.discarded.after == 1 && left.after.isEmpty)
        }
        world.relay.isUp = true
        try alice.fetch()
        #expect(world.relay.queues.isEmpty)
    }

    @Test func key_of_an_opened_link_goes_over_with_the_link() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 92)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        let short = try #require(try alice.inviteWithLinks(showing: "hello").short)
        _ = try bob.open(short)
        // Without a connection there is nobody whom an import could give the key.
        _ = try bob.createAddress()
        #expect(try carry(bob, links: [short]).remainders.isEmpty)
        // The relay lets nobody with another key into the queue.
        try bob.join(.short(short))
        for person in [bob, alice, bob] { try person.fetch() }
        #expect(alice.isConnected && bob.isConnected)
        let carol = try TestPerson("carol", world, folder), dave = try TestPerson("dave", world, folder)
        let other = try #require(try dave.inviteWithLinks(showing: "hello").short)
        _ = try carol.open(other)
        #expect(try carry(carol).remainders == [.openedLinks: 1])
    }

    // MARK: - The ratchet

    /// The names and their order are those of the reference implementation.
    @Test func ratchet_has_fields_of_official_programs() throws {
        let folder = try TemporaryFolder()
        let world = World(seed: 93)
        let alice = try TestPerson("alice", world, folder), bob = try TestPerson("bob", world, folder)
        for person in [alice, bob] { person.postQuantum = .on }
        try bob.join(try alice.invite())
        try fetch(bob, alice, bob)
        for round in 0..<3 {
            for person in [alice, bob] { try person.send("\(round)") }
            try fetch(alice, bob, alice)
        }
        let store = AgentStore(database: try Database(folder.path + "/alice.db", .readOnly))
        let id = try #require(alice.connection)
        let ratchet = try #require(try store.connection(id)?.connection.ratchet)
        let json = OfficialRatchet.json(ratchet)
        let text = String(decoding: json, as: UTF8.self)
        var rest = text[...]
        for name in [
            "rcVersion", "rcAD", "rcDHRs", "rcKEM", "rcPQRs", "rcKEMs", "rcPQRr", "rcPQRss", "rcPQRct", "rcSupportKEM",
            "rcEnableKEM", "rcSndKEM", "rcRcvKEM", "rcRK", "rcSnd", "rcDHRr", "rcCKs", "rcHKs", "rcRcv", "rcCKr",
            "rcHKr", "rcNs", "rcNr", "rcPN", "rcNHKs", "rcNHKr",
        ] {
            let range = try #require(rest.firstRange(of: "\"\(name)\":"), "\(name)")
            rest = rest[range.upperBound...]
        }
        #expect(text.hasPrefix("{\"rcVersion\":[3,3],\"rcAD\":\""))
        #expect(try OfficialRatchet.ratchet(json).stored().copyBytes() == ratchet.stored().copyBytes())
    }
}
