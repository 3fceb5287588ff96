public import SystemIO

extension StoreFolder {
    /// The names in an archive, which are those of the official apps.
    enum ArchiveName {
        static let chatDatabase = "simplex_v1_chat.db"
        static let agentDatabase = "simplex_v1_agent.db"
        static let files = "simplex_v1_files"
        static let wallpapers = ["simplex_v1_assets", "wallpapers"]
    }

    /// What was sent and received as files.
    public var files: String { path + "/files" }
    /// What says that a replacement was decided and is not complete yet: see ``StoreReplacement``.
    var replacement: String { path + "/replacement" }
    /// Stores that were replaced.
    var backups: String { path + "/backups" }

    /// The names of everything that every store has.
    static let parts = [ArchiveName.chatDatabase, ArchiveName.agentDatabase, "files"]
    /// The names of what is beside the databases now and then: what SQLite puts there while they are open, and what was
    /// kept when they were upgraded.
    static let logs = [ArchiveName.chatDatabase, ArchiveName.agentDatabase].flatMap { name in
        ["-wal", "-shm", ".bak"].map { name + $0 }
    }

    /// Whether a file is one of the store's own: by whatever path, its name is one of theirs and its folder is this one.
    public func contains(_ path: String) throws(SystemError) -> Bool {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard (StoreFolder.parts + StoreFolder.logs + ["lock", "replacement"]).contains(name) else { return false }
        return try Files.status(parent).isSameFile(as: try Files.status(self.path))
    }
}
