internal import CSQLite

/// A file that SQLite has open. Subclasses implement the layouts; this class calls the layer below.
@safe
class OpenFile {
    /// The file of the layer below, in the memory after ``FileRecord``.
    private let below: UnsafeMutablePointer<sqlite3_file>

    @unsafe
    init(_ below: UnsafeMutablePointer<sqlite3_file>) {
        unsafe self.below = below
    }

    // MARK: - Operations of SQLite

    /// Reads `count` bytes. Bytes after the end of the file read as zeros, with `SQLITE_IOERR_SHORT_READ`.
    @unsafe
    func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        unsafe readBelow(target, count, at: offset)
    }

    @unsafe
    func write(_ source: UnsafePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        unsafe writeBelow(source, count, at: offset)
    }

    func truncate(to size: Int64) -> Int32 {
        truncateBelow(to: size)
    }

    func synchronize(_ flags: Int32) -> Int32 {
        unsafe below.pointee.pMethods.pointee.xSync(below, flags)
    }

    func size(_ size: inout Int64) -> Int32 {
        sizeBelow(&size)
    }

    @unsafe
    func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        unsafe controlBelow(operation, argument)
    }

    // MARK: - The layer below

    @unsafe
    final func readBelow(_ target: UnsafeMutablePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        unsafe below.pointee.pMethods.pointee.xRead(below, target, Int32(count), offset)
    }

    @unsafe
    final func writeBelow(_ source: UnsafePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        unsafe below.pointee.pMethods.pointee.xWrite(below, source, Int32(count), offset)
    }

    final func truncateBelow(to size: Int64) -> Int32 {
        unsafe below.pointee.pMethods.pointee.xTruncate(below, size)
    }

    final func sizeBelow(_ size: inout Int64) -> Int32 {
        unsafe below.pointee.pMethods.pointee.xFileSize(below, &size)
    }

    @unsafe
    final func controlBelow(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        unsafe below.pointee.pMethods.pointee.xFileControl(below, operation, argument)
    }
}
