import ByteCoding
import Store

extension ChatStore {
    private static let markQuery = """
        SELECT export_id, number, exported_at, is_complete, is_frozen, steps, imported_at, is_backup FROM exports
        """

    /// All exports of this store and of those it was made of, the newest first.
    func exportMarks() throws -> [ExportMark] {
        try database.rows("\(ChatStore.markQuery) ORDER BY number DESC") { row throws(StoreError) in try row.mark() }
    }

    /// The newest export that is an archive.
    func lastExport() throws -> ExportMark? {
        try database.first("\(ChatStore.markQuery) WHERE is_backup = 0 ORDER BY number DESC LIMIT 1") {
            row throws(StoreError) in try row.mark()
        }
    }

    /// The export, or the backup, that froze the store, if it is frozen.
    func freezingExport() throws -> ExportMark? {
        try database.first("\(ChatStore.markQuery) WHERE is_frozen = 1 ORDER BY number DESC LIMIT 1") {
            row throws(StoreError) in try row.mark()
        }
    }

    func insertExport(_ id: Bytes, freezes: Bool, steps: Int64, at time: Timestamp) throws {
        try database.run(
            "INSERT INTO exports (export_id, exported_at, is_complete, is_frozen, steps) VALUES (?, ?, 0, ?, ?)", id,
            time, freezes, steps)
    }

    /// One of the exports of this store.
    func export(_ id: Bytes) throws -> ExportMark? {
        try database.first("\(ChatStore.markQuery) WHERE export_id = ?", id) { row throws(StoreError) in try row.mark()
        }
    }

    /// Notes that there is an archive, and how many messages had been sent and received when it was made.
    func completeExport(_ id: Bytes, steps: Int64) throws {
        try database.run("UPDATE exports SET is_complete = 1, steps = ? WHERE export_id = ?", steps, id)
    }

    /// Marks the copy of a store as a backup, which is frozen. Copies of older versions get what these understand, and those
    /// of the first ones nothing.
    ///
    /// - Returns: Whether the copy is frozen now.
    static func markBackup(_ database: Database, _ id: Bytes, steps: Int64, at time: Timestamp) throws -> Bool {
        let schema = try database.takenSteps().last?.number ?? 0
        guard schema >= ChatSchema.exports.number else { return false }
        let column = schema >= ChatSchema.copies.number ? ", is_backup" : ""
        try database.run(
            """
            INSERT INTO exports (export_id, exported_at, is_complete, is_frozen, steps\(column))
            VALUES (?, ?, 1, 1, ?\(column.isEmpty ? "" : ", 1"))
            """, id, time, steps)
        return true
    }

    func deleteExport(_ id: Bytes) throws {
        try database.run("DELETE FROM exports WHERE export_id = ?", id)
    }

    /// Lets the store go on. Returns whether it was frozen.
    func thaw() throws -> Bool {
        try database.run("UPDATE exports SET is_frozen = 0 WHERE is_frozen = 1")
        let wasFrozen = database.changes > 0
        // A thawed backup is an ordinary store, and no archive was made of it.
        try database.run("DELETE FROM exports WHERE is_backup = 1")
        return wasFrozen
    }

    /// Notes that the archive with the newest mark became this store, which is therefore the one that goes on. Where that is
    /// becomes known when it does.
    func noteImport(at time: Timestamp) throws {
        try transaction {
            _ = try thaw()
            try setPlace(nil)
            try database.run(
                "UPDATE exports SET imported_at = ? WHERE number = (SELECT max(number) FROM exports)", time)
        }
    }

    /// Counts what is in the store and does not belong to a hidden profile.
    func counts() throws -> StoreCounts {
        func count(_ table: String, _ condition: String = "true") throws -> Int {
            let visible = "profile_id IN (SELECT profile_id FROM profiles WHERE hidden_hash IS NULL)"
            return try database.first("SELECT count(*) FROM \(table) WHERE \(condition) AND \(visible)") {
                row throws(StoreError) in try row.int()
            } ?? 0
        }
        return StoreCounts(
            profiles: try count("profiles"), contacts: try count("contacts"),
            chats: try count("chats"), messages: try count("items JOIN chats USING (chat_id)", "kind = 'message'"))
    }

    /// True if a profile that is not hidden has no relay on which it may make queues.
    func lacksServers() throws -> Bool {
        let operators = try operators()
        return try profiles().contains { profile in
            guard !profile.isHidden else { return false }
            return ServerChoice(try servers(of: profile.id), operators).servers.isEmpty
        }
    }

    /// The hidden profiles.
    func hiddenProfiles() throws -> Set<Int64> { try VisibleRows.hiddenProfiles(in: database) }
}

/// How much is in a store, without what belongs to hidden profiles.
public struct StoreCounts: Hashable, Sendable {
    public let profiles: Int
    public let contacts: Int
    public let chats: Int
    public let messages: Int
}

extension Row {
    fileprivate mutating func mark() throws(StoreError) -> ExportMark {
        ExportMark(
            id: try bytes(), number: try int64(), exportedAt: try timestamp(), isComplete: try bool(),
            isFrozen: try bool(), steps: try int64(),
            importedAt: try optional { row throws(StoreError) in try row.timestamp() }, isBackup: try bool())
    }
}
