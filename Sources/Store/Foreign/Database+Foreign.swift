public import ByteCoding
internal import CSQLite
internal import Glibc

/// Databases of other programs, which are only read.
///
/// SECURITY: such a database may come from anybody. It is opened as immutable, without the right to write, without trust in
/// its schema, and with limits for values and statements.
extension Database {
    /// Opens the plain database of another program in a file that nobody changes meanwhile. No file is created beside it.
    ///
    /// - Throws: ``StoreError/Code/notADatabase`` for something else, and for an encrypted database.
    public static func foreign(at path: String) throws(StoreError) -> Database {
        let database = try open(uri(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        try database.restrict()
        return database
    }

    /// Opens a plain database in memory.
    ///
    /// - Throws: ``StoreError``.
    public static func foreign(_ image: consuming DatabaseImage) throws(StoreError) -> Database {
        let database = try open(inMemory, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
        let memory = unsafe image.take()
        unsafe database.image = memory
        let start = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        try unsafe check(
            sqlite3_deserialize(
                database.connection, "main", start, Int64(memory.count), Int64(memory.count),
                UInt32(SQLITE_DESERIALIZE_READONLY)))
        try database.restrict()
        return database
    }

    private static func open(_ name: String, _ flags: Int32) throws(StoreError) -> Database {
        var opened: OpaquePointer?
        let status = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let connection = unsafe opened else { throw StoreError(sqlite: status) }
        let database = unsafe Database(foreign: connection)
        try check(status)
        return database
    }

    private func restrict() throws(StoreError) {
        try unsafe Database.check(tacit_set_defensive(connection))
        for (limit, value) in Database.foreignLimits { unsafe _ = sqlite3_limit(connection, limit, value) }
        try execute(
            script: """
                PRAGMA query_only=ON; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0;
                PRAGMA cache_size=-16384;
                """)
        // The first read shows whether it is a database.
        _ = try first("SELECT count(*) FROM sqlite_schema") { row throws(StoreError) in try row.int64() }
    }

    /// The longest value is a message with a picture, or a description of a file.
    private static let foreignLimits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, 16 << 20), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_VDBE_OP, 100_000), (SQLITE_LIMIT_FUNCTION_ARG, 16),
    ]

    /// The names of a table's columns; none if there is no such table.
    public func columns(of table: String) throws(StoreError) -> Set<String> {
        Set(try rows("SELECT name FROM pragma_table_info(?)", table) { row throws(StoreError) in try row.text() })
    }
}

/// The contents of a database file in memory, filled from the beginning and wiped at the end.
@safe
public struct DatabaseImage: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer?
    private var count = 0

    /// Allocates the memory.
    ///
    /// - Throws: ``StoreError/Code/outOfMemory``, ``StoreError/Code/notADatabase`` for no size.
    public init(size: Int) throws(StoreError) {
        guard size > 0 else { throw StoreError(.notADatabase) }
        guard let allocated = unsafe sqlite3_malloc64(UInt64(size)) else { throw StoreError(.outOfMemory) }
        unsafe memory = UnsafeMutableRawBufferPointer(start: allocated, count: size)
    }

    deinit {
        if let memory = unsafe memory { unsafe DatabaseImage.release(memory) }
    }

    /// Appends bytes.
    ///
    /// - Throws: ``StoreError/Code/damaged`` beyond the size.
    public mutating func append(_ bytes: Bytes) throws(StoreError) {
        guard let memory = unsafe memory, bytes.count <= memory.count - count else { throw StoreError(.damaged) }
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyBytes(from: bytes)
        count += bytes.count
    }

    /// Hands the memory over. What was not filled is zeros. A database in memory has no write-ahead log, so the header says
    /// that it needs none.
    @unsafe
    consuming func take() -> UnsafeMutableRawBufferPointer {
        guard let memory = unsafe memory else { return unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        for index in count..<memory.count { unsafe memory[index] = 0 }
        for index in [18, 19] where index < memory.count {
            if unsafe memory[index] == 2 { unsafe memory[index] = 1 }
        }
        unsafe self.memory = nil
        return unsafe memory
    }

    /// Wipes and frees memory that was handed over.
    @unsafe
    static func release(_ memory: UnsafeMutableRawBufferPointer) {
        if let start = memory.baseAddress { unsafe explicit_bzero(start, memory.count) }
        unsafe sqlite3_free(memory.baseAddress)
    }
}
