import ByteCoding
internal import CSQLite
public import PageCipher

/// Why a database cannot do what was asked. The description names neither a path nor contents.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The file does not exist or cannot be opened.
        case cannotOpen
        /// Another process holds the database for longer than the time limit.
        case busy
        /// The disk is full.
        case diskFull
        /// The disk failed, or the file may not be written.
        case disk
        /// The file is damaged, or holds what no version of the program writes.
        case damaged
        /// The file is not a database.
        case notADatabase
        /// The database is encrypted with another key.
        case wrongKey
        /// The database is encrypted, and there was no key.
        case keyMissing
        /// The database has not all steps of the schema.
        case olderSchema
        /// A newer version of the program made the database.
        case newerSchema
        /// The schema is not the one that this version knows by that number.
        case otherSchema
        /// A value contradicts a rule of the schema: a mistake of the program.
        case constraint
        /// The program used the database wrongly.
        case misuse
        case outOfMemory
    }

    public let code: Code
    /// SQLite's extended result code, for reports of mistakes; 0 where SQLite was not asked.
    public let detail: Int32

    public init(_ code: Code, detail: Int32 = 0) {
        self.code = code
        self.detail = detail
    }

    /// Whether a single value cannot be read, and the file itself is whole: SQLite has a code for a damaged file.
    public var isUnreadableValue: Bool { code == .damaged && detail == 0 }

    /// Whether it may mean that nothing can be written where the database is: the disk is full, or nobody may.
    public var preventsWriting: Bool { [.cannotOpen, .disk, .diskFull].contains(code) }

    /// True if SQLite was asked to write through a connection, or to a file, that is for reading only.
    var isReadOnly: Bool { detail & 0xff == SQLITE_READONLY }

    public var description: String {
        detail == 0 ? "store: \(code.rawValue)" : "store: \(code.rawValue) (sqlite \(detail))"
    }
}

extension StoreError {
    /// The error of a SQLite result code.
    init(sqlite status: Int32) {
        let code: Code =
            switch status & 0xff {
            case SQLITE_IOERR where status >> 8 == StoreError.foreignContents: .damaged
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .diskFull
            case SQLITE_IOERR, SQLITE_READONLY, SQLITE_PERM: .disk
            case SQLITE_CORRUPT: .damaged
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CANTOPEN: .cannotOpen
            // These two come from the layer that encrypts.
            case SQLITE_AUTH: .wrongKey
            case SQLITE_FORMAT: .newerSchema
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_NOMEM: .outOfMemory
            default: .misuse
            }
        self.init(code, detail: status)
    }

    /// `SQLITE_IOERR_DATA`: what was read is not what was written.
    private static let foreignContents: Int32 = 32

    /// The error of the layer that encrypts.
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
