import ByteCoding
internal import CSQLite
public import PageCipher

/// A failure of a database. The description contains neither a path nor content.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Hashable, Sendable {
        /// The file does not exist or cannot be opened.
        case cannotOpen
        /// Another process holds the database for longer than the busy timeout.
        case busy
        /// The disk is full.
        case diskFull
        /// The disk failed, or the file is not writable.
        case disk
        /// The file is damaged, or has content that no version of the program writes.
        case damaged
        /// The file is not a database.
        case notADatabase
        /// The database is encrypted with another key.
        case wrongKey
        /// The database is encrypted, and no key was given.
        case keyMissing
        /// The database lacks steps of the schema.
        case olderSchema
        /// A newer version of the program made the database.
        case newerSchema
        /// A step of the schema differs from this version's step with the same number.
        case otherSchema
        /// A value violates a constraint of the schema, and the stored rows do not: a defect of the program.
        case constraint
        /// The program used the database wrongly.
        case misuse
        /// Memory is exhausted.
        case outOfMemory
    }

    /// The kind of failure.
    public let code: Code
    /// SQLite's extended result code, for defect reports; 0 for other failures.
    public let detail: Int32

    /// Creates a store error from its parts.
    public init(_ code: Code, detail: Int32 = 0) {
        self.code = code
        self.detail = detail
    }

    /// True if a single value is unreadable, and the file itself is intact: SQLite has a code for a damaged file.
    public var isUnreadableValue: Bool { code == .damaged && detail == 0 }

    /// True if the failure may mean that the database is not writable: the disk is full, or permissions are missing.
    public var preventsWriting: Bool { [.cannotOpen, .disk, .diskFull].contains(code) }

    /// True if a write was attempted through a read-only connection or to a read-only file.
    var isReadOnly: Bool { detail & 0xff == SQLITE_READONLY }

    /// The code, and the detail if there is one.
    public var description: String {
        detail == 0 ? "store: \(code.rawValue)" : "store: \(code.rawValue) (sqlite \(detail))"
    }
}

extension StoreError {
    /// Creates the error of a SQLite result code.
    init(sqlite status: Int32) {
        let code: Code =
            switch status & 0xff {
            case SQLITE_IOERR where status >> 8 == StoreError.foreignContents: .damaged
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .diskFull
            case SQLITE_IOERR, SQLITE_READONLY, SQLITE_PERM: .disk
            // No version of the program writes a value beyond the limit.
            case SQLITE_CORRUPT, SQLITE_TOOBIG: .damaged
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CANTOPEN: .cannotOpen
            // The encrypting layer returns these two codes.
            case SQLITE_AUTH: .wrongKey
            case SQLITE_FORMAT: .newerSchema
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_NOMEM: .outOfMemory
            default: .misuse
            }
        self.init(code, detail: status)
    }

    /// The code `SQLITE_IOERR_DATA` of a block that fails its authentication.
    private static let foreignContents: Int32 = 32

    /// Creates the error of the encrypting layer.
    public init(_ error: CipherError) {
        let code: Code =
            switch error {
            case .notAStore: .notADatabase
            case .damagedHeader: .damaged
            case .newerFormat: .newerSchema
            case .wrongKey: .wrongKey
            case .outOfMemory: .outOfMemory
            case .noFreeSlot, .noSuchSlot, .lastSlot: .misuse
            case .file(let status): StoreError(sqlite: status).code
            }
        self.init(code)
    }
}
