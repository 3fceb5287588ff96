public import ByteCoding
import Store
public import SystemIO

/// The state of a relay, read from its files without the process that serves it.
public struct RelayState: Sendable {
    /// The addresses and the password.
    public let address: RelayAddresses
    /// The process that serves the relay; nil for none.
    public let holder: Holder?
    /// The last activity record; nil for a relay that has never run.
    public let activity: RelayActivity?
    /// The contents of the database.
    public let contents: Contents
    /// The stored files; nil if the relay has never served any.
    public let files: FileContents?
    /// The free bytes of the disk; nil if unknown.
    public let freeSpace: Int?
    /// The free bytes below which new queues and messages are rejected.
    public let reserve: Int
    /// The problems for the operator.
    public let problems: [Problem]

    /// A problem that affects the service.
    public enum Problem: String, CaseIterable, Hashable, Sendable {
        /// No process serves the relay.
        case stopped
        /// There was no activity record for five minutes: the process hangs, or cannot write.
        case silent
        /// The disk has less free space than the reserve.
        case disk
        /// A limit of the store is reached.
        case queues, messages, size
        /// The limit of files is reached.
        case files
    }

    /// The age of an activity record that counts as silence.
    private static let silence = Duration.seconds(300)

    /// The process that serves a relay.
    public struct Holder: Hashable, Sendable {
        /// The number of the process, if known.
        public let processID: Int?
    }

    /// The contents of the database.
    public struct Contents: Hashable, Sendable {
        /// The number of queues.
        public var queues = 0
        /// The number of queues used today.
        public var usedToday = 0
        /// The number of queues used in the last 7 days.
        public var usedThisWeek = 0
        /// The number of queues used in the last 30 days.
        public var usedThisMonth = 0
        /// The number of stored messages.
        public var messages = 0
        /// The number including the markers of full queues.
        var allMessages = 0
        /// The number of free slots for messages.
        var freeSlots = 0
        /// The used part of the database in bytes.
        public internal(set) var used = 0
        /// The size of the database with its log in bytes.
        public var size = 0
    }

    /// The stored chunks of files.
    public struct FileContents: Hashable, Sendable {
        /// The number of uploaded chunks.
        public let chunks: Int
        /// The bytes of uploaded chunks.
        public let bytes: Int
        /// The number of chunks that were announced but not uploaded.
        public let announced: Int
    }

    /// Reads the state of the relay in a folder.
    ///
    /// - Throws: ``RelayError``.
    public init(
        of path: String, now: Timestamp = Timestamp(milliseconds: SystemClock.milliseconds())
    ) throws(RelayError) {
        let (settings, fingerprint) = try RelayFolder.settings(in: path)
        holder = FileLock.holder(of: "\(path)/\(RelayFolder.Name.lock)").map { note in
            Holder(processID: Int(String(decoding: note.filter { $0 > 0x20 }, as: UTF8.self)))
        }
        do throws(SystemError) {
            activity = try RelayActivity.read("\(path)/\(RelayFolder.Name.activity)")
        } catch {
            throw .system(error)
        }
        // Only a running relay knows a port chosen by the system.
        let port = settings.port == 0 && holder != nil ? activity?.port ?? 0 : settings.port
        let filePort = settings.filePort == 0 && holder != nil ? activity?.filePort : settings.filePort
        address = RelayAddresses(settings, port: port, filePort: filePort, fingerprint: fingerprint)
        do throws(StoreError) {
            contents = try Contents("\(path)/\(RelayFolder.Name.database)", today: now.seconds / 86_400)
            files = try FileContents("\(path)/\(RelayFolder.Name.files)")
        } catch {
            throw .store(error)
        }
        freeSpace = try? Files.freeSpace(at: path)
        reserve = settings.reserveMegabytes << 20
        var problems: [Problem] = []
        if holder == nil {
            problems.append(.stopped)
        } else if let activity, activity.written + RelayState.silence < now {
            problems.append(.silent)
        }
        // Even without a reserve, a disk with less than 1 MB free is full.
        if let freeSpace, freeSpace < max(reserve, 1 << 20) { problems.append(.disk) }
        if contents.queues >= settings.queueLimit { problems.append(.queues) }
        if contents.allMessages >= settings.messageLimit { problems.append(.messages) }
        if settings.storeMegabytes > 0, contents.used + Cost.message > settings.storeMegabytes << 20,
            contents.freeSlots == 0
        {
            problems.append(.size)
        }
        // Even the smallest chunk has no room.
        if settings.filePort != nil, let files, files.bytes + (64 << 10) > settings.fileMegabytes << 20 {
            problems.append(.files)
        }
        self.problems = problems
    }
}

extension RelayState.FileContents {
    /// Reads the database of files; nil if it does not exist.
    fileprivate init?(_ path: String) throws(StoreError) {
        guard Files.exists(path) else { return nil }
        let database = try Database(path, .readOnly)
        func count(_ sql: String) throws(StoreError) -> Int { Int(clamping: try database.number(sql) ?? 0) }
        chunks = try count("SELECT count(*) FROM chunks WHERE is_stored")
        bytes = try count("SELECT ifnull(sum(size), 0) FROM chunks WHERE is_stored")
        announced = try count("SELECT count(*) FROM chunks WHERE NOT is_stored")
    }
}

extension RelayState.Contents {
    fileprivate init(_ path: String, today: Int64) throws(StoreError) {
        guard Files.exists(path) else { return }
        let database = try Database(path, .readOnly)
        func count(_ sql: String, _ value: Int64? = nil) throws(StoreError) -> Int {
            let read = { (row: inout Row) throws(StoreError) in try row.int() }
            if let value { return try database.first(sql, value, read: read) ?? 0 }
            return try database.first(sql, read: read) ?? 0
        }
        queues = try count("SELECT count(*) FROM queues")
        usedToday = try count("SELECT count(*) FROM queues WHERE last_used >= ?", today)
        usedThisWeek = try count("SELECT count(*) FROM queues WHERE last_used > ?", today - 7)
        usedThisMonth = try count("SELECT count(*) FROM queues WHERE last_used > ?", today - 30)
        messages = try count("SELECT count(*) FROM messages WHERE NOT is_quota")
        allMessages = try count("SELECT count(*) FROM messages")
        freeSlots = try count("SELECT ifnull(max(slot), 0) FROM bodies") - allMessages
        let pages = try count("PRAGMA page_count"), free = try count("PRAGMA freelist_count")
        used = try (pages - free) * count("PRAGMA page_size")
        for file in [path, path + "-wal"] {
            do throws(SystemError) {
                size += try Files.status(file).size
            } catch {
                // There is no log without a writer.
                guard error.condition == .missing else { throw StoreError(.disk) }
            }
        }
    }
}
