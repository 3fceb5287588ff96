internal import CSQLite

/// SQLite's extended result codes for files, which C has as expressions that Swift does not import
/// (sqlite.org/rescode.html).
enum Failure {
    static let read = SQLITE_IOERR | 1 << 8
    /// Not a failure: the file ends before the range that was to be read, whose rest is zeros.
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let write = SQLITE_IOERR | 3 << 8
    /// What was read is not what was written.
    static let data = SQLITE_IOERR | 32 << 8
}
