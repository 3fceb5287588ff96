public import SystemIO

/// The folder of a store: two databases and a lock.
public struct StoreFolder: Hashable, Sendable {
    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    var chatDatabase: String { path + "/simplex_v1_chat.db" }
    var agentDatabase: String { path + "/simplex_v1_agent.db" }
    /// Both databases, the agent's first.
    var databases: [String] { [agentDatabase, chatDatabase] }
    /// What the one writer holds.
    public var lock: String { path + "/lock" }

    /// Whether there is a store.
    public var exists: Bool { Files.exists(chatDatabase) }

    /// The copy of a database that is kept when its schema changes.
    static func backup(of database: String) -> String { database + ".bak" }

    /// Makes the folder, for this user only.
    public func create() throws(SystemError) {
        try Files.createFolder(path)
    }
}
