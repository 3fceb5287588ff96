import AgentProtocol
import ChatCore
import JSONCoding
import Store
import SystemIO
import TestSupport
import Testing

/// Stores of every schema that was shipped, brought to the one of this program and back.
@Suite struct UpgradeTests {
    private static let texts = ["hello from before", "an answer, unread", "and one more", "in the outbox"]
    /// Each schema of one file, beside the first and the newest schema of the other: the steps of the two files do not read each
    /// other's tables.
    private static let shipped = (1...FixtureStore.newest.chat).flatMap { chat in
        (1...FixtureStore.newest.agent).compactMap { agent in
            [1, FixtureStore.newest.chat].contains(chat) || [1, FixtureStore.newest.agent].contains(agent)
                ? (chat: chat, agent: agent) : nil
        }
    }
    private static let known = (chat: FixtureStore.newest.chat, agent: FixtureStore.newest.agent)

    @Test(arguments: shipped)
    func everyShippedSchemaIsUpgraded(chat: Int, agent: Int) throws {
        let store = try FixtureStore(chat: chat, agent: agent)
        let isOld = chat < Self.known.chat || agent < Self.known.agent
        let asked = try StoreUpgrade.run(store.folder, confirmation: .error)
        if isOld { #expect(asked.result.json["migrationError"]?.object?["type"] == "upgrade") }
        #expect(try store.schemas() == (Array(1...chat), Array(1...agent)))
        #expect(asked.backups.isEmpty)

        let report = try StoreUpgrade.run(store.folder, confirmation: .yesUp)
        #expect(report.result == .ok && report.down.isEmpty)
        #expect(report.backups.count == (report.up.isEmpty ? 0 : 2))
        #expect(try store.texts() == Self.texts)
        #expect(try StoreUpgrade.run(store.folder, confirmation: .error).result == .ok)
    }

    @Test(arguments: shipped)
    func everySchemaIsGoneBackTo(chat: Int, agent: Int) throws {
        let store = try FixtureStore(chat: Self.known.chat, agent: Self.known.agent)
        _ = try StoreUpgrade.run(store.folder, confirmation: .yesUp)
        let older = StoreUpgrade.Schemas(chat: chat, agent: agent)
        let isNewer = chat < Self.known.chat || agent < Self.known.agent
        let refused = try StoreUpgrade.run(store.folder, confirmation: .yesUp, to: older)
        #expect(isNewer == (refused.result.json["migrationError"]?.object?["type"] == "downgrade"))
        let report = try StoreUpgrade.run(store.folder, confirmation: .yesUpDown, to: older)
        #expect(report.result == .ok && report.up.isEmpty)
        // The order of fields and an index are nothing that could be lost.
        #expect(report.down.allSatisfy { $0.loses != nil || [20, 22].contains($0.number) })
        #expect(try store.schemas() == (Array(1...chat), Array(1...agent)))
        try Self.expectSameTables(store, try FixtureStore(chat: chat, agent: agent))
        #expect(try StoreUpgrade.run(store.folder, confirmation: .yesUp).result == .ok)
        #expect(try store.texts() == Self.texts)
    }

    /// The tables and columns, apart from the order of the columns and the form of the text.
    private static func expectSameTables(_ one: FixtureStore, _ other: FixtureStore) throws {
        for name in ["simplex_v1_chat.db", "simplex_v1_agent.db"] {
            let columns = try [one, other].map { store in
                try Database("\(store.temporary.path)/\(name)", .readOnly).rows(
                    """
                    SELECT t.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull"
                    FROM sqlite_master t, pragma_table_info(t.name) c
                    WHERE t.type = 'table' AND t.name NOT IN ('migrations', 'sqlite_sequence') ORDER BY 1
                    """
                ) { row throws(StoreError) in try row.text() }
            }
            #expect(columns[0] == columns[1], "\(name)")
        }
    }

    @Test(arguments: [("2", RatchetSynchronization.required), ("0", .ok), ("7", .ok), ("x", .ok)])
    func what_an_older_version_told_of_a_ratchet_is_its_state(content: String, state: RatchetSynchronization) throws {
        let store = try FixtureStore(chat: 10, agent: Self.known.agent)
        let path = store.temporary.path + "/simplex_v1_chat.db"
        for text in ["1", content] {
            try Database(path, .readWrite).run(
                """
                INSERT INTO items (chat_id, direction, kind, content, status, time, created_at)
                VALUES (1, 'received', 'synchronization', ?, 'rcv_read', 1, 1)
                """, state == .ok && text == "1" ? "0" : text)
        }
        _ = try StoreUpgrade.run(store.folder, confirmation: .yesUp)
        let found = try Database(path, .readOnly).rows("SELECT synchronization FROM connections ORDER BY connection_id")
        {
            row throws(StoreError) in try row.int64()
        }
        #expect(found == [state.rawValue, 0])
    }

    /// Clients write the fields of a reaction in different orders.
    @Test func reactions_that_are_stored_get_their_one_form() throws {
        let store = try FixtureStore(chat: 19, agent: Self.known.agent)
        let path = store.temporary.path + "/simplex_v1_chat.db"
        let rows = [
            #"{"emoji":"👎","type":"emoji"}"#, #"{"type":"emoji","emoji":"🚀"}"#, #"{"emoji":"🚀","type":"emoji"}"#,
            #"{"b":{"z":1},"a\"c":null,"type":"x","d":true,"e":"q\"","f":[2,1]}"#, "no json",
        ]
        for text in rows {
            try Database(path, .readWrite).run(
                "INSERT INTO reactions (item_id, direction, reaction) VALUES (2, 'received', ?)", text)
        }
        #expect(try StoreUpgrade.run(store.folder, confirmation: .yesUp).result == .ok)
        let found = try Database(path, .readOnly).rows(
            "SELECT reaction FROM reactions WHERE item_id = 2 AND direction = 'received' ORDER BY reaction"
        ) { row throws(StoreError) in try row.text() }
        #expect(
            found.filter { $0.contains("👎") || $0.contains("🚀") || !$0.contains("emoji") }.sorted()
                == [
                    "no json", #"{"type":"emoji","emoji":"👎"}"#, #"{"type":"emoji","emoji":"🚀"}"#,
                    #"{"type":"x","a\"c":null,"b":{"z":1},"d":true,"e":"q\"","f":[2,1]}"#,
                ].sorted())
        _ = try Database(path, .readWrite).run("DELETE FROM reactions WHERE reaction = 'no json'")
        #expect(try store.texts() == Self.texts)
    }

