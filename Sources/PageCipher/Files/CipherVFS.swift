internal import CSQLite
internal import Glibc
internal import Synchronization

/// The SQLite layer (VFS) of one connection, which encrypts every database with one store's key.
///
/// The files get the key through this value; it is never part of a name. The value must outlive the connection. Plain
/// databases are rejected, so that an attacker cannot replace an encrypted one.
@safe
public final class CipherVFS {
    /// The name for `sqlite3_open_v2` and for the `vfs` parameter of a URI.
    public let name: String

    /// The key of the store.
    public let key: StoreKey
    private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    private let cName: UnsafeMutablePointer<CChar>
    /// The layer below, which accesses the system.
    private let base: UnsafeMutablePointer<sqlite3_vfs>

    private static let count = Atomic(0)

    /// Registers the layer.
    ///
    /// - Parameter base: The name of the layer below; nil for SQLite's own.
    public init(_ key: StoreKey, over base: String? = nil) {
        guard let found = unsafe sqlite3_vfs_find(base), let cName = unsafe strdup(CipherVFS.nextName()) else {
            preconditionFailure("SQLite has a layer for the system")
        }
        self.key = key
        unsafe self.base = found
        unsafe self.cName = cName
        name = unsafe String(cString: cName)
        unsafe vfs = .allocate(capacity: 1)
        unsafe vfs.initialize(to: CipherVFS.methods(over: found.pointee))
        unsafe vfs.pointee.zName = UnsafePointer(cName)
        unsafe vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_vfs_register(vfs, 0)
    }

    deinit {
        unsafe sqlite3_vfs_unregister(vfs)
        unsafe vfs.deallocate()
        unsafe free(cName)
    }

    private static func nextName() -> String {
        "tacit-\(count.add(1, ordering: .relaxed).newValue)"
    }

    /// Returns the damaged pages of an open connection's database, by their numbers.
    ///
    /// - Parameters:
    ///   - connection: An `sqlite3 *` opened through a ``CipherVFS``.
    ///   - progress: Called after each page with the number of pages read, and of all pages.
    /// - Returns: SQLite's result code, and the pages.
    @unsafe
    public static func damagedPages(
        of connection: OpaquePointer, progress: (_ done: Int, _ all: Int) -> Void
    ) -> (status: Int32, pages: [Int]) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let status = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard status == SQLITE_OK, let main = unsafe FileRecord.object(of: file) as? MainFile else {
            return (status == SQLITE_OK ? SQLITE_MISUSE : status, [])
        }
        return main.damagedPages(progress: progress)
    }

    // MARK: - Opening files

    @unsafe
    fileprivate func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let record = unsafe FileRecord.at(file)
        unsafe record.initialize(to: FileRecord())
        let below = unsafe FileRecord.below(file)
        unsafe below.pointee.pMethods = nil
        var status = unsafe base.pointee.xOpen(base, path, below, flags, outFlags)
        if status == SQLITE_OK {
            do throws(CipherError) {
                let object = unsafe try makeFile(path, below, flags)
                unsafe record.pointee.attach(object)
                return SQLITE_OK
            } catch {
                status = error.code
            }
        }
        // The layer below may have opened a file even if it failed.
        if unsafe below.pointee.pMethods != nil { unsafe _ = below.pointee.pMethods.pointee.xClose(below) }
        return status
    }

    /// Creates the layout of a file for the purpose in `flags`.
    @unsafe
    private func makeFile(
        _ path: UnsafePointer<CChar>?, _ below: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32
    ) throws(CipherError) -> OpenFile {
        let isNamed = unsafe path != nil
        switch flags & CipherVFS.purposes {
        case SQLITE_OPEN_MAIN_DB where isNamed:
            let header = unsafe try RawFile.header(of: below)
            guard let header else { throw .notAStore }
            guard header.belongs(to: key) else { throw .wrongKey }
            return unsafe MainFile(below, FileCiphers(key, header))
        case SQLITE_OPEN_WAL:
            return unsafe LogFile(below, try CipherVFS.database(of: path).ciphers.frames)
        case SQLITE_OPEN_MAIN_JOURNAL where isNamed:
            return unsafe JournalFile(below, try CipherVFS.database(of: path).ciphers.records)
        case SQLITE_OPEN_SUPER_JOURNAL:
            // A super-journal contains names of journals.
            return unsafe OpenFile(below)
        default:
            return unsafe TemporaryFile(below)
        }
    }

    private static let purposes =
        SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_TRANSIENT_DB | SQLITE_OPEN_MAIN_JOURNAL
        | SQLITE_OPEN_TEMP_JOURNAL | SQLITE_OPEN_SUBJOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL

    /// Returns the open database of a log or a journal.
    @unsafe
    private static func database(of path: UnsafePointer<CChar>?) throws(CipherError) -> MainFile {
        guard let path = unsafe path, let file = unsafe sqlite3_database_file_object(path),
            let database = unsafe FileRecord.object(of: file) as? MainFile
        else { throw .file(SQLITE_CANTOPEN) }
        return database
    }
}

