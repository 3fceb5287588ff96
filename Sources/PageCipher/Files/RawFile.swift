internal import ByteCoding
internal import CSQLite

/// A database file below the cipher, opened through SQLite's own layer for access to its header, and closed at the end
/// of its life.
///
/// Closing a file opened outside of that layer would release the locks of the process (sqlite.org/howtocorrupt.html,
/// 2.2).
@safe
final class RawFile {
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let name: sqlite3_filename

    /// Opens the file.
    ///
    /// - Parameter flags: `SQLITE_OPEN_READONLY` or `SQLITE_OPEN_READWRITE`.
    init(_ path: String, _ flags: Int32, below vfsName: String? = nil) throws(CipherError) {
        PageMemory.prepare(for: path)
        guard let vfs = unsafe sqlite3_vfs_find(vfsName),
            let name = unsafe sqlite3_create_filename(path, "", "", 0, nil)
        else { throw .outOfMemory }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(unsafe vfs.pointee.szOsFile), alignment: 16)
        let file = unsafe memory.bindMemory(to: sqlite3_file.self, capacity: 1)
        unsafe file.pointee.pMethods = nil
        let status = unsafe vfs.pointee.xOpen(vfs, name, file, flags | SQLITE_OPEN_MAIN_DB, nil)
        guard status == SQLITE_OK else {
            if unsafe file.pointee.pMethods != nil { unsafe _ = file.pointee.pMethods.pointee.xClose(file) }
            unsafe memory.deallocate()
            unsafe sqlite3_free_filename(name)
            throw .file(status)
        }
        unsafe self.file = file
        unsafe self.name = name
    }

    deinit {
        unsafe _ = file.pointee.pMethods.pointee.xClose(file)
        unsafe UnsafeMutableRawPointer(file).deallocate()
        unsafe sqlite3_free_filename(name)
    }

    /// Returns the first 4,096 bytes, or fewer if the file is shorter.
    func start() throws(CipherError) -> Bytes {
        unsafe try RawFile.start(of: file)
    }

    @unsafe
    private static func start(of file: UnsafeMutablePointer<sqlite3_file>) throws(CipherError) -> Bytes {
        var size: Int64 = 0
        var status = unsafe file.pointee.pMethods.pointee.xFileSize(file, &size)
        guard status == SQLITE_OK else { throw .file(status) }
        var bytes = Bytes(repeating: 0, count: min(FileHeader.size, Int(size)))
        if !bytes.isEmpty {
            status = unsafe file.pointee.pMethods.pointee.xRead(file, &bytes, Int32(bytes.count), 0)
            guard status == SQLITE_OK else { throw .file(status) }
        }
        return bytes
    }

    /// Returns the header of an open file, or nil for a plain database or an empty file.
    @unsafe
    static func header(of file: UnsafeMutablePointer<sqlite3_file>) throws(CipherError) -> FileHeader? {
        unsafe try FileHeader(start(of: file))
    }

    /// Writes bytes and waits until they are on the disk.
    func write(_ bytes: Bytes, at offset: Int) throws(CipherError) {
        var status = unsafe file.pointee.pMethods.pointee.xWrite(file, bytes, Int32(bytes.count), Int64(offset))
        if status == SQLITE_OK { status = unsafe file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_FULL) }
        guard status == SQLITE_OK else { throw .file(status) }
    }
}

/// SQLite's extended result codes for files, which are C expressions that Swift does not import
/// (sqlite.org/rescode.html).
enum SQLiteIOError {
    static let read = SQLITE_IOERR | 1 << 8
    /// Not a failure: the file ends inside of the requested range, whose rest is zeros.
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let write = SQLITE_IOERR | 3 << 8
    /// A block is not authentic.
    static let data = SQLITE_IOERR | 32 << 8
}
