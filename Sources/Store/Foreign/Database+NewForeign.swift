public import ByteCoding
internal import CSQLite

/// Databases of other programs, which are written.
extension Database {
    /// Creates a database in memory for another program: with its tables, without write-ahead log. References are checked at
    /// the end by ``checkReferences()``, because tables refer to each other in circles.
    ///
    /// - Parameter reserved: The bytes at the end of each page that SQLite leaves alone.
    /// - Throws: ``StoreError``.
    public static func newForeign(
        _ schema: ForeignSchema, reserving reserved: Int, at time: Timestamp
    ) throws(StoreError) -> Database {
        let database = try Database(inMemory, .create)
        unsafe reserve(reserved, on: database.connection)
        try database.execute(
            script: "PRAGMA foreign_keys=OFF; PRAGMA page_size=4096; PRAGMA auto_vacuum=FULL; PRAGMA encoding='UTF-8';")
        try schema.create(in: database, at: time)
        return database
    }

    /// Inserts a row.
    ///
    /// - Throws: ``StoreError``.
    public func insert(
        into table: String, _ values: KeyValuePairs<String, (any SQLBindable)?>
    ) throws(StoreError) {
        let names = values.map(\.key).joined(separator: ", ")
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        _ = try rows("INSERT INTO \(table) (\(names)) VALUES (\(marks))", values: values.map(\.value)) {
            _ throws(StoreError) in
        }
    }

    /// Completes a database when all its rows are there.
    ///
    /// - Throws: ``StoreError``.
    public func complete(_ schema: ForeignSchema) throws(StoreError) {
        if !schema.completion.isEmpty { try execute(script: schema.completion) }
    }

    /// Checks that each reference names a row.
    ///
    /// - Throws: ``StoreError/Code/constraint`` if one does not.
    public func checkReferences() throws(StoreError) {
        guard try first("PRAGMA foreign_key_check", read: { _ throws(StoreError) in true }) == nil else {
            throw StoreError(.constraint)
        }
    }
}

/// The bytes of the file that a database would be, page by page, wiped at the end.
@safe
public struct DatabaseFile: ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    private let pageSize: Int
    private var position = 0

    /// Takes the present content of a database.
    ///
    /// - Throws: ``StoreError/Code/outOfMemory``.
    public init(of database: Database) throws(StoreError) {
        let pageSize = try database.first("PRAGMA page_size") { row throws(StoreError) in try row.int() } ?? 4096
        let content = try unsafe DatabaseFile.content(of: database)
        self.pageSize = pageSize
        unsafe memory = content
    }

    private static func content(of database: Database) throws(StoreError) -> UnsafeMutableRawBufferPointer {
        var size: Int64 = 0
        guard let start = unsafe sqlite3_serialize(database.connection, "main", &size, 0) else {
            throw StoreError(.outOfMemory)
        }
        return unsafe UnsafeMutableRawBufferPointer(start: start, count: Int(size))
    }

    deinit { unsafe DatabaseImage.release(memory) }

    /// The size in bytes.
    public var size: Int { unsafe memory.count }

    /// The next page; empty at the end.
    public mutating func next() -> Bytes {
        let end = min(position + pageSize, size)
        defer { position = end }
        return unsafe Bytes(memory[position..<end])
    }
}
