import PageCipher
import Store
import SystemIO

/// Looks whether a store is what it should be.
public enum StoreCheck {
    /// Something that is not as it should be.
    public enum Finding: Hashable, Sendable {
        /// Pages of a database, by number, that are not what was written.
        case foreignPages(file: String, [Int])
        /// One of the two copies of a header; the other one is enough to open the file.
        case damagedHeader(file: String)
        /// SQLite says that the file is damaged; its own words, which name tables and pages.
        case damage(file: String, String)
        /// A row refers to another one that is not there.
        case missingRow(file: String, table: String)
        /// The chat database has connections that the agent's does not know: they can neither send nor receive.
        case unknownToAgent([Int64])
        /// The agent's database has connections that belong to nothing: they receive for nobody.
        case unknownToChat([Int64])
        /// The chat database has seen events that the agent's database never had: the two are not from the same time.
        case futureEvents
        /// A database is missing.
        case missingFile(String)
        /// Events that could not be handled twice and were set aside, by their ids: no damage, something is missing from a
        /// conversation.
        case setAside([Int64])

        /// True if something is wrong with the store itself.
        public var isDamage: Bool {
            if case .setAside = self { false } else { true }
        }
    }

    /// Checks both databases as they are now; others may use the store meanwhile.
    ///
    /// - Parameter progress: Called from time to time with what is being done.
    /// - Throws: If the store cannot be opened, or is damaged so much that nothing can be asked.
    public static func run(
        _ folder: StoreFolder, key: OpenedKey?, progress: (String) -> Void = { _ in }
    ) throws(ChatError) -> [Finding] {
        let missing = folder.databases.filter { !Files.exists($0) }
        guard missing.isEmpty else { return missing.map { .missingFile($0) } }
        do {
            var findings: [Finding] = []
            if let key {
                for path in folder.databases {
                    if try FileHeader.hasDamagedHalf(path) { findings.append(.damagedHeader(file: path)) }
                    findings += try foreignPages(path, key, progress)
                }
            }
            // Whoever finds pages that cannot be read learns nothing more from what is on them.
            guard findings.isEmpty else { return findings }
            return try StoreSnapshot.with(folder, key) { snapshot in
                for (path, database) in [(folder.agentDatabase, snapshot.agent), (folder.chatDatabase, snapshot.chat)] {
                    progress("checking \(name(of: path))")
                    findings += try damage(path, database) + missingRows(path, database)
                }
                return findings.isEmpty ? try disagreements(snapshot) : findings
            }
        } catch {
            throw ChatError(error)
        }
    }

    private static func name(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    private static func foreignPages(_ path: String, _ key: OpenedKey, _ progress: (String) -> Void) throws -> [Finding]
    {
        let database = try checked(path, key)
        let pages = try database.damagedPages { done, all in
            progress("reading \(name(of: path)): \(done) of \(all) pages")
        }
        return pages.isEmpty ? [] : [.foreignPages(file: path, pages)]
    }

    /// A database whose pages are to be read from its file. What a full disk has cut off in the middle of a page is still in the
    /// log, and comes to its place if something can be written now.
    private static func checked(_ path: String, _ key: OpenedKey) throws(StoreError) -> Database {
        do throws(StoreError) {
            return try Database(path, .readWrite, key: key.key)
        } catch {
            guard error.preventsWriting else { throw error }
            return try Database(path, .readOnly, key: key.key)
        }
    }

    private static func damage(_ path: String, _ database: Database) throws -> [Finding] {
        let words = try database.rows("PRAGMA integrity_check(20)") { row throws(StoreError) in try row.text() }
        return words == ["ok"] ? [] : words.map { .damage(file: path, $0) }
    }

    private static func missingRows(_ path: String, _ database: Database) throws -> [Finding] {
        let tables = try database.rows("SELECT DISTINCT \"table\" FROM pragma_foreign_key_check") {
            row throws(StoreError) in try row.text()
        }
        return tables.map { .missingRow(file: path, table: $0) }
    }

    // MARK: - The two databases together

    private static func disagreements(_ snapshot: StoreSnapshot) throws -> [Finding] {
        let agent = try ids("SELECT connection_id FROM connections", in: snapshot.agent)
        // Deleted ones stay with the agent until what was sent before has gone out.
        let living = try ids("SELECT connection_id FROM connections WHERE status != 7", in: snapshot.agent)
        let chat = try ids("SELECT connection_id FROM connections", in: snapshot.chat)
        // A request is written to the chat database first, and what failed may be gone from the other.
        let settled = try ids(
            "SELECT connection_id FROM connections WHERE status NOT IN ('new', 'prepared', 'deleted', 'failed')",
            in: snapshot.chat)
        var findings: [Finding] = []
        let unknownToAgent = settled.subtracting(agent).sorted(), unknownToChat = living.subtracting(chat).sorted()
        if !unknownToAgent.isEmpty { findings.append(.unknownToAgent(unknownToAgent)) }
        if !unknownToChat.isEmpty { findings.append(.unknownToChat(unknownToChat)) }
        let last = try number("SELECT last_agent_event FROM state", in: snapshot.chat)
        let newest = try number("SELECT seq FROM sqlite_sequence WHERE name = 'events'", in: snapshot.agent)
        if last > newest { findings.append(.futureEvents) }
        let setAside =
            try ids(
                "SELECT 1 FROM sqlite_master WHERE name = 'set_aside_events'", in: snapshot.agent
            ).isEmpty ? [] : ids("SELECT event_id FROM set_aside_events", in: snapshot.agent).sorted()
        if !setAside.isEmpty { findings.append(.setAside(setAside)) }
        return findings
    }

    private static func ids(_ sql: String, in database: Database) throws -> Set<Int64> {
        Set(try database.rows(sql) { row throws(StoreError) in try row.int64() })
    }

    private static func number(_ sql: String, in database: Database) throws -> Int64 {
        try database.first(sql) { row throws(StoreError) in try row.int64() } ?? 0
    }
}
