import Agent
import AgentProtocol
package import ByteCoding
import CryptoCore
import Glibc
import PageCipher
import SQLCipherFormat
package import Store
import SystemIO

/// The databases of an official app that were in an archive, before they become a store.
///
/// SECURITY: they may come from anybody. An encrypted database is decrypted into memory and never written to the disk; both
/// are opened as foreign, see ``Database/foreign(at:)``.
package struct OfficialArchive {
    /// The files of the two databases.
    private let chat: String
    private let agent: String
    /// True if one of them is encrypted.
    let isEncrypted: Bool

    /// Looks at unpacked databases; nil if they are those of this program.
    init?(_ folder: StoreFolder) throws {
        chat = folder.chatDatabase
        agent = folder.agentDatabase
        let kinds = [try OfficialArchive.kind(chat), try OfficialArchive.kind(agent)]
        guard kinds[0] != .own, kinds[1] != .own else { return nil }
        isEncrypted = kinds.contains(.encrypted)
    }

    private init(chat: String, agent: String, isEncrypted: Bool) {
        (self.chat, self.agent, self.isEncrypted) = (chat, agent, isEncrypted)
    }

    /// What a database file is.
    private enum Kind {
        /// Of this program, or of no known one.
        case own
        case plain
        /// Of an official program; or noise, which looks the same.
        case encrypted
    }

    private static func kind(_ path: String) throws -> Kind {
        let file = try FileDescriptor(opening: path, O_RDONLY | O_CLOEXEC, "read the database")
        let beginning = try file.read(SQLCipherKey.saltSize, "read the database")
        if beginning == SQLCipherKey.plainBeginning {
            guard let database = try? Database.foreign(at: path), let columns = try? database.columns(of: "migrations")
            else { return .own }
            return columns.contains("ts") && !columns.contains("hash") ? .plain : .own
        }
        let size = try file.status().size
        guard beginning.count == SQLCipherKey.saltSize, size >= SQLCipherKey.pageSize,
            size % SQLCipherKey.pageSize == 0, (try? FileHeader.read(path)) ?? nil == nil
        else { return .own }
        // A file that begins as one of this program is one, whatever its header says.
        return beginning.starts(with: "tacit ".utf8) ? .own : .encrypted
    }

    /// Puts the files aside, so that a new store can be made in their place.
    func moved(to folder: String) throws -> OfficialArchive {
        let moved = OfficialArchive(
            chat: "\(folder)/official-chat", agent: "\(folder)/official-agent", isEncrypted: isEncrypted)
        try Files.move(chat, to: moved.chat)
        try Files.move(agent, to: moved.agent)
        return moved
    }

    func remove() throws {
        for path in [chat, agent] where Files.exists(path) { try Files.remove(path) }
    }

    // MARK: - Opening

    /// Both databases, opened and checked.
    package struct Opened {
        let chat: Database
        let agent: Database

        package init(chat: Database, agent: Database) {
            self.chat = chat
            self.agent = agent
        }
    }

    /// Opens both databases.
    ///
    /// - Parameter passphrase: Finds the passphrase of encrypted databases: called with the number of wrong attempts until it
    ///   is right, or nil, or an error.
    /// - Throws: ``StoreError/Code/keyMissing`` without a passphrase.
    func open(passphrase: (Int) throws -> GivenKey?) throws -> Opened {
        var attempts = 0
        while true {
            let given = isEncrypted ? try passphrase(attempts)?.text : nil
            if isEncrypted, given == nil { throw StoreError(.keyMissing) }
            do {
                return Opened(
                    chat: try OfficialArchive.open(chat, given, OfficialChatSchema.today),
                    agent: try OfficialArchive.open(agent, given, OfficialAgentSchema.today))
            } catch let error as StoreError where error.code == .wrongKey {
                attempts += 1
            }
        }
    }

    private static func open(_ path: String, _ passphrase: Secret?, _ schema: ForeignSchema) throws -> Database {
        let database: Database
        switch (try kind(path), passphrase) {
        case (.encrypted, let passphrase?): database = try Database.foreign(try decrypted(path, passphrase))
        case (.encrypted, nil): throw StoreError(.keyMissing)
        case (.plain, _), (.own, _): database = try Database.foreign(at: path)
        }
        try database.checkForeign(schema)
        return database
    }

    private static func decrypted(_ path: String, _ passphrase: Secret) throws -> DatabaseImage {
        let file = try FileDescriptor(opening: path, O_RDONLY | O_CLOEXEC, "read the database")
        var image = try DatabaseImage(size: try file.status().size)
        var key: SQLCipherKey?, number: UInt32 = 0
        while true {
            var page: Bytes = []
            while page.count < SQLCipherKey.pageSize {
                let portion = try file.read(SQLCipherKey.pageSize - page.count, "read the database")
                if portion.isEmpty { break }
                page += portion
            }
            if page.isEmpty { return image }
            number += 1
            let known =
                try key
                ?? opened { () throws(SQLCipherError) in
                    try SQLCipherKey(passphrase: passphrase, salt: Bytes(page.prefix(SQLCipherKey.saltSize)))
                }
            key = known
            try image.append(
                opened(isFirst: number == 1) { () throws(SQLCipherError) in try known.open(page, number: number) })
        }
    }

    /// Tells what is wrong with a page: the first one cannot be opened with a wrong passphrase.
    private static func opened<Value>(
        isFirst: Bool = true, _ body: () throws(SQLCipherError) -> Value
    ) throws(StoreError) -> Value {
        do throws(SQLCipherError) {
            return try body()
        } catch {
            switch error {
            case .notAuthentic: throw StoreError(isFirst ? .wrongKey : .damaged)
            case .damaged: throw StoreError(.damaged)
            case .library: throw StoreError(.outOfMemory)
            }
        }
    }

    // MARK: - Becoming a store

    /// Makes a store of both databases.
    ///
    /// - Parameters:
    ///   - folder: The folder of the new store, without databases.
    ///   - key: The key of the new store; nil for a plain one.
    ///   - fileNames: The names of the files in the archive.
    /// - Returns: How much was not taken over.
    package static func convert(
        _ opened: Opened, into folder: StoreFolder, key: OpenedKey?, fileNames: Set<String>, at now: Timestamp
    ) throws -> [ImportRemainder: Int] {
        try NewStore.create(in: folder, key)
        let store = try ChatStore(folder.chatDatabase, .readWrite, key?.key)
        let agent = try Database(folder.agentDatabase, .readWrite, key: key?.key)
        let official = try OfficialAgent(opened.agent)
        let chatImport = OfficialChatImport(opened.chat, official, into: store, fileNames: fileNames, at: now)
        try chatImport.run()
        guard let owner = chatImport.profiles.keys.min() else { throw StoreError(.damaged) }
        var agentImport = OfficialAgentImport(official, into: agent, at: now)
        let states = try agentImport.run(
            chatImport.targets, untouched: chatImport.untouched, owner: ProfileID(owner),
            token: { try chatImport.token($0, $1) })
        try chatImport.note(states)
        for (remainder, count) in agentImport.remainders { chatImport.note(ImportRemainder(remainder), count) }
        try store.database.truncateLog()
        try agent.truncateLog()
        return chatImport.remainders
    }
}
