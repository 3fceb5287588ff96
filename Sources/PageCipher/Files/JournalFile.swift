internal import CSQLite
internal import Glibc

/// A rollback journal: plain headers, each at the start of a sector, followed by records (sqlite.org/fileformat2.html,
/// 3). A record is one block of the cipher: the number of a page, its former content, and a checksum.
///
/// Headers contain sizes and a random number. The plain name of a super-journal may follow at the end.
@safe
final class JournalFile: OpenFile {
    private static let sectorSize: Int64 = 512
    private static let headerSize = 28
    private static let numberSize = 4
    private static let recordSize = numberSize + PageCipher.pageSize + numberSize
    private static let textSize = recordSize - FileBlockCipher.overhead
    /// The offset of the checksum in SQLite's record, and the part of the page before it in the block.
    private static let checksumStart = numberSize + PageCipher.pageSize
    private static let pageTextSize = PageCipher.pageSize - PageCipher.reservedSize
    /// The page of the lock bytes, which has no content: its number precedes the name of a super-journal.
    private static let namePage = UInt32(0x4000_0000 / PageCipher.pageSize + 1)

    private let cipher: FileBlockCipher
    /// A record in SQLite's form, with zeros as the reserved bytes of the page.
    private let record = Scratch(recordSize)
    private let block = Scratch(recordSize)
    /// The offset of the record in ``record``, if one was read.
    private var readRecord: Int64?
    /// The record that is being written, and its size so far: SQLite writes three parts.
    private var begun: (offset: Int64, count: Int)?
    /// The headers that were last written and read: SQLite reads their numbers like those of records.
    private var writtenHeader: Int64?, foundHeader: Int64?
    /// The start of the name of a super-journal.
    private var nameStart: Int64?

    @unsafe
    init(_ below: UnsafeMutablePointer<sqlite3_file>, _ cipher: FileBlockCipher) {
        self.cipher = cipher
        unsafe super.init(below)
    }

    // MARK: - Reading

    @unsafe
    override func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        switch count {
        case JournalFile.numberSize: return unsafe readNumber(target, at: offset)
        case PageCipher.pageSize:
            return unsafe readPart(target, count, of: offset - Int64(JournalFile.numberSize), offset)
        default:
            // The magic number of a header, or a part of a name.
            foundHeader = offset % JournalFile.sectorSize == 0 ? offset : nil
            return unsafe readBelow(target, count, at: offset)
        }
    }

    /// Reads a number of a header, of a record, or at the end of a name.
    @unsafe
    private func readNumber(_ target: UnsafeMutablePointer<UInt8>, at offset: Int64) -> Int32 {
        if let readRecord, offset == readRecord + Int64(JournalFile.checksumStart) {
            return unsafe readPart(target, JournalFile.numberSize, of: readRecord, offset)
        }
        if isInHeader(offset) { return unsafe readBelow(target, JournalFile.numberSize, at: offset) }
        var end: Int64 = 0
        let status = sizeBelow(&end)
        guard status == SQLITE_OK else { return status }
        // Bytes after the last record belong to a name.
        guard offset + Int64(JournalFile.recordSize) <= end else {
            return unsafe readBelow(target, JournalFile.numberSize, at: offset)
        }
        return unsafe readPart(target, JournalFile.numberSize, of: offset, offset)
    }

    private func isInHeader(_ offset: Int64) -> Bool {
        [writtenHeader, foundHeader].contains { start in
            start.map { $0 < offset && offset < $0 + Int64(JournalFile.headerSize) } ?? false
        }
    }

    /// Reads bytes at `offset` from the record at `start`. A record that is not authentic is a torn one and reads as
    /// zeros, which ends the journal.
    @unsafe
    private func readPart(
        _ target: UnsafeMutablePointer<UInt8>, _ count: Int, of start: Int64, _ offset: Int64
    ) -> Int32 {
        if readRecord != start {
            readRecord = nil
            begun = nil
            let status = unsafe readBelow(block.start, JournalFile.recordSize, at: start)
            guard status == SQLITE_OK else {
                unsafe memset(target, 0, count)
                return status
            }
            _ = unsafe cipher.open(
                block.start, into: record.start, count: JournalFile.textSize, number: UInt64(bitPattern: start))
            // The checksum goes back behind the reserved bytes.
            let checksum = unsafe record.start + JournalFile.checksumStart
            let moved = unsafe record.start + JournalFile.numberSize + JournalFile.pageTextSize
            unsafe checksum.update(from: moved, count: JournalFile.numberSize)
            unsafe memset(moved, 0, PageCipher.reservedSize)
            readRecord = start
        }
        unsafe target.update(from: record.start + Int(offset - start), count: count)
        return SQLITE_OK
    }

    // MARK: - Writing

    @unsafe
    override func write(_ source: UnsafePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        readRecord = nil
        let bytes = unsafe UnsafeRawBufferPointer(start: source, count: count)
        if let nameStart, offset > nameStart { return unsafe writeBelow(source, count, at: offset) }
        if let begun, offset == begun.offset + Int64(begun.count) {
            switch (begun.count, count) {
            case (JournalFile.numberSize, PageCipher.pageSize):
                guard unsafe hasFreeReserve(source) else { return SQLiteIOError.write }
                unsafe record.start.advanced(by: begun.count).update(from: source, count: JournalFile.pageTextSize)
                self.begun = (begun.offset, JournalFile.checksumStart)
                return SQLITE_OK
            case (JournalFile.checksumStart, JournalFile.numberSize):
                self.begun = nil
                return unsafe writeRecord(checksum: source, at: begun.offset)
            default: break
            }
        }
        begun = nil
        if count == JournalFile.numberSize {
            let number = unsafe UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
            if number == JournalFile.namePage {
                nameStart = offset
                return unsafe writeBelow(source, count, at: offset)
            }
            unsafe record.start.update(from: source, count: count)
            begun = (offset, count)
            return SQLITE_OK
        }
        return unsafe writeHeader(bytes, at: offset)
    }

    /// Writes the completed record.
    @unsafe
    private func writeRecord(checksum: UnsafePointer<UInt8>, at offset: Int64) -> Int32 {
        let end = JournalFile.textSize - JournalFile.numberSize
        unsafe record.start.advanced(by: end).update(from: checksum, count: JournalFile.numberSize)
        let text = unsafe UnsafeRawBufferPointer(rebasing: record.bytes[..<JournalFile.textSize])
        unsafe cipher.seal(text, into: block.start, number: UInt64(bitPattern: offset))
        return unsafe writeBelow(block.start, JournalFile.recordSize, at: offset)
    }

    /// Writes a header, its variable part, or zeros over it. Other content must not be on the disk in plain text.
    @unsafe
    private func writeHeader(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
        guard offset % JournalFile.sectorSize == 0,
            unsafe bytes.dropFirst(JournalFile.headerSize).allSatisfy({ $0 == 0 }),
            let start = bytes.baseAddress
        else { return SQLiteIOError.write }
        if bytes.count >= JournalFile.headerSize {
            writtenHeader = offset
            foundHeader = nil
            nameStart = nil
        }
        return unsafe writeBelow(start.assumingMemoryBound(to: UInt8.self), bytes.count, at: offset)
    }

    override func truncate(to size: Int64) -> Int32 {
        readRecord = nil
        begun = nil
        return truncateBelow(to: size)
    }
}
