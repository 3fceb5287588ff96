import ByteCoding
import Glibc
import SystemIO

/// What the first bytes of a database file tell.
enum StoreFile {
    /// How a file of SQLite begins that is not encrypted (sqlite.org/fileformat.html).
    private static let plainStart = Bytes("SQLite format 3\0".utf8)

    /// Whether a database is not encrypted.
    static func isPlain(_ path: String) throws(SystemError) -> Bool {
        try FileDescriptor(opening: path, O_RDONLY).read(plainStart.count, at: 0) == plainStart
    }
}