    @Test func whatWasCopiedBeforeIsTheOldStore() throws {
        let store = try FixtureStore(chat: 1, agent: 1)
        let report = try StoreUpgrade.run(store.folder, confirmation: .yesUp)
        let steps = try report.backups.map { try Database($0, .readOnly).takenSteps().map(\.number) }
        #expect(steps == [[1], [1]])
    }

    @Test func aStepThatIsUnknownAndHasNoWayBackIsTold() throws {
        let store = try FixtureStore(chat: Self.known.chat, agent: Self.known.agent)
        try Database(store.temporary.path + "/simplex_v1_chat.db", .readWrite).run(
            "INSERT INTO migrations (number, name, hash) VALUES (99, 'the future', x'00')")
        let result = try StoreUpgrade.run(store.folder, confirmation: .yesUpDown).result
        guard case .errorMigration(_, .noDown(let steps)) = result else { return #expect(Bool(false), "\(result)") }
        #expect(steps.map(\.description) == ["99 the future"])
        #expect(result.json["migrationError"]?.object?["mtrError"]?.object?["type"] == "noDown")
        #expect(throws: ChatError.database(.newer)) { try store.texts() }
    }

    @Test func anotherStepIsTold() throws {
        let store = try FixtureStore(chat: Self.known.chat, agent: Self.known.agent)
        try Database(store.temporary.path + "/simplex_v1_agent.db", .readWrite).run(
            "UPDATE migrations SET hash = x'00' WHERE number = 2")
        let result = try StoreUpgrade.run(store.folder, confirmation: .yesUpDown).result
        #expect(result.json["migrationError"]?.object?["mtrError"]?.object?["type"] == "different")
    }

    @Test func aFileThatIsNoDatabaseIsTold() throws {
        let store = try FixtureStore(chat: Self.known.chat, agent: Self.known.agent)
        let path = store.temporary.path + "/simplex_v1_agent.db"
        try Files.replace(path, Array(repeating: 0x41, count: 8192))
        #expect(try StoreUpgrade.run(store.folder, confirmation: .yesUp).result == .errorNotADatabase(file: path))
    }

    @Test func aCoreDoesNotUpgradeByItself() throws {
        let store = try FixtureStore(chat: 2, agent: 3)
        #expect(throws: ChatError.database(.older)) { try store.texts() }
        #expect(try store.schemas().chat == [1, 2])
    }
}
