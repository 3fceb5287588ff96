import Store
import Synchronization
import SystemIO

/// The relay's SQLite file with the transaction of the current turn.
///
/// All writes of a turn are one transaction. The first write begins it, and ``commit()`` ends it before the responses
/// of the turn are sent. With 100 waiting connections a turn has dozens of commands, which share the cost of a
/// transaction (15 µs).
final class RelayStore {
    /// The file, for reading. Reads include the writes of the current turn.
    let database: Database
    private var hasTransaction = false
    /// The largest possible number of pages in the write-ahead log.
    private var logPages = 0
    /// The number of writes so far. A command that failed before its first write left no change.
    private(set) var writeCount = 0

    private let path: String
    /// The free space to keep on the disk.
    var reserve: StorageReserve
    /// The largest size of the file in bytes.
    var sizeLimit = Int.max
    /// An upper bound of the used size: an earlier used size plus all reserved bytes since. Nil until it is needed.
    private var usedBound: Int?
    /// True if the bound was computed in this turn.
    private var isBoundNew = false
    /// The largest size of the file in pages; nil for no limit.
    private let pageLimit: Int?
    private var checkpoint: LogCheckpoint?

    /// The number of log pages of 4 KB at which a checkpoint is due.
    ///
    /// A checkpoint costs as much as a few dozen messages, so it should be rare. Afterwards the log is overwritten from
    /// its start, so it should happen before the log exceeds the caches of processor and system.
    private let checkpointPages: Int

    /// Opens or creates the file.
    ///
    /// - Parameters:
    ///   - pageLimit: The largest size of the file in pages.
    ///   - fullAt: The size in pages at which the disk was full before.
    init(
        _ path: String, durability: Database.Durability, exists: Bool,
        migrations: [Migration] = RelaySchema.migrations, pageLimit: Int? = nil, fullAt: Int? = nil,
        reserve: StorageReserve, checkpointPages: Int
    ) throws {
        self.path = path
        self.checkpointPages = checkpointPages
        self.reserve = reserve
        self.pageLimit = fullAt ?? (reserve.isOff ? nil : pageLimit)
        let database = try Database(path, exists ? .readWrite : .create, durability: durability)
        try database.execute(script: "PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=-2000;")
        if !exists {
            // Requires an empty file; later a VACUUM of the whole file.
            try database.execute(script: "PRAGMA auto_vacuum=INCREMENTAL; VACUUM;")
        }
        if let pageLimit { try database.execute(script: "PRAGMA max_page_count=\(pageLimit)") }
        try database.migrate(migrations)
        self.database = database
    }

    /// Returns the file, for writing in the transaction of the turn.
    func writing() throws(StoreError) -> Database {
        if !hasTransaction {
            try database.begin()
            hasTransaction = true
        }
        writeCount += 1
        return database
    }

    /// Commits the writes of the turn. After an error all of them are rolled back.
    func commit() throws(StoreError) {
        reserve.beginTurn()
        isBoundNew = false
        guard hasTransaction else { return }
        hasTransaction = false
        try database.commit()
        logPages += database.takePagesWritten()
    }

    // MARK: - Space

    /// Returns true if a command may write up to `bytes`, which are reserved for this turn.
    func hasSpace(_ bytes: Int, for purpose: StorageReserve.Purpose) throws(StoreError) -> Bool {
        reserve.take(bytes, for: purpose, limit: try pageRoom())
    }

    /// Returns the number of bytes by which the file can grow, if a limit other than the disk applies.
    private func pageRoom() throws(StoreError) -> (free: Int, total: Int)? {
        guard let pageLimit else { return nil }
        return (pageLimit * RelayStore.pageSize - (try usedSize()), pageLimit * RelayStore.pageSize)
    }

    /// Returns true if the disk had space for `bytes` in a separate turn.
    func couldGrow(_ bytes: Int) throws(StoreError) -> Bool {
        // Between turns nothing is reserved.
        var copy = reserve
        copy.beginTurn()
        return try copy.take(bytes, for: .growth, limit: pageRoom())
    }

    /// Returns true if the file may grow by `bytes` below its limit, which are reserved for this turn.
    func hasRoom(_ bytes: Int) throws(StoreError) -> Bool {
        guard sizeLimit < .max else { return true }
        if usedBound.map({ $0 + bytes > sizeLimit }) ?? true, !isBoundNew {
            usedBound = try usedSize()
            isBoundNew = true
        }
        guard let used = usedBound, used + bytes <= sizeLimit else { return false }
        usedBound = used + bytes
        return true
    }

