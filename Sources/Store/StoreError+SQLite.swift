internal import CSQLite
public import PageCipher

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
