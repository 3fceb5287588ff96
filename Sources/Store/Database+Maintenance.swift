internal import CSQLite
public import PageCipher

/// A database as it is at one moment, and without holes.
extension Database {
    /// How many pages are copied between two looks at the progress: 1 MiB of them.
    private static let pagesAtOnce: Int32 = 256

    /// Copies what this connection sees, page by page, into a new database that its owner alone can read. It is on the disk
    /// when this returns. Others may read and write meanwhile; within a ``snapshot(_:)`` that changes nothing for the copy.
    ///
    /// - Parameters:
    ///   - key: The key of the copy: needed if this database is encrypted, impossible if it is not.
    ///   - slots: Who may open an encrypted copy.
    ///   - progress: Called from time to time with the number of pages that were copied, and of all. Ends the copying by
    ///     throwing.
    public func copySnapshot(
        to path: String, key: StoreKey?, slots: KeySlots?, progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws {
        let target = try Database(path, .create, key: key, slots: slots)
        guard let backup = unsafe sqlite3_backup_init(target.connection, "main", connection, "main") else {
            throw unsafe StoreError(sqlite: sqlite3_errcode(target.connection))
        }
        var status = SQLITE_OK
        do {
            defer { unsafe sqlite3_backup_finish(backup) }
            repeat {
                status = unsafe sqlite3_backup_step(backup, Database.pagesAtOnce)
                let all = unsafe Int(sqlite3_backup_pagecount(backup))
                let rest = unsafe Int(sqlite3_backup_remaining(backup))
                try progress(all - rest, all)
            } while status == SQLITE_OK
        }
        guard status == SQLITE_DONE else { throw StoreError(sqlite: status) }
        try target.truncateLog()
    }

    /// Moves everything from the log into the database file, and empties the log.
    ///
    /// - Throws: ``StoreError/Code/busy`` if somebody reads what was before for longer than the patience of this
    ///   connection.
    public func truncateLog() throws(StoreError) {
        try unsafe Database.check(
            sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
    }

    /// The same if nobody reads what was before; otherwise returns false. Waits for nobody.
    public func truncateLogIfFree() throws(StoreError) -> Bool {
        unsafe sqlite3_busy_timeout(connection, 0)
        defer { unsafe sqlite3_busy_timeout(connection, patience) }
        do throws(StoreError) {
            try truncateLog()
            return true
        } catch {
            guard error.code == .busy else { throw error }
            return false
        }
    }

    /// Frees the pages that this connection keeps in memory, up to 16 MiB for an encrypted database. They are read again when
    /// they are needed.
    public func releaseMemory() {
        _ = unsafe sqlite3_db_release_memory(connection)
    }

    /// Runs `body` while this connection sees the database as it is now, whatever others write.
    public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try run("BEGIN")
        // Nothing was written. If it does not end, the next transaction cannot begin.
        defer { try? run("ROLLBACK") }
        // The view begins with the first look.
        _ = try first("SELECT 1 FROM sqlite_master") { _ in true }
        return try body()
    }

    /// Makes the file as small as its contents, and brings the pages of each table together. Needs twice the room meanwhile;
    /// a crash, or a full disk, leaves what was before.
    public func compact() throws(StoreError) {
        try run("VACUUM")
        try truncateLog()
    }
}
