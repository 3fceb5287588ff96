import CSQLite
import Glibc

/// A layer between the cipher and the system that keeps a list of all that changes files.
@safe
final class RecordingVFS {
    enum Event {
        case write(String, Int, [UInt8])
        case truncate(String, Int)
        case synchronize(String)
        case delete(String)
        /// A transaction was committed: so many rows are there.
        case acknowledge(Int)
    }

    var events: [Event] = []
    let name: String
    private let cName: UnsafeMutablePointer<CChar>
    private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    fileprivate let base: UnsafeMutablePointer<sqlite3_vfs>

    init(_ name: String) throws {
        guard let base = unsafe sqlite3_vfs_find(nil), let cName = unsafe strdup(name) else {
            throw CancellationError()
        }
        self.name = name
        unsafe self.base = base
        unsafe self.cName = cName
        unsafe vfs = .allocate(capacity: 1)
        // The methods of the system do not look at the structure they are called with, except the one that opens files.
        unsafe vfs.initialize(to: base.pointee)
        unsafe vfs.pointee.zName = UnsafePointer(cName)
        unsafe vfs.pointee.szOsFile += Int32(RecordedFile.size)
        unsafe vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        unsafe vfs.pointee.xOpen = { vfs, path, file, flags, outFlags in
            guard let recorder = unsafe RecordingVFS.object(of: vfs), let file = unsafe file else {
                return SQLITE_MISUSE
            }
            return unsafe RecordedFile.open(recorder, path, file, flags, outFlags)
        }
        unsafe vfs.pointee.xDelete = { vfs, path, synchronize in
            guard let recorder = unsafe RecordingVFS.object(of: vfs), let path = unsafe path else {
                return SQLITE_MISUSE
            }
            unsafe recorder.events.append(.delete(String(cString: path)))
            return unsafe recorder.base.pointee.xDelete(recorder.base, path, synchronize)
        }
        unsafe sqlite3_vfs_register(vfs, 0)
    }

    deinit {
        unsafe sqlite3_vfs_unregister(vfs)
        unsafe vfs.deallocate()
        unsafe free(cName)
    }

    @unsafe
    private static func object(of vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> RecordingVFS? {
        guard let data = unsafe vfs?.pointee.pAppData else { return nil }
        return unsafe Unmanaged<RecordingVFS>.fromOpaque(data).takeUnretainedValue()
    }
}

/// An open file of ``RecordingVFS``: SQLite's methods, the recorder, the name; behind it the file of the system.
@safe
private struct RecordedFile {
    var methods: UnsafePointer<sqlite3_io_methods>?
    let recorder: Unmanaged<RecordingVFS>
    /// Nil for a temporary file.
    let path: UnsafePointer<CChar>?
    var ownMethods: sqlite3_io_methods

    static let size = (MemoryLayout<RecordedFile>.stride + 15) / 16 * 16

    @unsafe
    static func open(
        _ recorder: RecordingVFS, _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>,
        _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let record = unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: RecordedFile.self)
        let below = unsafe below(file)
        unsafe below.pointee.pMethods = nil
        let status = unsafe recorder.base.pointee.xOpen(recorder.base, path, below, flags, outFlags)
        unsafe file.pointee.pMethods = nil
        guard status == SQLITE_OK else { return status }
        unsafe record.initialize(
            to: RecordedFile(
                methods: nil, recorder: .passUnretained(recorder), path: path,
                ownMethods: RecordedFile.methods))
        // The table is in the memory of the file, which outlives its use.
        guard let place = MemoryLayout<RecordedFile>.offset(of: \.ownMethods) else { return SQLITE_MISUSE }
        let table = unsafe UnsafeMutableRawPointer(record) + place
        unsafe record.pointee.methods = UnsafePointer(table.assumingMemoryBound(to: sqlite3_io_methods.self))
        return SQLITE_OK
    }

    @unsafe
    static func below(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<sqlite3_file> {
        unsafe (UnsafeMutableRawPointer(file.unsafelyUnwrapped) + size).assumingMemoryBound(to: sqlite3_file.self)
    }

    @unsafe
    static func add(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ event: (String) -> RecordingVFS.Event
    ) {
        guard let file = unsafe file else { return }
        let record = unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: RecordedFile.self)
        guard let path = unsafe record.pointee.path else { return }
        unsafe record.pointee.recorder.takeUnretainedValue().events.append(event(String(cString: path)))
    }

    private static var methods: sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        methods.iVersion = 2
        unsafe methods.xClose = { file in
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xClose(below)
        }
        unsafe methods.xRead = { file, target, count, offset in
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xRead(below, target, count, offset)
        }
        unsafe methods.xWrite = { file, source, count, offset in
            let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: source, count: Int(count)))
            unsafe RecordedFile.add(file) { .write($0, Int(offset), bytes) }
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xWrite(below, source, count, offset)
        }
        unsafe methods.xTruncate = { file, size in
            unsafe RecordedFile.add(file) { .truncate($0, Int(size)) }
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xTruncate(below, size)
        }
        unsafe methods.xSync = { file, flags in
            unsafe RecordedFile.add(file) { .synchronize($0) }
            // The disk need not do what is only recorded.
            return SQLITE_OK
        }
        unsafe methods.xFileSize = { file, size in
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xFileSize(below, size)
        }
        unsafe methods.xLock = { file, level in
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xLock(below, level)
        }
        unsafe methods.xUnlock = { file, level in
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xUnlock(below, level)
        }
        unsafe methods.xCheckReservedLock = { file, result in
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xCheckReservedLock(below, result)
        }
        unsafe methods.xFileControl = { file, operation, argument in
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xFileControl(below, operation, argument)
        }
        unsafe methods.xSectorSize = { _ in 4096 }
        unsafe methods.xDeviceCharacteristics = { _ in 0 }
        unsafe methods.xShmMap = { file, region, size, extend, memory in
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xShmMap(below, region, size, extend, memory)
        }
        unsafe methods.xShmLock = { file, offset, count, flags in
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xShmLock(below, offset, count, flags)
        }
        unsafe methods.xShmBarrier = { file in
            let below = unsafe RecordedFile.below(file)
            unsafe below.pointee.pMethods.pointee.xShmBarrier(below)
        }
        unsafe methods.xShmUnmap = { file, delete in
            let below = unsafe RecordedFile.below(file)
            return unsafe below.pointee.pMethods.pointee.xShmUnmap(below, delete)
        }
        return methods
    }
}
