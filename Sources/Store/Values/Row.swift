public import ByteCoding
internal import CSQLite
public import CryptoCore

/// A row of a result, read column by column from the left.
///
/// A column of another type means that the program did not write it: reading throws ``StoreError/Code/damaged``.
@safe
public struct Row: ~Copyable {
    private let statement: OpaquePointer
    private var column: Int32 = 0

    @unsafe
    init(_ statement: OpaquePointer) {
        unsafe self.statement = statement
    }

    /// Reads a 64-bit integer.
    public mutating func int64() throws(StoreError) -> Int64 {
        try expect(SQLITE_INTEGER)
        return unsafe sqlite3_column_int64(statement, advance())
    }

    /// Reads an integer.
    public mutating func int() throws(StoreError) -> Int {
        Int(try int64())
    }

    /// Reads a count from 0 to 2³¹ - 1. A value out of range becomes the nearest limit, so that sums of counts cannot
    /// overflow.
    public mutating func count() throws(StoreError) -> Int {
        Int(min(max(try int64(), 0), Int64(Int32.max)))
    }

    /// Reads an integer in `range`.
    public mutating func int64(in range: ClosedRange<Int64>) throws(StoreError) -> Int64 {
        let value = try int64()
        guard range.contains(value) else { throw StoreError(.damaged) }
        return value
    }

    /// Reads an integer of 16 bits.
    public mutating func uint16() throws(StoreError) -> UInt16 {
        guard let value = UInt16(exactly: try int64()) else { throw StoreError(.damaged) }
        return value
    }

    /// Reads a Boolean, stored as 0 or 1.
    public mutating func bool() throws(StoreError) -> Bool {
        switch try int64() {
        case 0: false
        case 1: true
        default: throw StoreError(.damaged)
        }
    }

    /// Reads a time, stored in milliseconds since 1970.
    public mutating func timestamp() throws(StoreError) -> Timestamp {
        Timestamp(milliseconds: try int64())
    }

    /// Reads a text.
    public mutating func text() throws(StoreError) -> String {
        try expect(SQLITE_TEXT)
        let index = advance()
        guard let start = unsafe sqlite3_column_text(statement, index) else { throw StoreError(.outOfMemory) }
        let count = unsafe Int(sqlite3_column_bytes(statement, index))
        let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
        guard let text = unsafe String(validUTF8: bytes.span) else { throw StoreError(.damaged) }
        return text
    }

    /// Reads a blob.
    public mutating func bytes() throws(StoreError) -> Bytes {
        try expect(SQLITE_BLOB)
        let index = advance()
        let count = unsafe Int(sqlite3_column_bytes(statement, index))
        // SQLite has no pointer to an empty blob.
        guard count > 0 else { return [] }
        guard let start = unsafe sqlite3_column_blob(statement, index) else { throw StoreError(.outOfMemory) }
        return unsafe Bytes(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Reads a blob into secret memory.
    public mutating func secret() throws(StoreError) -> Secret {
        try expect(SQLITE_BLOB)
        let index = advance()
        let count = unsafe Int(sqlite3_column_bytes(statement, index))
        guard count > 0, let start = unsafe sqlite3_column_blob(statement, index) else { throw StoreError(.damaged) }
        return unsafe Secret(
            SecretBytes(count: count) { target in
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: start, count: count))
            })
    }

    /// Reads a blob of a size in bytes into secret memory.
    ///
    /// - Throws: ``StoreError/Code/damaged`` for another size.
    public mutating func secret(size: Int) throws(StoreError) -> Secret {
        let stored = try secret()
        guard stored.count == size else { throw StoreError(.damaged) }
        return stored
    }

    /// Reads a value with `read`, or returns nil for NULL.
    public mutating func optional<Value>(
        _ read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        guard unsafe sqlite3_column_type(statement, column) != SQLITE_NULL else {
            column += 1
            return nil
        }
        return try read(&self)
    }

    /// Reads a value with a binary encoding, stored as a blob.
    public mutating func decoded<Value: ByteDecodable>(
        _ type: Value.Type = Value.self
    ) throws(StoreError) -> Value {
        let stored = try bytes()
        guard let value = try? Value(decoding: stored) else { throw StoreError(.damaged) }
        return value
    }

    private func expect(_ type: Int32) throws(StoreError) {
        guard unsafe sqlite3_column_type(statement, column) == type else { throw StoreError(.damaged) }
    }

    /// True if the next column is NULL.
    public func isNull() throws(StoreError) -> Bool {
        unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// True if the next column is a blob.
    func holdsBlob() throws(StoreError) -> Bool {
        unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB
    }

    /// Leaves out columns.
    public mutating func skip(_ count: Int) {
        for _ in 0..<max(count, 0) { _ = advance() }
    }

    private mutating func advance() -> Int32 {
        defer { column += 1 }
        return column
    }
}
