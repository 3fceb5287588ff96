public import ByteCoding
public import SMPProtocol
import Store
public import SystemIO

/// What a relay is and holds, seen from beside: its files are read, and the process that serves them is not asked and
/// does not wait.
public struct RelayState: Sendable {
    public let address: ConfiguredServer
    /// Whether a process serves the relay, and what it calls itself.
    public let holder: Holder?
    /// What the relay wrote down last; nil for one that has never run.
    public let activity: RelayActivity?
    public let contents: Contents
    /// The free bytes of the disk; nil if nobody knows.
    public let freeSpace: Int?
    /// The free bytes below which new queues and messages are refused.
    public let reserve: Int
    /// What the operator should look after.
    public let problems: [Problem]

    /// Something that keeps a relay from its work.
    public enum Problem: String, CaseIterable, Hashable, Sendable {
        /// No process serves it.
        case stopped
        /// The process has written down nothing for five minutes: it hangs, or cannot write.
        case silent
        /// Less of the disk is free than the reserve.
        case disk
        /// A limit of the store is reached.
        case queues, messages, size
    }

    /// After what time without a word from the process it counts as silent.
    private static let silence = Duration.seconds(300)

    /// The process that serves a relay.
    public struct Holder: Hashable, Sendable {
        /// Its number, if it has left one.
        public let processID: Int?
    }

    /// What is in the database.
    public struct Contents: Hashable, Sendable {
        public var queues = 0
        /// Queues that somebody used today, in the last 7 and in the last 30 days.
        public var usedToday = 0
        public var usedThisWeek = 0
        public var usedThisMonth = 0
        /// Messages that wait for their recipients.
        public var messages = 0
        /// With the markers of full queues.
        var allMessages = 0
        /// The places of received messages that new ones can take.
        var freeSlots = 0
        /// The bytes of the database that are in use.
        public internal(set) var used = 0
        /// The size of the database in bytes, with its log.
        public var size = 0
    }

    /// Looks at the relay in a folder.
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
        // A port that the system chose is known to a relay at work only.
        let port = settings.port == 0 && holder != nil ? activity?.port ?? 0 : settings.port
        address = ConfiguredServer(
            address: settings.address(port: port, fingerprint: fingerprint), password: settings.password)
        do throws(StoreError) {
            contents = try Contents("\(path)/\(RelayFolder.Name.database)", today: now.seconds / 86_400)
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
        // Without a reserve too: a disk with less than 1 MB free is full.
        if let freeSpace, freeSpace < max(reserve, 1 << 20) { problems.append(.disk) }
        if contents.queues >= settings.queueLimit { problems.append(.queues) }
        if contents.allMessages >= settings.messageLimit { problems.append(.messages) }
        if settings.storeMegabytes > 0, contents.used + Cost.message > settings.storeMegabytes << 20,
            contents.freeSlots == 0
        {
            problems.append(.size)
        }
        self.problems = problems
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
                // There is no log while nobody writes.
                guard error.condition == .missing else { throw StoreError(.disk) }
            }
        }
    }
}
