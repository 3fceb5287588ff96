import ByteCoding
import ChatCore
import Store
import SystemIO
import TestSupport
import Testing

/// Events that the program cannot handle.
@Suite struct SetAsideTests {
    /// The chat database refuses what is in a message, whoever opens the store.
    private func refusing(_ text: String, in store: TestStore) throws {
        store.close()
        try Database(store.folder.path + "/simplex_v1_chat.db", .readWrite).execute(
            script: """
                CREATE TRIGGER refusal BEFORE INSERT ON items WHEN NEW.content LIKE '%\(text)%'
                BEGIN SELECT RAISE(ABORT, 'refused'); END
                """)
        try store.reopen()
    }

    @Test func an_event_that_fails_twice_is_set_aside() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try refusing("poison", in: bob)
        for text in ["one", "poison", "two"] { try alice.send(text, to: "bob") }
        _ = try alice.fetch()
        #expect(throws: ChatError.self) { try bob.fetch() }
        try bob.reopen()
        _ = bob.events()
        _ = try bob.fetch()
        try alice.send("three", to: "bob")
        _ = try alice.fetch()
        try bob.reopen()
        _ = try bob.fetch()
        #expect(
            try bob.items("alice").filter { $0.direction == .received }.map(\.content.plainText).filter { !$0.isEmpty }
                .filter { ["one", "two", "three", "poison"].contains($0) } == ["one", "two", "three"])
        #expect(try bob.items("alice").contains { $0.content == .undecryptable(.malformed) })
        bob.close()
        let findings = try StoreCheck.run(bob.folder, key: nil)
        #expect(findings.count == 1)
        guard case .setAside(let ids) = findings.first else {
            Issue.record("\(findings)")
            return
        }
        #expect(ids.count == 1 && !findings.contains { $0.isDamage })
    }

    /// A relay that makes up messages does not fill the conversation.
    @Test func unreadable_messages_are_told_a_few_times() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        bob.close()
        let database = try Database(bob.folder.path + "/simplex_v1_agent.db", .readWrite)
        for _ in 0..<20 {
            try database.run(
                """
                INSERT INTO events (connection_id, profile_id, content)
                SELECT connection_id, profile_id, x'5501' FROM connections LIMIT 1
                """)
        }
        try bob.reopen()
        #expect(try bob.items("alice").count { $0.content == .undecryptable(.malformed) } == 8)
        // Who has read them is told again.
        _ = try bob.execute(MarkChatRead(.name("alice")))
        _ = alice
    }

    /// The number of a message goes to the agent.
    @Test func a_crash_while_reading_is_counted() throws {
        let house = try TestHouse()
        let (_, bob) = try house.friends()
        for count in 1...2 {
            bob.close()
            try Files.replace(bob.folder.path + "/crash", [5, 0, 0, 0, 0, 0, 0, 0x80])
            try bob.reopen()
            #expect(!Files.exists(bob.folder.path + "/crash"))
            let failures = try Database(bob.folder.path + "/simplex_v1_agent.db", .readOnly).rows(
                "SELECT failures FROM reading_crashes WHERE message = ?", Int64.min + 5
            ) { row throws(StoreError) in try row.int() }
            #expect(failures == [count])
        }
    }

    @Test func an_event_that_cannot_be_read_is_set_aside_at_once() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        bob.close()
        let database = try Database(bob.folder.path + "/simplex_v1_agent.db", .readWrite)
        try database.run(
            """
            INSERT INTO events (connection_id, profile_id, content)
            SELECT connection_id, profile_id, x'fe00' FROM connections LIMIT 1
            """)
        try alice.send("one", to: "bob")
        _ = try alice.fetch()
        try bob.reopen()
        _ = try bob.fetch()
        #expect(try bob.texts("alice").contains("one"))
        bob.close()
        #expect(try StoreCheck.run(bob.folder, key: nil).map(\.isDamage) == [false])
    }

    /// Two processes ended by a fault while they handled the same event; one that ended by something else does not count.
    @Test(arguments: [1, 2]) func an_event_that_ends_the_process_twice_is_set_aside(crashes: Int) throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        bob.close()
        let path = bob.folder.path + "/simplex_v1_agent.db"
        try Database(path, .readWrite).run(
            """
            INSERT INTO events (event_id, connection_id, profile_id, content)
            SELECT 1000, connection_id, profile_id, x'51' FROM connections LIMIT 1
            """)
        // The former processes left the event, and the handler of the signal its number.
        try Database(path, .readWrite).run("UPDATE events SET failures = ?", Int64(crashes - 1))
        try Files.replace(bob.folder.path + "/crash", [0xE8, 3, 0, 0, 0, 0, 0, 0])
        try bob.reopen()
        bob.close()
        #expect(!Files.exists(bob.folder.path + "/crash"))
        let setAside = try Database(path, .readOnly).rows("SELECT event_id FROM set_aside_events") {
            row throws(StoreError) in try row.int()
        }
        #expect(setAside == (crashes == 2 ? [1000] : []))
        try alice.send("one", to: "bob")
        _ = try alice.fetch()
        try bob.reopen()
        _ = try bob.fetch()
        #expect(try bob.texts("alice").contains("one"))
    }
}
