internal import CSQLite

/// The database as a file among files.
extension Database {
    /// Keeps everybody from writing while `body` runs, with all that was written in the file itself: meanwhile the file
    /// alone is the database, and may be copied byte by byte, whatever its pages look like.
    ///
    /// Not inside of a transaction. Waits for readers of older snapshots, and throws ``StoreError/Code/busy`` if they take
    /// too long.
    public func holdingStill<Value>(_ body: () throws -> Value) throws -> Value {
        try moveLogToFile()
        let version = try dataVersion()
        try begin()
        defer { rollback() }
        // Somebody may have written in between; whoever copies holds the lock of the one writer, so this is rare.
        guard try dataVersion() == version else { throw StoreError(.busy) }
        return try body()
    }

    /// Copies all of the log into the database file.
    public func moveLogToFile() throws(StoreError) {
        var frames: Int32 = 0, copied: Int32 = 0
        try unsafe Database.check(
            sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_FULL, &frames, &copied))
        guard frames == copied else { throw StoreError(.busy) }
    }

    /// A number that changes when another connection writes (sqlite.org/pragma.html#pragma_data_version).
    private func dataVersion() throws(StoreError) -> Int64 {
        try first("PRAGMA data_version") { row throws(StoreError) in try row.int64() } ?? 0
    }

    /// The tables, indices, views and triggers that there are, without those of SQLite itself.
    public func schemaObjects() throws(StoreError) -> Set<[String]> {
        Set(
            try rows(
                "SELECT type, name, tbl_name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            ) { row throws(StoreError) in [try row.text(), try row.text(), try row.text()] })
    }
}
