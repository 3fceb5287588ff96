import ByteCoding
import ChatCore
import Store
import TestSupport
import Testing

/// Connections whose records in the agent's database cannot be read.
@Suite struct UnreadableConnectionTests {
    /// Alice, whose connection with bob cannot be read, and bob and carol, who both wrote to her.
    private func damaged(_ house: TestHouse, _ script: String) throws -> (alice: TestStore, bob: TestStore) {
        let (alice, bob) = try house.friends()
        let carol = try house.person("carol")
        try carol.join(try alice.invite())
        for store in [carol, alice, carol] { _ = try store.fetch() }
        alice.close()
        try agent(alice).execute(script: script)
        try alice.reopen()
        _ = alice.events()
        for store in [bob, carol] {
            try store.send("hello", to: "alice")
            _ = try store.fetch()
        }
        return (alice, bob)
    }

    private func agent(_ store: TestStore) throws -> Database {
        try Database(store.folder.path + "/simplex_v1_agent.db", .readWrite)
    }

    private static let damage = """
        INSERT INTO servers (server_id, address) VALUES (999, 'smp://@nowhere');
        UPDATE send_queues SET server_id = 999 WHERE connection_id = 1
        """

    private func tells(_ events: [any ChatEvent]) -> Bool {
        events.contains { $0 is MessageUnusableEvent }
    }

    @Test func other_contacts_are_served_and_nothing_is_lost() throws {
        let house = try TestHouse()
        let (alice, _) = try damaged(house, UnreadableConnectionTests.damage)
        _ = try alice.fetch()
        #expect(try alice.texts("carol").contains("hello"))
        #expect(try !alice.texts("bob").contains("hello"))
        #expect(tells(alice.events()))
        // The relay kept what could not be received, for a program that can read the connection.
        alice.close()
        try agent(alice).execute(
            script: """
                UPDATE send_queues SET server_id = (SELECT server_id FROM send_queues WHERE connection_id = 2)
                WHERE connection_id = 1
                """)
        try alice.reopen()
        _ = try alice.fetch()
        #expect(try alice.texts("bob").contains("hello"))
    }

    @Test func such_a_contact_can_be_deleted() throws {
        let house = try TestHouse()
        let (alice, bob) = try damaged(house, UnreadableConnectionTests.damage)
        _ = try alice.execute(DeleteChat(.name("bob"), .full, notifies: true))
        _ = try alice.fetch()
        #expect(try alice.contacts().map(\.name) == ["carol"])
        // The relay has deleted the queue.
        try bob.send("still there?", to: "alice")
        _ = try bob.fetch()
        #expect(try bob.items("alice").last { $0.direction == .sent }?.status == .sendErrorAuthorization)
    }

    @Test func an_own_queue_that_cannot_be_read_holds_up_one_contact_only() throws {
        let house = try TestHouse()
        let (alice, _) = try damaged(
            house, "UPDATE receive_queues SET authorization_key = x'00' WHERE connection_id = 1")
        _ = try alice.fetch()
        #expect(try alice.texts("carol").contains("hello") && !alice.texts("bob").contains("hello"))
        #expect(tells(alice.events()))
        _ = try alice.execute(DeleteChat(.name("bob"), .full, notifies: true))
        _ = alice.events()
        try alice.send("to carol", to: "carol")
        _ = try alice.fetch()
        #expect(try alice.contacts().map(\.name) == ["carol"] && !tells(alice.events()))
        #expect(try alice.items("carol").last { $0.direction == .sent }?.status == .sendSent)
    }

    @Test func a_task_that_cannot_be_read_holds_up_one_contact_only() throws {
        let house = try TestHouse()
        let (alice, _) = try damaged(
            house, "INSERT INTO outbox (connection_id, kind, parameter, created_at) VALUES (1, 20, x'00', 0)")
        try alice.send("to carol", to: "carol")
        _ = try alice.fetch()
        #expect(try alice.texts("carol").contains("hello") && alice.texts("bob").contains("hello"))
        #expect(try alice.items("carol").last { $0.direction == .sent }?.status == .sendSent)
        #expect(tells(alice.events()))
        _ = try alice.execute(DeleteChat(.name("bob"), .full, notifies: true))
        _ = alice.events()
        _ = try alice.fetch()
        #expect(try alice.contacts().map(\.name) == ["carol"] && !tells(alice.events()))
    }
}
