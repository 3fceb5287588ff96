internal import CSQLite
internal import Glibc
internal import Synchronization

/// The memory in which SQLite caches pages of large encrypted databases.
///
/// It consists of huge pages of the system, if there are any: for a thousand pages of a database the process gets two or three of
/// these, and not a thousand small ones, which takes a third of the time of decrypting them. Pages that find no room here are in
/// other memory.
enum PageMemory {
    /// The size of the memory in bytes, which holds about 1,900 pages. What was used once stays with the process.
    private static let size = 8 << 20
    /// The size of a huge page in bytes.
    private static let hugePage = 2 << 20
    /// The size of a database in bytes below which few pages are read: a huge page takes longer than these.
    private static let leastDatabase: off_t = 4 << 20

    private static let isPrepared = Mutex(false)

    /// Gives SQLite the memory, once, if a database is large and SQLite is not in use yet.
    static func prepare(for path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_size >= leastDatabase else { return }
        isPrepared.withLock { isPrepared in
            if !isPrepared { give() }
            isPrepared = true
        }
    }

    private static func give() {
        let overhead = Int(tacit_page_overhead())
        // SQLite keeps its own values behind each page, aligned to eight bytes.
        let slot = (PageCipher.pageSize + overhead + 7) / 8 * 8
        guard overhead > 0,
            let mapped = unsafe mmap(
                nil, size + hugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            unsafe mapped != MAP_FAILED
        else { return }
        let start = unsafe mapped.alignedUp(toMultipleOf: hugePage)
        unsafe madvise(start, size, MADV_HUGEPAGE)
        if unsafe tacit_set_page_memory(start, Int32(slot), Int32(size / slot)) != SQLITE_OK {
            unsafe munmap(mapped, size + hugePage)
        }
    }
}
