internal import CSQLite
import CryptoCore

/// A prepared statement, finalised at the end of its life.
@safe
final class Statement {
    private let pointer: OpaquePointer

    @unsafe
    init(_ sql: String, on connection: OpaquePointer) throws(StoreError) {
        var prepared: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(
            connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard status == SQLITE_OK, let pointer = unsafe prepared else { throw StoreError(sqlite: status) }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe sqlite3_finalize(pointer)
    }

    func bind(_ value: SQLValue, at index: Int32) throws(StoreError) {
        let status: Int32 =
            switch value {
            case .null: unsafe sqlite3_bind_null(pointer, index)
            case .integer(let number): unsafe sqlite3_bind_int64(pointer, index, number)
            case .text(let text): unsafe tacit_bind_text(pointer, index, text, Int32(text.utf8.count))
            case .blob(let bytes): unsafe bytes.withUnsafeBytes { unsafe bind($0, at: index) }
            case .secret(let secret): unsafe secret.withUnsafeBytes { unsafe bind($0, at: index) }
            }
        try Database.check(status)
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
        // SQLite treats a blob from a null pointer as NULL.
        guard let start = bytes.baseAddress else { return unsafe sqlite3_bind_zeroblob(pointer, index, 0) }
        return unsafe tacit_bind_blob(pointer, index, start, Int32(bytes.count))
    }

    /// Advances to the next row. Returns true if there is one.
    func step() throws(StoreError) -> Bool {
        switch unsafe sqlite3_step(pointer) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let status: throw StoreError(sqlite: status)
        }
    }

    /// The current row.
    var row: Row { unsafe Row(pointer) }

    /// Resets the statement and its values.
    func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
    }
}
