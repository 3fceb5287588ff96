import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import Store
import SystemIO
import TestSupport
import Testing

/// Notes were contacts once: what belonged to them belongs to a chat, and the way back makes them contacts again.
@Suite struct ChatMigrationTests {
    private static let newest = FixtureStore.newest
    private static let before = StoreUpgrade.Schemas(chat: 13, agent: newest.agent)
    private static let after = StoreUpgrade.Schemas(chat: 14, agent: newest.agent)

    /// A store that the version before made: alice has a contact and notes, and another and a hidden profile with notes.
    private func oldStore() throws -> FixtureStore {
        try FixtureStore(chat: 13, agent: Self.newest.agent, kind: "notes-")
    }

    private func open(_ store: FixtureStore, _ access: LocalCore.Access = .writing) throws -> TestStore {
        let opened = TestStore(try EventLoop(), store.folder)
        try opened.open(access)
        return opened
    }

    private func chat(_ store: FixtureStore) throws -> Database {
        try Database(store.folder.path + "/simplex_v1_chat.db", .readWrite)
    }

    // MARK: - A store of the version before

    @Test func notes_are_a_chat_with_everything_that_they_had() throws {
        let old = try oldStore()
        #expect(try StoreUpgrade.run(old.folder, confirmation: .yesUp).result == .ok)
        let store = try open(old)
        defer { store.close() }
        let notes = ChatTarget.reference(.notes(NoteFolderID(2)))
        let items = try store.execute(ShowChat(notes, .last(10))).items
        #expect(items.map(\.content.plainText) == ["call the plumber today", "buy milk", "gone in a century"])
        #expect(items.map(\.id.number) == [3, 4, 5] && items.allSatisfy { $0.chat == .notes(NoteFolderID(2)) })
        #expect(items.first?.editedAt != nil && items.first?.reactions.count == 1 && items.last?.ttl == 3_153_600_000)
        #expect(try store.items("notes").count == 3)

        #expect(try store.execute(ShowDraft(notes)).draft == Draft(text: "a note that is not done"))
        let other = try store.execute(ShowDraft(.name("bob"))).draft
        #expect(other == Draft(text: "an answer that is not done", answers: ChatItemID(2)))

        let cursors = try store.execute(ListCursors()).cursors
        #expect(cursors.map(\.name) == ["bob bot", "bot", "notes bot"])
        #expect(cursors.map(\.chat?.reference) == [.direct(ContactID(1)), nil, .notes(NoteFolderID(2))])
        #expect(cursors.map(\.place?.number) == [1, 2, 3] && cursors.map(\.waiting) == [3, 5, 2])

        let chats = try store.execute(ListChats()).chats
        #expect(chats.map(\.chat.name) == ["bob", "notes"] && chats.map(\.chat.unreadCount) == [2, 0])
        #expect(chats.map(\.chat.retention) == [.unlimited, .limited(seconds: 3_153_600_000)])
        #expect(chats.map(\.chat.expiry) == [3_153_600_000, nil])
        #expect(try store.contacts().map(\.id.number) == [1])
        #expect(try store.execute(CountUnread()).chats == [.direct(ContactID(1)): UnreadCount(all: 2)])

        let again = SendMessages(notes, [ComposedMessage(MessageContent("again"))], once: "plumber")
        guard case .sentBefore(_, _, let first, _) = try store.execute(again) else { throw ChatError.internal }
        #expect(first == ChatItemID(3))
        // The notes of a hidden profile are there for nobody without its password, by whatever number.
        #expect(throws: ChatError.notesNotFound(NoteFolderID(4))) {
            try store.execute(ShowChat(.reference(.notes(NoteFolderID(4))), .last(1)))
        }
        #expect(throws: ChatError.groupNotFound(GroupID(1))) {
            try store.execute(ShowChat(.reference(.group(GroupID(1))), .last(1)))
        }
        #expect(try StoreCheck.run(old.folder, key: nil) == [])
    }

    @Test func what_was_noted_since_is_with_the_contact_that_notes_were() throws {
        let old = try oldStore()
        _ = try StoreUpgrade.run(old.folder, confirmation: .yesUp)
        let store = try open(old)
        let notes = ChatTarget.reference(.notes(NoteFolderID(2)))
        _ = try store.execute(SendMessages(notes, [ComposedMessage(MessageContent("one more"))]))
        _ = try store.execute(SetDraft(notes, Draft(text: "later")))
        _ = try store.execute(CreateProfile(Profile(displayName: "third")))
        let third = try store.execute(OpenNotes()).chat
        #expect(third.reference.number == 5)
        store.close()

        let report = try StoreUpgrade.run(old.folder, confirmation: .yesUpDown, to: Self.before)
        #expect(report.result == .ok && report.down.last?.number == 14)
        let database = try chat(old)
        #expect(try database.rows("PRAGMA foreign_key_check") { _ in true }.isEmpty)
        let contacts = try database.rows(
            "SELECT contact_id || ' ' || name || ' ' || is_notes || ' ' || profile_id FROM contacts ORDER BY contact_id"
        ) { row throws(StoreError) in try row.text() }
        #expect(contacts == ["1 bob 0 1", "2 notes 1 1", "3 notes 1 2", "4 notes 1 3", "5 notes 1 4"])
        let draft = try database.first("SELECT draft FROM drafts WHERE contact_id = 2") { row throws(StoreError) in
            try row.text()
        }
        #expect(draft == "later")
        let count = try database.first("SELECT count(*) FROM items JOIN chats USING (chat_id) WHERE contact_id = 2") {
            row throws(StoreError) in try row.int()
        }
        #expect(count == 4)
    }

    @Test func contacts_and_notes_never_have_the_same_number() throws {
        let house = try TestHouse()
        let lonely = try house.person("carol")
        let first = try lonely.execute(OpenNotes()).chat
        #expect(first.reference.number == 1)
        let dave = try house.person("dave")
        try dave.join(try lonely.invite())
        for store in [dave, lonely, dave] { _ = try store.fetch() }
        #expect(try lonely.contacts().map(\.id.number) == [2])
        let second = try dave.execute(OpenNotes()).chat
        #expect(try dave.contacts().map(\.id.number) == [1] && second.reference.number == 2)
    }

    // MARK: - Any store

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func up_and_back_changes_nothing(seed: UInt64) throws {
        let store = try FixtureStore(chat: 13, agent: Self.newest.agent)
        try fill(store, seed)
        let before = try dump(try chat(store))
        let places = try places(try chat(store), "contact_id")
        #expect(try StoreUpgrade.run(store.folder, confirmation: .yesUp).result == .ok)
        #expect(try StoreUpgrade.run(store.folder, confirmation: .yesUpDown, to: Self.after).result == .ok)
        do {
            let database = try chat(store)
            #expect(try database.rows("PRAGMA foreign_key_check") { _ in true }.isEmpty, "seed \(seed)")
            #expect(try dump(database)["items"] == before["items"], "seed \(seed)")
            #expect(try self.places(database, "coalesce(contact_id, note_folder_id)") == places, "seed \(seed)")
        }
        let report = try StoreUpgrade.run(store.folder, confirmation: .yesUpDown, to: Self.before)
        #expect(report.result == .ok && report.down.count == 1)
        let database = try chat(store)
        #expect(try database.rows("PRAGMA foreign_key_check") { _ in true }.isEmpty, "seed \(seed)")
        let after = try dump(database)
        for table in Set(before.keys).union(after.keys).sorted() {
            #expect(before[table] == after[table], "seed \(seed), table \(table)")
        }
    }

    /// Adds profiles with contacts, most of them with notes, and what belongs to chats.
    private func fill(_ store: FixtureStore, _ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let database = try chat(store)
        func chance(_ share: Int) -> Bool { Int.random(in: 0..<100, using: &random) < share }
        func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
        try database.begin()
        for profile in 2...number(2...5) {
            try database.run(
                "INSERT INTO profiles (name, profile, is_active, created_at, hidden_hash, retention) VALUES (?, '{}', 0, 1, ?, ?)",
                "p\(profile)", chance(30) ? Bytes([1, 2, 3]) : nil, chance(30) ? number(1...99) : nil)
            let notes = chance(80) ? number(0...4) : -1
            for index in 0..<number(1...5) {
                let isNotes = index == notes, name = isNotes ? "notes" : "c\(index)"
                try database.run("INSERT INTO names VALUES (?, ?)", profile, name)
                try database.run(
                    """
                    INSERT INTO contacts (profile_id, name, profile, status, created_at, updated_at, is_notes, retention,
                        expiry) VALUES (?, ?, '{"displayName":"notes","fullName":""}', 'active', ?, ?, ?, ?, ?)
                    """, profile, name, index, index + 1, isNotes, chance(40) ? number(0...99) : nil,
                    chance(40) ? number(1...99) : nil)
                let contact = database.lastInsertedID
                try database.run(
                    "INSERT INTO chats (profile_id, contact_id, active_at, unread_count) VALUES (?, ?, ?, ?)", profile,
                    contact, number(1...99), number(0...9))
                try fill(database, database.lastInsertedID, contact, profile, &random)
                if chance(10) { try database.run("DELETE FROM contacts WHERE contact_id = ?", contact) }
            }
            if chance(50) {
                try database.run(
                    "INSERT INTO cursors (profile_id, name, item_id, moved_at) VALUES (?, 'all', ?, 1)", profile,
                    number(0...9))
            }
        }
        try database.commit()
    }

    private func fill(
        _ database: Database, _ chat: Int64, _ contact: Int64, _ profile: Int64, _ random: inout SeededRandom
    ) throws {
        var last: Int64?
        for index in 0..<Int64.random(in: 0...20, using: &random) {
            try database.run(
                """
                INSERT INTO items (chat_id, direction, kind, content, status, time, created_at)
                VALUES (?, 'sent', 'message', '{}', 'snd_new', ?, ?)
                """, chat, index, index)
            last = database.lastInsertedID
        }
        try database.run("UPDATE chats SET last_item_id = ? WHERE chat_id = ?", last, chat)
        if Bool.random(using: &random) {
            try database.run(
                "INSERT INTO drafts VALUES (?, 'text', ?, 5)", contact, Bool.random(using: &random) ? last : nil)
        }
        if Bool.random(using: &random) {
            try database.run(
                """
                INSERT INTO cursors (profile_id, name, contact_id, item_id, moved_at, failed_item_id, failures)
                VALUES (?, ?, ?, ?, 3, ?, 2)
                """, profile, "bot \(contact)", contact, last ?? 0, last)
        }
        if Bool.random(using: &random) {
            try database.run(
                "INSERT INTO send_keys (contact_id, key, item_id, used_at, last_item_id) VALUES (?, 'key', ?, 7, ?)",
                contact, last ?? 0, last)
        }
        // Notes get nothing from others.
        try database.run(
            """
            INSERT INTO kept_events (contact_id, body, received_at)
            SELECT contact_id, x'00', 1 FROM contacts WHERE contact_id = ? AND is_notes = 0
            """, contact)
    }

    /// All rows of all tables, by the names of the columns.
    private func dump(_ database: Database) throws -> [String: [String]] {
        let columns = try database.rows(
            """
            SELECT t.name, group_concat('quote("' || c.name || '")', '|| '' '' ||')
            FROM (SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'migrations') t,
                (SELECT * FROM (SELECT t.name AS owner, c.name AS name FROM sqlite_master t, pragma_table_info(t.name) c)
                 ORDER BY owner, name) c
            WHERE c.owner = t.name GROUP BY t.name
            """
        ) { row throws(StoreError) in (try row.text(), try row.text()) }
        var tables: [String: [String]] = [:]
        for (table, columns) in columns {
            tables[table] = try database.rows("SELECT \(columns) FROM \"\(table)\" ORDER BY 1") {
                row throws(StoreError) in try row.text()
            }
        }
        return tables
    }

    /// What belongs to chats, with the number of the contact or the notes.
    private func places(_ database: Database, _ number: String) throws -> [String] {
        let isOld = number == "contact_id"
        let key = isOld ? "contact_id" : "chat_id"
        var places: [String] = []
        for (table, value) in [("drafts", "draft"), ("cursors", "name"), ("send_keys", "key")] {
            places += try database.rows(
                """
                SELECT '\(table) ' || \(isOld ? "x.contact_id" : number) || ' ' || x.\(value)
                FROM \(table) x JOIN chats USING (\(key)) ORDER BY 1
                """
            ) { row throws(StoreError) in try row.text() }
        }
        let retention = isOld ? "contacts JOIN chats USING (contact_id)" : "chats"
        let owner = isOld ? "contacts" : "chats"
        places += try database.rows(
            """
            SELECT 'time ' || \(number) || ' ' || ifnull(\(owner).retention, '-') || ' ' || ifnull(\(owner).expiry, '-')
            FROM \(retention) ORDER BY 1
            """
        ) { row throws(StoreError) in try row.text() }
        return places
    }
}
