import Agent
import Archive
import ByteCoding
import Glibc
import Store
import SystemIO

/// The store that an archive holds, while it is checked and unpacked.
///
/// SECURITY: an archive may come from anybody. Its list was checked by ``ArchiveReader``; here its entries must be those of
/// a store, its databases must have the tables of this program and nothing that would run by itself, and both must be of
/// one moment.
package struct StagedStore {
    private let reader: ArchiveReader<ArchiveFile>
    private let chatDatabase: ArchiveEntry
    private let agentDatabase: ArchiveEntry
    private let files: [(name: String, entry: ArchiveEntry)]
    /// The pictures behind chats, which only the official apps have.
    let wallpaperCount: Int

    /// Reads the list of an archive.
    init(_ source: ArchiveFile) throws {
        reader = try ArchiveReader(source)
        var databases: [String: ArchiveEntry] = [:], files: [(String, ArchiveEntry)] = [], wallpapers = 0
        for entry in reader.entries {
            let components = entry.name.text.split(separator: "/").map(String.init)
            switch (components.count, entry.isFolder) {
            case (1, true) where components == [StoreFolder.ArchiveName.files]: break
            case (2, false) where components[0] == StoreFolder.ArchiveName.files: files.append((components[1], entry))
            case (1...2, true) where StoreFolder.ArchiveName.wallpapers.starts(with: components): break
            case (3, false) where components.starts(with: StoreFolder.ArchiveName.wallpapers): wallpapers += 1
            case (1, false): databases[components[0]] = entry
            default: throw TransferError.layout(.strange)
            }
        }
        guard let chat = databases.removeValue(forKey: StoreFolder.ArchiveName.chatDatabase),
            let agent = databases.removeValue(forKey: StoreFolder.ArchiveName.agentDatabase)
        else { throw TransferError.layout(.noDatabase) }
        guard databases.isEmpty else { throw TransferError.layout(.strange) }
        chatDatabase = chat
        agentDatabase = agent
        self.files = files
        wallpaperCount = wallpapers
    }

    var fileCount: Int { files.count }
    var fileNames: Set<String> { Set(files.map(\.name)) }

    /// The size of all contents in bytes.
    var size: Int { reader.entries.reduce(0) { $0 + $1.size } }

    // MARK: - Unpacking

    /// Unpacks both databases into a new folder.
    func unpackDatabases(into folder: StoreFolder, _ progress: (Int) throws -> Void) throws {
        try folder.create()
        try unpack(chatDatabase, to: folder.chatDatabase, progress)
        try unpack(agentDatabase, to: folder.agentDatabase, progress)
    }

    /// Unpacks the files into the same folder.
    func unpackFiles(into folder: StoreFolder, _ progress: (Int) throws -> Void) throws {
        try Files.createFolder(folder.files)
        for (name, entry) in files { try unpack(entry, to: "\(folder.files)/\(name)", progress) }
    }

    /// Reads the files without keeping them.
    func checkFiles(_ progress: (Int) throws -> Void) throws {
        for (_, entry) in files {
            var content = reader.content(of: entry)
            try content.forEachPortion { try progress($0.count) }
        }
    }

    private func unpack(_ entry: ArchiveEntry, to path: String, _ progress: (Int) throws -> Void) throws {
        let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, "create the file")
        var content = reader.content(of: entry)
        while let portion = try content.next() {
            try file.write(portion, "write the file")
            try progress(portion.count)
        }
    }

    // MARK: - Checking

    /// What is so in the store.
    package struct Finding {
        let counts: StoreCounts
        /// The newest first.
        let marks: [ExportMark]
        let stepsByProfile: [Int64: Int64]
        let hiddenProfiles: Set<Int64>
    }

    /// Checks the databases that were unpacked, and brings them to the schema of this program.
    ///
    /// - Parameter key: Of an encrypted archive.
    package static func check(_ folder: StoreFolder, key: OpenedKey?) throws -> Finding {
        do {
            try checkSchema(folder.chatDatabase, ChatSchema.migrations, key)
            try checkSchema(folder.agentDatabase, AgentSchema.migrations, key)
            guard try StoreUpgrade.run(folder, key: key, confirmation: .yesUp).result == .ok else {
                throw TransferError.content(.foreign)
            }
            let findings = try StoreCheck.run(folder, key: key)
            guard findings.allSatisfy(\.isHarmless) else {
                throw findings.contains(where: \.isDisagreement)
                    ? TransferError.notTogether : TransferError.content(.damaged)
            }
            let chat = try ChatStore(folder.chatDatabase, .readWrite, key?.key)
            let agent = try Database(folder.agentDatabase, .readWrite, key: key?.key)
            for (database, migrations) in [(chat.database, ChatSchema.migrations), (agent, AgentSchema.migrations)] {
                guard try database.schemaObjects() == expectedObjects(migrations) else {
                    throw TransferError.content(.foreign)
                }
                try database.replaceWaysDown(migrations)
            }
            try chat.transaction { try chat.forgetForeignPaths() }
            return Finding(
                counts: try chat.counts(), marks: try chat.exportMarks(), stepsByProfile: try agent.stepsByProfile(),
                hiddenProfiles: try chat.hiddenProfiles())
        } catch let error as TransferError {
            throw error
        } catch {
            // The mistake is in the archive, unless the disk is to blame.
            guard case .database(let problem) = ChatError(error) else { throw error }
            switch problem {
            case .diskFull, .disk, .busy, .memory, .wrongKey, .keyMissing: throw error
            case .damaged, .cannotOpen, .newer, .older, .foreign: throw TransferError.content(problem)
            }
        }
    }

    /// Something must have been made in the database already: an empty one would become a new store. And no step may be
    /// one that this program does not know.
    private static func checkSchema(_ path: String, _ migrations: [Migration], _ key: OpenedKey?) throws {
        let database = try Database(path, .readWrite, key: key?.key)
        do {
            guard try database.pendingMigrations(migrations).count < migrations.count else {
                throw StoreError(.otherSchema)
            }
        } catch let error as StoreError where error.code == .misuse {
            // Other programs have a table of that name too, with other columns.
            throw StoreError(.otherSchema)
        }
    }

    /// What the schema makes in an empty database.
    private static func expectedObjects(_ migrations: [Migration]) throws -> Set<[String]> {
        let database = try Database(Database.inMemory, .create)
        try database.migrate(migrations)
        return try database.schemaObjects()
    }
}

extension StoreCheck.Finding {
    /// Whether a store goes on in spite of it: what the agent has too much was left by a crash.
    fileprivate var isHarmless: Bool {
        if case .unknownToChat = self { true } else { false }
    }

    /// Whether the databases are not of one store, or not of one moment: events would never be handled, and
    /// conversations would be dead without anybody knowing.
    fileprivate var isDisagreement: Bool {
        switch self {
        case .unknownToAgent, .futureEvents: true
        default: false
        }
    }
}