    /// Returns the used size of the file in bytes, including this turn.
    func usedSize() throws(StoreError) -> Int {
        let free = Int(try database.number("PRAGMA freelist_count") ?? 0)
        return (try pageCount() - free) * RelayStore.pageSize
    }

    /// Returns the size of the file in pages, including this turn.
    func pageCount() throws(StoreError) -> Int {
        Int(try database.number("PRAGMA page_count") ?? 0)
    }

    private static let pageSize = 4096

    /// Rolls back the writes of the turn.
    func rollback() {
        hasTransaction = false
        database.rollback()
    }

    /// Starts a checkpoint if the log has become long. Only between turns.
    ///
    /// - Throws: ``StoreError`` if the disk fails.
    func checkpointIfDue() throws(StoreError) {
        if let checkpoint {
            guard let outcome = checkpoint.outcome else { return }
            self.checkpoint = nil
            logPages = 0
            try RelayStore.finish { () throws(StoreError) in try outcome.get() }
            try RelayStore.finish { () throws(StoreError) in try database.checkpoint() }
        } else if logPages >= checkpointPages, path != Database.inMemory {
            checkpoint = LogCheckpoint(of: path)
        }
    }

    /// Ends a checkpoint. A reader or a full disk has only delayed it: the log has all data until the next one.
    private static func finish(_ checkpoint: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try checkpoint()
        } catch {
            guard error.code == .busy || error.code == .diskFull else { throw error }
        }
    }
}

extension Database {
    /// Returns the number of a query; nil for no row and for NULL.
    func number(_ sql: String) throws(StoreError) -> Int64? {
        try first(sql) { row throws(StoreError) in
            try row.optional { row throws(StoreError) in try row.int64() }
        } ?? nil
    }
}

/// The disk space that the relay reserves, so that a full disk can still be emptied.
///
/// Below the reserve, writes that grow the database are rejected; below half of it, writes in place too, which need
/// room in the log; below a sixteenth, all writes. Until then ACK, DEL and OFF can empty the relay.
struct StorageReserve {
    /// The purpose of a write.
    enum Purpose {
        /// Growing the file.
        case growth
        /// Rewriting within the size of the file.
        case rewriting
        /// Deleting data.
        case removal
    }

    /// The reserve in bytes.
    var size: Int
    /// Returns the free bytes of the disk.
    private let freeSpace: () -> Int
    /// The remaining bytes in this turn; nil until they are needed.
    private var left: Int?

    init(size: Int, freeSpace: @escaping () -> Int) {
        self.size = size
        self.freeSpace = freeSpace
    }

    /// True if there is no reserve.
    var isOff: Bool { size == 0 }

    /// Begins a turn, in which the free space is read again.
    mutating func beginTurn() {
        left = nil
    }

    /// Takes `bytes` for a purpose. Returns false if the write is not allowed.
    ///
    /// - Parameter limit: The number of bytes by which the file can grow, if a limit other than the disk applies.
    mutating func take(_ bytes: Int, for purpose: Purpose, limit: (free: Int, total: Int)?) -> Bool {
        let free = left ?? freeSpace()
        left = free
        guard free - bytes >= share(of: size, purpose) else { return false }
        if purpose == .growth, let limit, limit.free - bytes < min(size, limit.total / 8) { return false }
        left = free - bytes
        return true
    }

    private func share(of size: Int, _ purpose: Purpose) -> Int {
        switch purpose {
        case .growth: size
        case .rewriting: size / 2
        case .removal: size / 16
        }
    }
}

/// A checkpoint of the write-ahead log on a separate thread, through a second connection, because it waits for the
/// disk: 10 ms on a fast one, ten times that on a slow one.
///
/// It copies the log as of its start. Concurrent writes stay in the log, which therefore is reset only by a later
/// checkpoint of the database's owner; that one has little left to do.
final class LogCheckpoint: Sendable {
    private let state = Mutex<Result<Void, StoreError>?>(nil)

    /// Starts on another thread.
    init(of path: String) {
        WorkerThread.start { [self] in
            let outcome = Result { () throws(StoreError) in
                try Database(path, .readWrite, durability: .process).checkpoint()
            }
            state.withLock { $0 = outcome }
        }
    }

    /// The result; nil until the end.
    var outcome: Result<Void, StoreError>? { state.withLock { $0 } }
}