extension CipherError {
    /// SQLite's result code for the error when opening a connection.
    fileprivate var code: Int32 {
        switch self {
        case .notAStore: SQLITE_NOTADB
        case .damagedHeader: SQLITE_CORRUPT
        case .newerFormat: SQLITE_FORMAT
        case .wrongKey: SQLITE_AUTH
        case .outOfMemory: SQLITE_NOMEM
        case .noFreeSlot, .noSuchSlot, .lastSlot: SQLITE_MISUSE
        case .file(let status): status
        }
    }
}

// MARK: - Callbacks of SQLite

extension CipherVFS {
    @unsafe
    private static func object(of vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> CipherVFS? {
        guard let data = unsafe vfs?.pointee.pAppData else { return nil }
        return unsafe Unmanaged<CipherVFS>.fromOpaque(data).takeUnretainedValue()
    }

    /// Returns the methods of a layer that passes everything but opening files to `base`.
    private static func methods(over base: sqlite3_vfs) -> sqlite3_vfs {
        var methods = unsafe sqlite3_vfs()
        unsafe methods.iVersion = 2
        unsafe methods.szOsFile = Int32(FileRecord.size) + base.szOsFile
        unsafe methods.mxPathname = base.mxPathname
        unsafe methods.xOpen = { vfs, path, file, flags, outFlags in
            guard let vfs = unsafe CipherVFS.object(of: vfs), let file = unsafe file else { return SQLITE_MISUSE }
            return unsafe vfs.open(path, file, flags, outFlags)
        }
        unsafe methods.xDelete = { vfs, path, synchronize in
            guard let base = unsafe CipherVFS.object(of: vfs)?.base else { return SQLITE_MISUSE }
            return unsafe base.pointee.xDelete(base, path, synchronize)
        }
        unsafe methods.xAccess = { vfs, path, flags, result in
            guard let base = unsafe CipherVFS.object(of: vfs)?.base else { return SQLITE_MISUSE }
            return unsafe base.pointee.xAccess(base, path, flags, result)
        }
        unsafe methods.xFullPathname = { vfs, path, count, result in
            guard let base = unsafe CipherVFS.object(of: vfs)?.base else { return SQLITE_MISUSE }
            return unsafe base.pointee.xFullPathname(base, path, count, result)
        }
        unsafe methods.xRandomness = { vfs, count, result in
            guard let base = unsafe CipherVFS.object(of: vfs)?.base else { return 0 }
            return unsafe base.pointee.xRandomness(base, count, result)
        }
        unsafe methods.xSleep = { vfs, microseconds in
            guard let base = unsafe CipherVFS.object(of: vfs)?.base else { return 0 }
            return unsafe base.pointee.xSleep(base, microseconds)
        }
        unsafe methods.xCurrentTime = { vfs, result in
            guard let base = unsafe CipherVFS.object(of: vfs)?.base else { return SQLITE_MISUSE }
            return unsafe base.pointee.xCurrentTime(base, result)
        }
        unsafe methods.xGetLastError = { vfs, count, result in
            guard let base = unsafe CipherVFS.object(of: vfs)?.base else { return SQLITE_MISUSE }
            return unsafe base.pointee.xGetLastError(base, count, result)
        }
        unsafe methods.xCurrentTimeInt64 = { vfs, result in
            guard let base = unsafe CipherVFS.object(of: vfs)?.base else { return SQLITE_MISUSE }
            return unsafe base.pointee.xCurrentTimeInt64(base, result)
        }
        return unsafe methods
    }
}
