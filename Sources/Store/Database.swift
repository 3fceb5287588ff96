internal import CSQLite
internal import Glibc
public import PageCipher

/// One connection to a SQLite database.
///
/// Not for several threads: its owner is an actor, or a loop. Statements are prepared once and kept.
@safe
public final class Database {
    public enum Access: Hashable, Sendable {
        /// Reads a snapshot beside a writer.
        case readOnly
        case readWrite
        /// Like `readWrite`; the file must not exist yet.
        case create
    }

    /// When a transaction counts as done.
    public enum Durability: Hashable, Sendable {
        /// When the disk has it: survives the loss of power.
        case full
        /// When the operating system has it: survives the end of the process; the last transactions before a loss of
        /// power may be missing, always whole and from the end.
        case process
    }

    let connection: OpaquePointer
    /// What encrypts the database, if it is encrypted: it outlives the connection.
    let cipher: CipherVFS?
    /// How long it waits for another process, in milliseconds.
    let patience: Int32
    private var statements: [String: Statement] = [:]
    private var isInTransaction = false

    /// Opens or creates a database file. The path ``inMemory`` makes one that lives as long as the connection.
    ///
    /// - Parameters:
    ///   - key: The key of an encrypted database; nil opens a plain one with SQLite alone.
    ///   - slots: Who may open a new encrypted database: needed for ``Access/create`` with a key, and for nothing else.
    ///   - patience: How long to wait for another process, in milliseconds.
    /// - Throws: For an encrypted database, ``StoreError/Code/wrongKey``, ``StoreError/Code/keyMissing``,
    ///   ``StoreError/Code/notADatabase`` for a plain one that is opened with a key, and ``StoreError/Code/damaged`` for a
    ///   page, now or later, that is not what was written.
    public init(
        _ path: String, _ access: Access, key: StoreKey? = nil, slots: KeySlots? = nil, durability: Durability = .full,
        patience: Int32 = 5000
    ) throws(StoreError) {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
        switch access {
        case .readOnly:
            flags |= SQLITE_OPEN_READONLY
            // A crash came before the database had a write-ahead log, and who only reads cannot undo what was half done.
            if unsafe Glibc.access(path + "-journal", F_OK) == 0 {
                _ = try Database(path, .readWrite, key: key, patience: patience)
            }
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .create:
            flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            try Database.createFile(path, key, slots)
        }
        let cipher = key.map { CipherVFS($0) }
        let opening = Opening(
            path: path, access: access, flags: flags, cipher: cipher, durability: durability, patience: patience)
        unsafe connection = try unsafe opening.connect()
        self.cipher = cipher
        self.patience = patience
    }

    deinit {
        statements.removeAll()
        unsafe sqlite3_close_v2(connection)
    }

    /// The path of a database without a file.
    public static let inMemory = ":memory:"

    /// Runs `body`, which can open no other file.
    func withoutAttaching(_ body: () throws -> Void) rethrows {
        let limit = unsafe sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        defer { unsafe _ = sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, limit) }
        try body()
    }

    // MARK: - Statements

    /// Runs a statement that returns no rows.
    public func run(_ sql: String, _ values: (any SQLBindable)?...) throws(StoreError) {
        try use(sql, values) { statement throws(StoreError) in
            while try statement.step() {}
        }
    }

    /// The rows of a query, each turned into a value.
    public func rows<Value>(
        _ sql: String, _ values: (any SQLBindable)?..., read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        try use(sql, values) { statement throws(StoreError) in
            var found: [Value] = []
            while try statement.step() {
                var row = statement.row
                found.append(try read(&row))
            }
            return found
        }
    }

    /// The first row of a query, or nil.
    public func first<Value>(
        _ sql: String, _ values: (any SQLBindable)?..., read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        try use(sql, values) { statement throws(StoreError) in
            guard try statement.step() else { return nil }
            var row = statement.row
            return try read(&row)
        }
    }

    /// The key of the row that was inserted last.
    public var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    /// How many rows the last statement inserted, changed or deleted.
    public var changes: Int { unsafe Int(sqlite3_changes64(connection)) }

    /// Runs several statements without values, as in a migration.
    public func execute(script: String) throws(StoreError) {
        try unsafe Database.execute(script, on: connection)
    }

    /// Lends a prepared statement, which is out of the cache meanwhile: a query inside of a query gets one of its own.
    private func use<Value>(
        _ sql: String, _ values: [(any SQLBindable)?], _ body: (borrowing Statement) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let statement = try take(sql)
        defer {
            statement.reset()
            statements[sql] = statement
        }
        for (index, value) in values.enumerated() {
            try statement.bind(value?.sqlValue ?? .null, at: Int32(index + 1))
        }
        return try body(statement)
    }

    private func take(_ sql: String) throws(StoreError) -> Statement {
        if let statement = statements.removeValue(forKey: sql) { return statement }
        return try unsafe Statement(sql, on: connection)
    }

    static func execute(_ script: String, on connection: OpaquePointer) throws(StoreError) {
        try unsafe check(sqlite3_exec(connection, script, nil, nil, nil))
    }

    static func check(_ status: Int32) throws(StoreError) {
        guard status == SQLITE_OK else { throw StoreError(sqlite: status) }
    }

    // MARK: - Transactions

    /// Runs `body` as one transaction: everything it writes is there afterwards, or, if it throws, nothing.
    ///
    /// Transactions do not nest; that is a programmer error.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try begin()
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            rollback()
            throw error
        }
    }

    /// Begins a transaction that does not end with a call: an owner that works in turns collects all writes of a turn.
    /// ``commit()`` or ``rollback()`` must follow.
    public func begin() throws(StoreError) {
        precondition(!isInTransaction, "transactions do not nest")
        // Taking the write lock at once avoids a deadlock of two readers that both want to write.
        try run("BEGIN IMMEDIATE")
        isInTransaction = true
    }

    /// Ends the transaction that ``begin()`` began. After an error nothing of it is there.
    public func commit() throws(StoreError) {
        precondition(isInTransaction, "a transaction was begun")
        do throws(StoreError) {
            try run("COMMIT")
            isInTransaction = false
        } catch {
            rollback()
            throw error
        }
    }

    /// Ends the transaction that ``begin()`` began, without a trace. Does nothing outside of a transaction.
    public func rollback() {
        guard isInTransaction else { return }
        isInTransaction = false
        // Some errors (a full disk) roll back by themselves. If a rollback fails, the next transaction cannot begin.
        if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
    }

    // MARK: - Write-ahead log

    /// How many pages this connection has written to the log since this was asked last.
    public func takePagesWritten() -> Int {
        var count: Int32 = 0
        var highest: Int32 = 0
        unsafe sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 1)
        return Int(count)
    }

    /// Copies what the log holds into the database file, as far as no reader still needs it, so that the log starts
    /// again at its beginning. SQLite does this by itself at some commits; an owner that prefers to choose the moment
    /// turns that off (`PRAGMA wal_autocheckpoint=0`). Waits for the disk.
    public func checkpoint() throws(StoreError) {
        try unsafe Database.check(
            sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil))
    }
}

