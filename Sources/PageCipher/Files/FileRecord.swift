internal import CSQLite

/// SQLite's record of an open file: a pointer to methods, then the data of the layer. The file of the layer below
/// follows in memory.
@safe
struct FileRecord {
    private var methods: UnsafePointer<sqlite3_io_methods>?
    private var object: Unmanaged<OpenFile>?

    init() {
        unsafe methods = nil
        unsafe object = nil
    }

    /// The size of the record in bytes, aligned for a following one.
    static let size = MemoryLayout<FileRecord>.stride

    @unsafe
    static func at(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<FileRecord> {
        unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: FileRecord.self)
    }

    @unsafe
    static func below(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
        unsafe (UnsafeMutableRawPointer(file) + size).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// Returns the open file, or nil for a file of another layer.
    @unsafe
    static func object(of file: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile? {
        guard let file = unsafe file, unsafe file.pointee.pMethods == sharedMethods else { return nil }
        return unsafe at(file).pointee.object?.takeUnretainedValue()
    }

    /// Attaches an open file, which the record retains until it is closed.
    mutating func attach(_ file: OpenFile) {
        unsafe object = Unmanaged.passRetained(file)
        unsafe methods = FileRecord.sharedMethods
    }

    private mutating func detach() {
        unsafe object?.release()
        unsafe object = nil
        unsafe methods = nil
    }

    // MARK: - Callbacks of SQLite

    /// One table for all files, never freed. Version 2: shared memory, but no memory-mapped pages.
    // Safe because it is immutable.
    nonisolated(unsafe) private static let sharedMethods: UnsafePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        var methods = sqlite3_io_methods()
        methods.iVersion = 2
        addAccess(to: &methods)
        addLocks(to: &methods)
        addSharedMemory(to: &methods)
        unsafe table.initialize(to: methods)
        return unsafe UnsafePointer(table)
    }()

    private static func addAccess(to methods: inout sqlite3_io_methods) {
        unsafe methods.xClose = { file in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            unsafe FileRecord.at(file).pointee.detach()
            let below = unsafe FileRecord.below(file)
            return unsafe below.pointee.pMethods.pointee.xClose(below)
        }
        unsafe methods.xRead = { file, target, count, offset in
            guard let object = unsafe FileRecord.object(of: file), let target = unsafe target else {
                return SQLITE_MISUSE
            }
            return unsafe object.read(target.assumingMemoryBound(to: UInt8.self), Int(count), at: offset)
        }
        unsafe methods.xWrite = { file, source, count, offset in
            guard let object = unsafe FileRecord.object(of: file), let source = unsafe source else {
                return SQLITE_MISUSE
            }
            return unsafe object.write(source.assumingMemoryBound(to: UInt8.self), Int(count), at: offset)
        }
        unsafe methods.xTruncate = { file, size in
            unsafe FileRecord.object(of: file)?.truncate(to: size) ?? SQLITE_MISUSE
        }
        unsafe methods.xSync = { file, flags in
            unsafe FileRecord.object(of: file)?.synchronize(flags) ?? SQLITE_MISUSE
        }
        unsafe methods.xFileSize = { file, size in
            guard let object = unsafe FileRecord.object(of: file), let size = unsafe size else { return SQLITE_MISUSE }
            return unsafe object.size(&size.pointee)
        }
        unsafe methods.xFileControl = { file, operation, argument in
            unsafe FileRecord.object(of: file)?.control(operation, argument) ?? SQLITE_MISUSE
        }
    }

    private static func addLocks(to methods: inout sqlite3_io_methods) {
        unsafe methods.xLock = { file, level in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            let below = unsafe FileRecord.below(file)
            return unsafe below.pointee.pMethods.pointee.xLock(below, level)
        }
        unsafe methods.xUnlock = { file, level in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            let below = unsafe FileRecord.below(file)
            return unsafe below.pointee.pMethods.pointee.xUnlock(below, level)
        }
        unsafe methods.xCheckReservedLock = { file, result in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            let below = unsafe FileRecord.below(file)
            return unsafe below.pointee.pMethods.pointee.xCheckReservedLock(below, result)
        }
        unsafe methods.xSectorSize = { file in
            guard let file = unsafe file else { return 0 }
            let below = unsafe FileRecord.below(file)
            return unsafe below.pointee.pMethods.pointee.xSectorSize(below)
        }
        unsafe methods.xDeviceCharacteristics = { _ in
            // Blocks of the cipher are written as SQLite writes, never in part: a write changes no bytes beside it.
            // Guarantees of a file system for whole pages do not hold for frames and records.
            SQLITE_IOCAP_POWERSAFE_OVERWRITE
        }
    }

    private static func addSharedMemory(to methods: inout sqlite3_io_methods) {
        unsafe methods.xShmMap = { file, region, size, extend, memory in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            let below = unsafe FileRecord.below(file)
            return unsafe below.pointee.pMethods.pointee.xShmMap(below, region, size, extend, memory)
        }
        unsafe methods.xShmLock = { file, offset, count, flags in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            let below = unsafe FileRecord.below(file)
            return unsafe below.pointee.pMethods.pointee.xShmLock(below, offset, count, flags)
        }
        unsafe methods.xShmBarrier = { file in
            guard let file = unsafe file else { return }
            let below = unsafe FileRecord.below(file)
            unsafe below.pointee.pMethods.pointee.xShmBarrier(below)
        }
        unsafe methods.xShmUnmap = { file, delete in
            guard let file = unsafe file else { return SQLITE_MISUSE }
            let below = unsafe FileRecord.below(file)
            return unsafe below.pointee.pMethods.pointee.xShmUnmap(below, delete)
        }
    }
}
