internal import CSQLite
internal import Glibc
public import PageCipher

/// A connection to a SQLite database.
///
/// Not thread-safe: its owner is an actor or a loop. Prepared statements are cached.
@safe
public final class Database {
    /// The access of a connection.
    public enum Access: Hashable, Sendable {
        /// Reads a snapshot beside a writer.
        case readOnly
        /// Reads and writes.
        case readWrite
        /// Reads and writes; the file must not exist yet.
        case create
    }

    /// The time at which a transaction counts as stored.
    public enum Durability: Hashable, Sendable {
        /// On the disk: survives a power loss.
        case full
        /// In the operating system: survives the end of the process. After a power loss the last transactions may be
        /// missing, always completely and from the end.
        case process
    }

    let connection: OpaquePointer
    /// The layer that encrypts the database, if it is encrypted. It outlives the connection.
    let cipher: CipherVFS?
    /// The time to wait for another process, in milliseconds.
    let busyTimeout: Int32
    private var statements: [String: Statement] = [:]
    private var isInTransaction = false
    /// The memory of a database of another program, wiped behind the connection.
    @unsafe var image: UnsafeMutableRawBufferPointer?

    /// Opens or creates a database file. The path ``inMemory`` creates a temporary one for the connection.
    ///
    /// - Parameters:
    ///   - key: The key of an encrypted database; nil opens a plain one with SQLite alone.
    ///   - slots: The key slots of a new encrypted database, required for ``Access/create`` with a key only.
    ///   - busyTimeout: The time to wait for another process, in milliseconds.
    /// - Throws: For an encrypted database, ``StoreError/Code/wrongKey``, ``StoreError/Code/keyMissing``,
    ///   ``StoreError/Code/notADatabase`` for a plain one opened with a key, and ``StoreError/Code/damaged``, now or
    ///   later, for a damaged page.
    public init(
        _ path: String, _ access: Access, key: StoreKey? = nil, slots: KeySlots? = nil, durability: Durability = .full,
        busyTimeout: Int32 = 5000
    ) throws(StoreError) {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
        switch access {
        case .readOnly:
            flags |= SQLITE_OPEN_READONLY
            // After a crash before the write-ahead log existed, a reader cannot roll back.
            if unsafe Glibc.access(path + "-journal", F_OK) == 0 {
                _ = try Database(path, .readWrite, key: key, busyTimeout: busyTimeout)
            }
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .create:
            flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            try Database.createFile(path, key, slots)
        }
        let cipher = key.map { CipherVFS($0) }
        let opening = Opening(
            path: path, access: access, flags: flags, cipher: cipher, durability: durability, busyTimeout: busyTimeout)
        unsafe connection = try unsafe opening.connect()
        self.cipher = cipher
        self.busyTimeout = busyTimeout
    }

    /// Takes over an open connection to a database of another program.
    @unsafe
    init(foreign connection: OpaquePointer) {
        unsafe self.connection = connection
        cipher = nil
        busyTimeout = 0
    }

    deinit {
        statements.removeAll()
        unsafe sqlite3_close_v2(connection)
        if let image = unsafe image { unsafe DatabaseImage.release(image) }
    }

    /// The path of a database without a file.
    public static let inMemory = ":memory:"

    /// Runs `body`, which cannot open other files.
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

    /// Returns the rows of a query, each read by `read`.
    ///
    /// - Throws: ``StoreError``.
    public func rows<Value>(
        _ sql: String, _ values: (any SQLBindable)?..., read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        try rows(sql, values: values, read: read)
    }

    /// Returns the rows of a query with a list of values.
    func rows<Value>(
        _ sql: String, values: [(any SQLBindable)?], read: (inout Row) throws(StoreError) -> Value
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

    /// Returns the first row of a query, or nil.
    ///
    /// - Throws: ``StoreError``.
    public func first<Value>(
        _ sql: String, _ values: (any SQLBindable)?..., read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        try use(sql, values) { statement throws(StoreError) in
            guard try statement.step() else { return nil }
            var row = statement.row
            return try read(&row)
        }
    }

    /// The key of the last inserted row.
    public var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    /// The number of rows that the last statement inserted, changed or deleted.
    public var changes: Int { unsafe Int(sqlite3_changes64(connection)) }

    /// Runs several statements without values, as in a migration.
    ///
    /// - Throws: ``StoreError``.
    public func execute(script: String) throws(StoreError) {
        try unsafe Database.execute(script, on: connection)
    }

    /// Lends a prepared statement, which is out of the cache meanwhile, so that a query inside of a query gets another
    /// one.
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
        do throws(StoreError) { return try body(statement) } catch {
            guard error.code == .constraint, !isConsistent else { throw error }
            throw StoreError(.damaged)
        }
    }

