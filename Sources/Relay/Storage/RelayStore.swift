import Store

/// The relay's SQLite file and the transaction of the current turn.
///
/// All writes of a turn of the event loop are one transaction, which the first of them begins and ``commit()`` ends
/// before the answers of the turn leave. With 100 connections that each wait for an answer a turn holds dozens of
/// commands, and the cost of a transaction (15 µs) is shared by them.
final class RelayStore {
    /// The file, for reading. Reads see the writes of the current turn.
    let database: Database
    private var hasTransaction = false
    /// How many pages the write-ahead log holds, at most.
    private var logPages = 0
    /// How many statements have written so far. A command that failed before its first write has left nothing behind.
    private(set) var writeCount = 0

    /// After how many pages of 4 KB the log is copied into the file: every 8 MB, or about 350 messages.
    ///
    /// A checkpoint waits for the disk (twice, 10 ms on an ordinary one), so it should be rare; it runs when the answers
    /// of a turn have left, so that it delays no answer that is ready. The log stays in the file cache and is written
    /// over from its start, so it should be small.
    private static let checkpointPages = 2048

    /// Opens or creates the file.
    init(_ path: String, durability: Database.Durability, exists: Bool) throws {
        let database = try Database(path, exists ? .readWrite : .create, durability: durability)
        try database.execute(script: "PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=-2000;")
        if !exists {
            // Needs an empty file; later a VACUUM of everything.
            try database.execute(script: "PRAGMA auto_vacuum=INCREMENTAL; VACUUM;")
        }
        try database.migrate(RelaySchema.migrations)
        self.database = database
    }

    /// The file, for writing in the transaction of the turn.
    func writing() throws(StoreError) -> Database {
        if !hasTransaction {
            try database.begin()
            hasTransaction = true
        }
        writeCount += 1
        return database
    }

    /// Makes the writes of the turn last. After an error none of them has happened.
    func commit() throws(StoreError) {
        guard hasTransaction else { return }
        hasTransaction = false
        try database.commit()
        logPages += database.takePagesWritten()
    }

    /// Forgets the writes of the turn.
    func rollback() {
        hasTransaction = false
        database.rollback()
    }

    /// Copies the log into the file if it has become long. Between turns only.
    func checkpointIfDue() {
        guard logPages >= RelayStore.checkpointPages else { return }
        // A checkpoint that fails (a reader, the disk) has lost nothing: the next one does its work.
        try? database.checkpoint()
        logPages = 0
    }
}

extension Database {
    /// The number that a query finds; nil for none and for NULL.
    func number(_ sql: String) throws(StoreError) -> Int64? {
        try first(sql) { row throws(StoreError) in
            try row.optional { row throws(StoreError) in try row.int64() }
        } ?? nil
    }
}