extension Database {
    /// How a database is opened.
    struct Opening {
        let path: String
        let access: Access
        let flags: Int32
        let cipher: CipherVFS?
        let durability: Durability
        /// How long to wait for another process, in milliseconds.
        let patience: Int32

        /// Opens it. Where nothing can be written, because the disk is full or nobody may, it is read as it stands: SQLite wants
        /// to make a file beside it otherwise.
        func connect() throws(StoreError) -> OpaquePointer {
            let uri = Database.uri(path)
            do throws(StoreError) {
                return unsafe try connect(to: uri)
            } catch {
                guard access == .readOnly, standsStill(error) else { throw error }
                return unsafe try connect(to: uri + "?immutable=1")
            }
        }

        /// Whether nothing but the file that cannot be made is missing: no log waits to be read too.
        private func standsStill(_ error: StoreError) -> Bool {
            guard error.preventsWriting else { return false }
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return false }
            return unsafe stat(path + "-wal", &status) != 0 || status.st_size == 0
        }

        /// Whether a database has steps of a schema as this program notes them, or nothing at all.
        private func isOwnOrEmpty(_ connection: OpaquePointer) -> Bool {
            var type: UnsafePointer<CChar>?
            let found = unsafe sqlite3_table_column_metadata(
                connection, nil, "migrations", "hash", &type, nil, nil, nil, nil)
            if found == SQLITE_OK { return unsafe type.map { unsafe String(cString: $0) } == "BLOB" }
            var statement: OpaquePointer?
            defer { unsafe sqlite3_finalize(statement) }
            let query = "SELECT 1 FROM sqlite_master LIMIT 1"
            guard unsafe sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK else { return false }
            return unsafe sqlite3_step(statement) == SQLITE_DONE
        }

        private func connect(to uri: String) throws(StoreError) -> OpaquePointer {
            var opened: OpaquePointer?
            let status = unsafe sqlite3_open_v2(uri, &opened, flags, cipher?.name)
            guard status == SQLITE_OK, let connection = unsafe opened else {
                unsafe sqlite3_close_v2(opened)
                throw StoreError(sqlite: status)
            }
            do throws(StoreError) {
                unsafe sqlite3_busy_timeout(connection, patience)
                try unsafe Database.check(tacit_set_defensive(connection))
                // Only a database without pages takes it; the others have it.
                if cipher != nil { unsafe Database.reserve(PageCipher.reservedSize, on: connection) }
                let script =
                    access == .readOnly
                    ? "PRAGMA query_only=ON; PRAGMA schema_version;"
                    : "PRAGMA synchronous=\(durability == .full ? "FULL" : "NORMAL");"
                try unsafe Database.execute(
                    "\(script) PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON;",
                    on: connection)
                // The mode stays with the file: one of another program, which is about to be refused, keeps its own.
                if access != .readOnly, unsafe isOwnOrEmpty(connection) {
                    try unsafe Database.execute("PRAGMA journal_mode=WAL", on: connection)
                }
                // Decrypting a page takes longer than reading it, so more of them are kept: 16 MiB instead of 2.
                if cipher != nil { try unsafe Database.execute("PRAGMA cache_size=-16384", on: connection) }
            } catch {
                unsafe sqlite3_close_v2(connection)
                let isEncrypted = error.code == .notADatabase && cipher == nil && (try? FileHeader.read(path)) != nil
                throw isEncrypted ? StoreError(.keyMissing) : error
            }
            return unsafe connection
        }
    }
}
