internal import CSQLite
internal import Glibc

/// The database file: a header, then pages.
@safe
final class MainFile: OpenFile {
    let ciphers: FileCiphers
    private let page = Scratch(PageCipher.pageSize)
    private static let textSize = PageCipher.pageSize - PageCipher.reservedSize

    /// The number of attempts to read a page before it counts as damaged: another process may be writing it.
    private static let attempts = 5

    @unsafe
    init(_ below: UnsafeMutablePointer<sqlite3_file>, _ ciphers: FileCiphers) {
        self.ciphers = ciphers
        unsafe super.init(below)
    }

    // MARK: - Reading

    @unsafe
    override func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        if count == PageCipher.pageSize, offset % Int64(PageCipher.pageSize) == 0 {
            return unsafe readPage(into: target, Int(offset) / PageCipher.pageSize)
        }
        if offset == 0, count < PageCipher.pageSize { return unsafe readStart(into: target, count) }
        // SQLite also reads the 16 bytes at offset 24, which change with every transaction.
        let start = Int(offset) % PageCipher.pageSize
        guard start + count <= PageCipher.pageSize else { return SQLiteIOError.read }
        let status = unsafe readPage(into: page.start, Int(offset) / PageCipher.pageSize)
        unsafe target.update(from: page.start + start, count: count)
        return status
    }

    /// Reads the page `index` + 1 in SQLite's numbering.
    @unsafe
    private func readPage(into target: UnsafeMutablePointer<UInt8>, _ index: Int) -> Int32 {
        let offset = Int64(FileHeader.size + index * PageCipher.pageSize)
        let status = unsafe readBelow(target, PageCipher.pageSize, at: offset)
        guard status == SQLITE_OK else {
            guard status == SQLiteIOError.shortRead else { return status }
            // A missing page reads as zeros; a part of a page is damage.
            var end: Int64 = 0
            guard sizeBelow(&end) == SQLITE_OK, end > offset else { return status }
            unsafe memset(target, 0, PageCipher.pageSize)
            return SQLiteIOError.data
        }
        let isAuthentic = unsafe ciphers.pages.open(
            target, into: target, count: MainFile.textSize, number: UInt64(index + 1))
        unsafe memset(target + MainFile.textSize, 0, PageCipher.reservedSize)
        return isAuthentic ? SQLITE_OK : SQLiteIOError.data
    }

    /// Returns the start of a database as SQLite reads it before locking: the sizes of pages and of their reserved
    /// part.
    ///
    /// The values are synthetic, because the page may be torn: another process may be writing it, or a journal may have
    /// to be rolled back after a crash. With the lock, SQLite reads the page itself.
    @unsafe
    private func readStart(into target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
        var end: Int64 = 0
        let status = size(&end)
        unsafe memset(target, 0, count)
        guard status == SQLITE_OK else { return status }
        // Without any page, SQLite chooses the sizes and gets them through `SQLITE_FCNTL_RESERVE_BYTES`.
        guard end > 0 else { return SQLiteIOError.shortRead }
        if count > MainFile.reservedSizePlace {
            unsafe target[MainFile.pageSizePlace] = UInt8(PageCipher.pageSize >> 8)
            unsafe target[MainFile.reservedSizePlace] = UInt8(PageCipher.reservedSize)
        }
        return SQLITE_OK
    }

    /// The offsets of the page size (two bytes, big-endian) and the reserved size (sqlite.org/fileformat2.html).
    private static let pageSizePlace = 16, reservedSizePlace = 20

    /// Returns the numbers of the damaged pages.
    func damagedPages(progress: (_ done: Int, _ all: Int) -> Void) -> (status: Int32, pages: [Int]) {
        var end: Int64 = 0
        let status = size(&end)
        guard status == SQLITE_OK else { return (status, []) }
        let count = (Int(end) + PageCipher.pageSize - 1) / PageCipher.pageSize
        var damaged: [Int] = []
        for index in 0..<count {
            var status = SQLiteIOError.data, attempt = 0
            while status == SQLiteIOError.data, attempt < MainFile.attempts {
                if attempt > 0 { usleep(1000) }
                status = unsafe readPage(into: page.start, index)
                attempt += 1
            }
            switch status {
            case SQLITE_OK, SQLiteIOError.shortRead: break
            case SQLiteIOError.data: damaged.append(index + 1)
            default: return (status, damaged)
            }
            progress(index + 1, count)
        }
        return (SQLITE_OK, damaged)
    }

    // MARK: - Writing

    @unsafe
    override func write(_ source: UnsafePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        let index = Int(offset) / PageCipher.pageSize
        guard count == PageCipher.pageSize, offset % Int64(count) == 0 else { return SQLiteIOError.write }
        if index == 0 {
            // Other sizes would leave no space for nonce and tag.
            guard unsafe source[MainFile.pageSizePlace] == UInt8(PageCipher.pageSize >> 8),
                unsafe source[MainFile.reservedSizePlace] == UInt8(PageCipher.reservedSize)
            else { return SQLiteIOError.write }
        }
        var end: Int64 = 0
        var status = size(&end)
        // SQLite does not write pages without content. They must read as zeros, but zeros on the disk would be damage.
        var missing = (Int(end) + PageCipher.pageSize - 1) / PageCipher.pageSize
        while status == SQLITE_OK, missing < index {
            unsafe memset(page.start, 0, PageCipher.pageSize)
            status = unsafe writePage(page.start, missing)
            missing += 1
        }
        return status == SQLITE_OK ? unsafe writePage(source, index) : status
    }

    @unsafe
    private func writePage(_ source: UnsafePointer<UInt8>, _ index: Int) -> Int32 {
        unsafe ciphers.pages.seal(
            UnsafeRawBufferPointer(start: source, count: MainFile.textSize), into: page.start, number: UInt64(index + 1)
        )
        return unsafe writeBelow(
            page.start, PageCipher.pageSize, at: Int64(FileHeader.size + index * PageCipher.pageSize))
    }

    override func truncate(to size: Int64) -> Int32 {
        truncateBelow(to: size + Int64(FileHeader.size))
    }

    override func size(_ size: inout Int64) -> Int32 {
        let status = sizeBelow(&size)
        size = max(0, size - Int64(FileHeader.size))
        return status
    }

    @unsafe
    override func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        switch operation {
        // Files do not grow ahead, which would leave zeros, and are not mapped, which would expose ciphertext.
        case SQLITE_FCNTL_SIZE_HINT, SQLITE_FCNTL_CHUNK_SIZE, SQLITE_FCNTL_MMAP_SIZE: SQLITE_NOTFOUND
        case SQLITE_FCNTL_PRAGMA: unsafe isPageSize(argument) ? SQLITE_OK : SQLITE_NOTFOUND
        default: unsafe controlBelow(operation, argument)
        }
    }

    /// Returns true if the argument of `SQLITE_FCNTL_PRAGMA` is the page size, which cannot be changed.
    @unsafe
    private func isPageSize(_ argument: UnsafeMutableRawPointer?) -> Bool {
        guard let texts = unsafe argument?.assumingMemoryBound(to: UnsafePointer<CChar>?.self),
            let name = unsafe texts[1]
        else { return false }
        return unsafe strcasecmp(name, "page_size") == 0 && texts[2] != nil
    }
}
