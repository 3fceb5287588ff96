import Agent
import Store
import SystemIO

/// What there is to know about the files of a store.
public struct StoreFacts: Hashable, Sendable {
    /// One of the databases.
    public struct Part: Hashable, Sendable {
        public let path: String
        /// In bytes: the file and its log.
        public let size: Int
        public let pages: Int
        /// Pages that hold nothing, and would be gone after compacting.
        public let freePages: Int
        /// The last step of the schema, and the last one that this program knows.
        public let schema: Int
        public let knownSchema: Int
        /// Tables with the number of their rows that do not belong to a hidden profile, those with any.
        public let counts: [Count]
    }

    /// What a table holds.
    public struct Count: Hashable, Sendable {
        public let table: String
        public let rows: Int
    }

    /// The chat database first.
    public let parts: [Part]
    /// The received and kept files.
    public let files: FileSpace
    /// The encrypted files that are on their way to relays or from them.
    public let transfers: FileSpace

    /// Looks at a store. Others may use it meanwhile.
    public init(of folder: StoreFolder, key: OpenedKey?) throws(ChatError) {
        do {
            let chat = try Database(folder.chatDatabase, .readOnly, key: key?.key)
            let hidden = try VisibleRows.hiddenProfiles(in: chat)
            var parts = [
                try Part(
                    folder.chatDatabase, chat, hidden: hidden, knownSchema: ChatSchema.migrations.last?.number ?? 0)
            ]
            if Files.exists(folder.agentDatabase) {
                let agent = try Database(folder.agentDatabase, .readOnly, key: key?.key)
                parts.append(
                    try Part(
                        folder.agentDatabase, agent, hidden: hidden,
                        knownSchema: AgentSchema.migrations.last?.number ?? 0))
            }
            self.parts = parts
            files = try FileSpace(of: folder.files)
            transfers = try FileSpace(of: folder.transfers)
        } catch {
            throw ChatError(error)
        }
    }
}

extension StoreFacts.Part {
    fileprivate init(_ path: String, _ database: Database, hidden: Set<Int64>, knownSchema: Int) throws {
        func number(_ sql: String) throws -> Int {
            try database.first(sql) { row throws(StoreError) in try row.int() } ?? 0
        }
        self.path = path
        size = try [path, path + "-wal"].filter(Files.exists).map { try Files.status($0).size }.reduce(0, +)
        pages = try number("PRAGMA page_count")
        freePages = try number("PRAGMA freelist_count")
        schema = try database.takenSteps().last?.number ?? 0
        self.knownSchema = knownSchema
        counts = try VisibleRows(database, hidden: hidden).counts()
    }
}
