public import SystemIO

/// The folder of a store: two databases and a lock.
public struct StoreFolder: Hashable, Sendable {
    public let path: String

    /// The folder for a path that the official program puts before the names of its databases: the path itself if it is a folder
    /// with a store, or else `PREFIX.tacit`.
    public init(prefix: String) {
        let own = StoreFolder(prefix)
        self = own.exists ? own : StoreFolder(prefix + ".tacit")
    }

    public init(_ path: String) {
        self.path = path
    }

    var chatDatabase: String { path + "/simplex_v1_chat.db" }
    var agentDatabase: String { path + "/simplex_v1_agent.db" }
    /// The encrypted files that are being sent and received.
    var transfers: String { path + "/transfers" }
    /// Both databases, the agent's first.
    var databases: [String] { [agentDatabase, chatDatabase] }
    /// What the one writer holds.
    public var lock: String { path + "/lock" }
    /// Is there while somebody tries whether something can be written.
    private var trial: String { path + "/trial" }
    /// Which event was being handled when a process ended by a fault.
    var crashNote: String { path + "/crash" }
    /// Is there while the databases are being replaced by others.
    var conversionNote: String { path + "/conversion" }

    /// Whether there is a store.
    public var exists: Bool { Files.exists(chatDatabase) }

    /// What tells the store apart from any other that comes to stand in its place; nil if there is none.
    public var identity: FileStatus? { try? Files.status(chatDatabase) }

    /// Whether there is room for more than a few messages, and they could be written. It is tried, since neither quotas nor
    /// limits can be asked for.
    public var canBeWritten: Bool {
        try? Files.remove(trial)
        defer { try? Files.remove(trial) }
        return (try? Files.create(trial, [UInt8](repeating: 0, count: StoreFolder.trialSize))) != nil
    }

    /// In bytes.
    private static let trialSize = 1 << 20

    /// The copy of a database that is kept when its schema changes.
    static func backup(of database: String) -> String { database + ".bak" }

    /// Makes sure that neither database is an empty file, which SQLite would take for one without tables, and fill. Nothing
    /// leaves one behind that makes a store: the databases get their names when they are whole.
    ///
    /// - Throws: ``DatabaseProblem/damaged``.
    func checkNotEmpty() throws(ChatError) {
        for path in databases where (try? Files.status(path))?.size == 0 { throw .database(.damaged) }
    }

    /// Makes the folder, for this user only.
    public func create() throws(SystemError) {
        try Files.createFolder(path)
    }

    /// Whether an encryption was cut off between the two databases.
    public var hasUnfinishedChange: Bool { Files.exists(conversionNote) }

    /// Finishes a change of the key, or of the encryption, that was cut off. Cheap if there is none. The caller holds the
    /// ``StoreLock``.
    ///
    /// - Returns: Whether something was changed, so that what was read of the store before is void.
    public func finishChanges() throws(ChatError) -> Bool {
        do {
            let isConverted = try StoreConversion.finish(self)
            return try KeyChange.finish(self) || isConverted
        } catch {
            throw ChatError(error)
        }
    }

    /// Removes the copies of an upgrade, whole or not: they are in clear, or open with a key that is not to open anything any
    /// more.
    func removeBackups() throws(SystemError) {
        for path in databases.map(StoreFolder.backup) {
            for suffix in ["", ".new", ".new-journal"] where Files.exists(path + suffix) {
                try Files.remove(path + suffix)
            }
        }
    }
}