    /// False if a row refers to a row that is missing, or has a value that its table excludes: writing beside such rows
    /// can violate a constraint without a defect of the program. Read once, because it reads the whole file.
    private lazy var isConsistent: Bool = {
        let strays = try? first("PRAGMA foreign_key_check") { _ throws(StoreError) in true }
        guard strays == .some(nil) else { return false }
        return (try? first("PRAGMA quick_check(1)") { row throws(StoreError) in try row.text() }) == "ok"
    }()

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

    /// Runs `body` as one transaction: all its writes are stored, or, if it throws, none.
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

    /// Begins a transaction that outlives the call: an owner that works in turns collects all writes of a turn.
    /// ``commit()`` or ``rollback()`` must follow.
    ///
    /// - Throws: ``StoreError``.
    public func begin() throws(StoreError) {
        precondition(!isInTransaction, "transactions do not nest")
        // The write lock is taken at once, to avoid a deadlock of two readers that both want to write.
        try run("BEGIN IMMEDIATE")
        isInTransaction = true
    }

    /// Ends the transaction of ``begin()``. After an error all its writes are rolled back.
    ///
    /// - Throws: ``StoreError``.
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

    /// Rolls back the transaction of ``begin()``. Has no effect outside of a transaction.
    public func rollback() {
        guard isInTransaction else { return }
        isInTransaction = false
        // Some errors (a full disk) roll back automatically. If a rollback fails, the next transaction cannot begin.
        if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
    }

    // MARK: - Write-ahead log

    /// Returns the number of pages that this connection has written to the log since the last call.
    public func takePagesWritten() -> Int {
        var count: Int32 = 0
        var highest: Int32 = 0
        unsafe sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 1)
        return Int(count)
    }

    /// Copies the content of the log into the database file, as far as no reader needs it, so that the log starts again
    /// at its beginning. SQLite does this automatically at some commits; an owner that chooses the time turns that off
    /// (`PRAGMA wal_autocheckpoint=0`). Blocks for the disk.
    ///
    /// - Throws: ``StoreError``.
    public func checkpoint() throws(StoreError) {
        try unsafe Database.check(
            sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil))
    }
}

extension Database {
    /// The parameters of opening a database.
    struct Opening {
        let path: String
        let access: Access
        let flags: Int32
        let cipher: CipherVFS?
        let durability: Durability
        /// The time to wait for another process, in milliseconds.
        let busyTimeout: Int32

        /// Opens the database. If it cannot be written, because the disk is full or permissions are missing, it is
        /// opened as immutable. Otherwise SQLite would create a file beside it.
        func connect() throws(StoreError) -> OpaquePointer {
            let uri = Database.uri(path)
            do throws(StoreError) {
                return unsafe try connect(to: uri)
            } catch {
                guard access == .readOnly, standsStill(error) else { throw error }
                return unsafe try connect(to: uri + "?immutable=1")
            }
        }

        /// Returns true if only a side file that cannot be created is missing, and there is no log to read.
        private func standsStill(_ error: StoreError) -> Bool {
            guard error.preventsWriting else { return false }
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return false }
            return unsafe stat(path + "-wal", &status) != 0 || status.st_size == 0
        }

        /// Returns true if a database is empty or has this program's table of migrations.
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
                unsafe sqlite3_busy_timeout(connection, busyTimeout)
                try unsafe Database.check(tacit_set_defensive(connection))
                // Only a database without pages takes the setting; the others have it.
                if cipher != nil { unsafe Database.reserve(PageCipher.reservedSize, on: connection) }
                let script =
                    access == .readOnly
                    ? "PRAGMA query_only=ON; PRAGMA schema_version;"
                    : "PRAGMA synchronous=\(durability == .full ? "FULL" : "NORMAL");"
                try unsafe Database.execute(
                    "\(script) PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON;",
                    on: connection)
                // The mode stays with the file: a rejected file of another program keeps its own.
                if access != .readOnly, unsafe isOwnOrEmpty(connection) {
                    try unsafe Database.execute("PRAGMA journal_mode=WAL", on: connection)
                }
                // Decrypting a page takes longer than reading it, so more pages are cached: 16 MiB instead of 2.
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
