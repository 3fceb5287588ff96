internal import CSQLite
public import PageCipher

/// Snapshots and compaction of a database.
extension Database {
    /// The number of pages copied between two progress reports: 1 MiB of them.
    private static let pagesAtOnce: Int32 = 256

    /// Copies the view of this connection, page by page, into a new database, readable by its owner only. The copy is
    /// on the disk on return. Other processes may read and write meanwhile; within a ``snapshot(_:)`` this does not
    /// affect the copy.
    ///
    /// - Parameters:
    ///   - key: The key of the copy, required if and only if this database is encrypted.
    ///   - slots: The key slots of an encrypted copy.
    ///   - progress: Called from time to time with the number of pages copied, and of all pages. Cancels the copy by
    ///     throwing.
    /// - Throws: ``StoreError``, or the error of `progress`.
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

    /// Moves the content of the log into the database file, and empties the log.
    ///
    /// - Throws: ``StoreError/Code/busy`` if another process reads an older state for longer than the busy timeout of
    ///   this connection.
    public func truncateLog() throws(StoreError) {
        try unsafe Database.check(
            sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
    }

    /// Truncates the log without waiting. Returns false if another process reads an older state.
    ///
    /// - Throws: ``StoreError``.
    public func truncateLogIfFree() throws(StoreError) -> Bool {
        unsafe sqlite3_busy_timeout(connection, 0)
        defer { unsafe sqlite3_busy_timeout(connection, busyTimeout) }
        do throws(StoreError) {
            try truncateLog()
            return true
        } catch {
            guard error.code == .busy else { throw error }
            return false
        }
    }

    /// Releases the cached pages of this connection, up to 16 MiB for an encrypted database. They are read again on
    /// demand.
    public func releaseMemory() {
        _ = unsafe sqlite3_db_release_memory(connection)
    }

    /// Runs `body` with a fixed view of the current database, without regard to concurrent writes.
    public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try run("BEGIN")
        // Nothing was written. If ending fails, the next transaction cannot begin.
        defer { try? run("ROLLBACK") }
        // The view begins with the first read.
        _ = try first("SELECT 1 FROM sqlite_master") { _ in true }
        return try body()
    }

    /// Shrinks the file to its content and joins the pages of each table. Requires twice the space meanwhile. After a
    /// crash or with a full disk the former file remains.
    ///
    /// - Throws: ``StoreError``.
    public func compact() throws(StoreError) {
        try run("VACUUM")
        try truncateLog()
    }
}
