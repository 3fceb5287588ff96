import Store
import Synchronization
import SystemIO

/// The relay's SQLite file and the transaction of the current turn.
///
/// All writes of a turn of the event loop are one transaction, which the first of them begins and ``commit()`` ends
/// before the answers of the turn leave. With 100 connections that each wait for an answer a turn holds dozens of
/// commands, and the cost of a transaction (15 µs) is shared by them.
final class RelayStore {
    /// The file, for reading. Reads see the writes of the current turn.
    let database: Database
    private var hasTransaction = false
    /// How many pages the write-ahead log holds, at most.
    private var logPages = 0
    /// How many statements have written so far. A command that failed before its first write has left nothing behind.
    private(set) var writeCount = 0

    private let path: String
    /// How much of the disk stays free.
    var reserve: StorageReserve
    /// How large the file may become, in bytes.
    var sizeLimit = Int.max
    /// At least what is used of it: what was used at some time, and all that was allowed since. Nil until it is needed.
    private var usedBound: Int?
    /// True if the bound was looked up in this turn.
    private var isBoundNew = false
    /// How large the file may become, in pages; nil for as large as the disk allows.
    private let pageLimit: Int?
    private var checkpoint: LogCheckpoint?

    /// After how many pages of 4 KB the log is copied into the file.
    ///
    /// A checkpoint costs as much as a few dozen messages, so it should be rare. The log is written over from its start
    /// after it, so that it should come before the log has grown out of the processor's and the system's caches.
    private let checkpointPages: Int

    /// Opens or creates the file.
    ///
    /// - Parameters:
    ///   - pageLimit: How many pages the file has at most.
    ///   - fullAt: At how many pages it could not grow before.
    init(
        _ path: String, durability: Database.Durability, exists: Bool, pageLimit: Int? = nil, fullAt: Int? = nil,
        reserve: StorageReserve, checkpointPages: Int
    ) throws {
        self.path = path
        self.checkpointPages = checkpointPages
        self.reserve = reserve
        self.pageLimit = fullAt ?? (reserve.isOff ? nil : pageLimit)
        let database = try Database(path, exists ? .readWrite : .create, durability: durability)
        try database.execute(script: "PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=-2000;")
        if !exists {
            // Needs an empty file; later a VACUUM of everything.
            try database.execute(script: "PRAGMA auto_vacuum=INCREMENTAL; VACUUM;")
        }
        if let pageLimit { try database.execute(script: "PRAGMA max_page_count=\(pageLimit)") }
        try database.migrate(RelaySchema.migrations)
        self.database = database
    }

    /// The file, for writing in the transaction of the turn.
    func writing() throws(StoreError) -> Database {
        if !hasTransaction {
            try database.begin()
            hasTransaction = true
        }
        writeCount += 1
        return database
    }

    /// Makes the writes of the turn last. After an error none of them has happened.
    func commit() throws(StoreError) {
        reserve.beginTurn()
        isBoundNew = false
        guard hasTransaction else { return }
        hasTransaction = false
        try database.commit()
        logPages += database.takePagesWritten()
    }

    // MARK: - Space

    /// True if a command may write up to `bytes` more, which are counted for this turn.
    func hasSpace(_ bytes: Int, for purpose: StorageReserve.Purpose) throws(StoreError) -> Bool {
        reserve.take(bytes, for: purpose, limit: try pageRoom())
    }

    /// How many bytes the file can still grow, where something other than the disk limits it.
    private func pageRoom() throws(StoreError) -> (free: Int, total: Int)? {
        guard let pageLimit else { return nil }
        return (pageLimit * RelayStore.pageSize - (try usedSize()), pageLimit * RelayStore.pageSize)
    }

    /// True if the disk had space for `bytes` more in a turn of its own.
    func couldGrow(_ bytes: Int) throws(StoreError) -> Bool {
        // Between turns nothing is taken from anybody.
        var copy = reserve
        copy.beginTurn()
        return try copy.take(bytes, for: .growth, limit: pageRoom())
    }

    /// True if the file may grow by `bytes` below its limit, which are counted for this turn.
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

    /// How many bytes of the file are in use, those of this turn included.
    func usedSize() throws(StoreError) -> Int {
        let free = Int(try database.number("PRAGMA freelist_count") ?? 0)
        return (try pageCount() - free) * RelayStore.pageSize
    }

    /// How many pages the file has, those of this turn included.
    func pageCount() throws(StoreError) -> Int {
        Int(try database.number("PRAGMA page_count") ?? 0)
    }

    private static let pageSize = 4096

    /// Forgets the writes of the turn.
    func rollback() {
        hasTransaction = false
        database.rollback()
    }

    /// Has the log copied into the file if it has become long. Between turns only.
    ///
    /// - Throws: If the disk fails.
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

    /// Ends a checkpoint. A reader or a full disk has only put it off: the log holds everything until the next one.
    private static func finish(_ checkpoint: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try checkpoint()
        } catch {
            guard error.code == .busy || error.code == .diskFull else { throw error }
        }
    }
}

extension Database {
    /// The number that a query finds; nil for none and for NULL.
    func number(_ sql: String) throws(StoreError) -> Int64? {
        try first(sql) { row throws(StoreError) in
            try row.optional { row throws(StoreError) in try row.int64() }
        } ?? nil
    }
}

/// How much the relay may write, so that its disk never becomes so full that it cannot be emptied.
///
/// Below the reserve nothing that grows the database is written; below half of it nothing is rewritten in place, which needs room
/// in the log; below a sixteenth nothing is written. Between these the relay can be emptied: ACK, DEL, OFF.
struct StorageReserve {
    /// What is to be written.
    enum Purpose {
        /// The file may grow.
        case growth
        /// The file stays as large as it is.
        case rewriting
        /// Something is removed.
        case removal
    }

    /// The reserve in bytes.
    var size: Int
    /// The free bytes of the disk.
    private let freeSpace: () -> Int
    /// What is left in this turn; nil until it is needed.
    private var left: Int?

    init(size: Int, freeSpace: @escaping () -> Int) {
        self.size = size
        self.freeSpace = freeSpace
    }

    /// True if everything may be written.
    var isOff: Bool { size == 0 }

    /// Begins a new turn, in which the free space is looked up again.
    mutating func beginTurn() {
        left = nil
    }

    /// Takes `bytes` for a purpose; false if they must not be written.
    ///
    /// - Parameter limit: How many bytes the file can still grow, where something other than the disk limits it.
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

/// Copies the write-ahead log into the database file on a thread of its own, through a second connection, because it waits
/// for the disk: 10 ms on a good one, ten times that on another.
///
/// It copies what the log holds when it begins. What is written meanwhile stays in the log, which therefore does not end
/// before the owner of the database has made a checkpoint too; that one has little to do.
final class LogCheckpoint: Sendable {
    private let state = Mutex<Result<Void, StoreError>?>(nil)

    /// Begins on another thread.
    init(of path: String) {
        WorkerThread.start { [self] in
            let outcome = Result { () throws(StoreError) in
                try Database(path, .readWrite, durability: .process).checkpoint()
            }
            state.withLock { $0 = outcome }
        }
    }

    /// How it ended; nil before.
    var outcome: Result<Void, StoreError>? { state.withLock { $0 } }
}
