public import Archive
public import SystemIO

/// Why a store was not exported or imported. Nothing was changed then.
public enum TransferError: Error, Hashable, Sendable {
    /// What is in the archive and not a database.
    public enum Layout: Hashable, Sendable {
        /// One of the two databases is not there.
        case noDatabase
        /// Something that no archive of a store has.
        case strange
    }

    /// The archive is none that can be trusted.
    case archive(ZipError)
    case layout(Layout)
    /// A database in the archive cannot become a store.
    case content(DatabaseProblem)
    /// The archive is of another version of the official apps than those that are known.
    case app(isNewer: Bool)
    /// The two databases in the archive are not of one store, or not of one moment.
    case notTogether
    /// The own store cannot be read or written.
    case store(ChatError)
    /// There is a store where the archive was to go, and nobody allowed to replace it.
    case storeExists
    /// There is not enough room on the disk; both in bytes.
    case noRoom(needed: Int, free: Int)
    case system(SystemError)

    init(_ error: any Error) {
        self =
            switch error {
            case let error as TransferError: error
            case ZipError.system(let error): .system(error)
            case let error as ZipError: .archive(error)
            case let error as SystemError: .system(error)
            case FileLock.Failure.system(let error): .system(error)
            default: .store(ChatError(error))
            }
    }
}
