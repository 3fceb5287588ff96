internal import CSQLite
internal import Glibc

/// The write-ahead log: a plain header, then frames (sqlite.org/fileformat2.html, 4.1). A frame is one block of the
/// cipher: SQLite's 24-byte frame header, with a checksum of all preceding content, and the page.
@safe
final class LogFile: OpenFile {
    private static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let frameSize = frameHeaderSize + PageCipher.pageSize
    private static let textSize = frameSize - PageCipher.reservedSize

    private let cipher: FileBlockCipher
    /// A plaintext frame; SQLite writes its two parts in order.
    private let text = Scratch(frameSize)
    private let block = Scratch(frameSize)
    /// The frame whose first part is in ``text``, not yet on the disk.
    private var begunFrame: Int?
    /// The frame that the last call read completely: SQLite does so before it replaces a checksum.
    private var frameReadLast: Int?

    @unsafe
    init(_ below: UnsafeMutablePointer<sqlite3_file>, _ cipher: FileBlockCipher) {
        self.cipher = cipher
        unsafe super.init(below)
    }

    private static func offset(of frame: Int) -> Int64 {
        Int64(headerSize + frame * frameSize)
    }

    /// Returns the frame at an offset after the header, and the offset in the frame.
    private static func place(_ offset: Int64) -> (frame: Int, start: Int) {
        let position = Int(offset) - headerSize
        return (position / frameSize, position % frameSize)
    }

    // MARK: - Reading

    @unsafe
    override func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        frameReadLast = nil
        guard offset >= LogFile.headerSize else {
            guard Int(offset) + count <= LogFile.headerSize else { return SQLiteIOError.read }
            return unsafe readBelow(target, count, at: offset)
        }
        let (frame, start) = LogFile.place(offset)
        unsafe memset(target, 0, count)
        guard start + count <= LogFile.frameSize else { return SQLiteIOError.data }
        begunFrame = nil
        let status = readFrame(frame)
        guard status == SQLITE_OK else {
            // Recovery reads frames from their start: a torn frame ends the log. A page in the log is read separately.
            return status == SQLiteIOError.data && start == 0 ? SQLITE_OK : status
        }
        if count == LogFile.frameSize { frameReadLast = frame }
        unsafe target.update(from: text.start + start, count: count)
        return SQLITE_OK
    }

    /// Reads a frame into ``text``. The reserved bytes are zeros there: SQLite's checksum covers them.
    private func readFrame(_ frame: Int) -> Int32 {
        let status = unsafe readBelow(block.start, LogFile.frameSize, at: LogFile.offset(of: frame))
        guard status == SQLITE_OK else { return status }
        return unsafe cipher.open(block.start, into: text.start, count: LogFile.textSize, number: UInt64(frame))
            ? SQLITE_OK : SQLiteIOError.data
    }

    // MARK: - Writing

    @unsafe
    override func write(_ source: UnsafePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        let readBefore = frameReadLast
        frameReadLast = nil
        guard offset >= LogFile.headerSize else {
            guard offset == 0, count == LogFile.headerSize else { return SQLiteIOError.write }
            begunFrame = nil
            return unsafe writeBelow(source, count, at: offset)
        }
        let (frame, start) = LogFile.place(offset)
        switch (start, count) {
        case (0, LogFile.frameHeaderSize):
            if readBefore == frame { return unsafe change(frame, source, count, at: start) }
            unsafe text.start.update(from: source, count: count)
            begunFrame = frame
            return SQLITE_OK
        case (LogFile.frameHeaderSize, PageCipher.pageSize):
            guard unsafe hasFreeReserve(source) else { return SQLiteIOError.write }
            // A transaction that writes a page again writes it to the same frame.
            guard begunFrame == frame else { return unsafe change(frame, source, count, at: start) }
            begunFrame = nil
            unsafe text.start.advanced(by: start).update(from: source, count: LogFile.textSize - start)
            return writeFrame(frame)
        default: return SQLiteIOError.write
        }
    }

    /// Replaces a part of a frame. Frames of committed transactions are never changed.
    @unsafe
    private func change(_ frame: Int, _ source: UnsafePointer<UInt8>, _ count: Int, at start: Int) -> Int32 {
        begunFrame = nil
        let status = readFrame(frame)
        guard status == SQLITE_OK else { return status }
        unsafe text.start.advanced(by: start).update(from: source, count: min(count, LogFile.textSize - start))
        return writeFrame(frame)
    }

    private func writeFrame(_ frame: Int) -> Int32 {
        let text = unsafe UnsafeRawBufferPointer(rebasing: text.bytes[..<LogFile.textSize])
        unsafe cipher.seal(text, into: block.start, number: UInt64(frame))
        return unsafe writeBelow(block.start, LogFile.frameSize, at: LogFile.offset(of: frame))
    }
}

/// Returns true if the end of a page is zero: SQLite's checksums cover it, and it reads as zeros later.
@unsafe
func hasFreeReserve(_ page: UnsafePointer<UInt8>) -> Bool {
    var bits: UInt8 = 0
    for index in PageCipher.pageSize - PageCipher.reservedSize..<PageCipher.pageSize {
        unsafe bits |= page[index]
    }
    return bits == 0
}
