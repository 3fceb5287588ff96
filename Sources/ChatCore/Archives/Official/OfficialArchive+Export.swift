import Agent
import AgentProtocol
package import ByteCoding
import CryptoCore
import PageCipher
import SQLCipherFormat
package import Store
import SystemIO

extension OfficialArchive {
    /// The databases of an official app that a store became, in memory: nothing of them is written to the disk.
    package struct Converted {
        package let chat: Database
        package let agent: Database
        package fileprivate(set) var remainders: [ExportRemainder: Int]
        let counts: StoreCounts
        /// Files outside of the store that belong to the archive, with their names there.
        let addedFiles: [String: String]
    }

    /// Converts a store into the databases of an official app. No other process may have the store open.
    ///
    /// - Parameters:
    ///   - folder: A copy of the store. It is settled before, so it is not the same afterwards.
    ///   - key: The key of the store; nil for a plain one.
    ///   - version: The version of the app.
    ///   - isEncrypted: Whether the databases will be encrypted.
    ///   - fileNames: The names in the folder of files.
    /// - Throws: ``StoreError/Code/damaged`` for a value that no version of this program writes.
    package static func convert(
        _ folder: StoreFolder, key: OpenedKey?, for version: OfficialVersion = .newest, isEncrypted: Bool,
        fileNames: Set<String>, at now: Timestamp
    ) throws -> Converted {
        let channels = try settle(folder, key, version)
        do {
            var converted = try written(folder, key, version, isEncrypted: isEncrypted, fileNames: fileNames, at: now)
            if channels > 0 { converted.remainders[.channels, default: 0] += channels }
            return converted
        } catch let error as StoreError where [.constraint, .misuse].contains(error.code) {
            // The schema of the official apps refuses a value: the number of a group may be 0 there, but not its reference.
            throw StoreError(.damaged)
        }
    }

    private static func written(
        _ folder: StoreFolder, _ key: OpenedKey?, _ version: OfficialVersion, isEncrypted: Bool,
        fileNames: Set<String>, at now: Timestamp
    ) throws -> Converted {
        let store = try ChatStore(folder.chatDatabase, .readOnly, key?.key)
        let agent = try Database(folder.agentDatabase, .readOnly, key: key?.key)
        let reserved = isEncrypted ? SQLCipherKey.reservedSize : 0
        let officialAgent = try Database.newForeign(version.agentSchema, reserving: reserved, at: now)
        let officialChat = try Database.newForeign(version.chatSchema, reserving: reserved, at: now)
        var agentExport = OfficialAgentExport(agent, into: officialAgent, at: now)
        try agentExport.run(profiles: try store.profiles().map(\.id))
        let chatExport = OfficialChatExport(
            store, agentExport, into: officialChat, for: version, fileNames: fileNames, at: now)
        try chatExport.run()
        try officialAgent.complete(version.agentSchema)
        try officialAgent.checkReferences()
        var remainders = chatExport.remainders
        for (remainder, count) in chatExport.agent.remainders where count > 0 {
            remainders[ExportRemainder(remainder), default: 0] += count
        }
        return Converted(
            chat: officialChat, agent: officialAgent, remainders: remainders, counts: try store.counts(),
            addedFiles: chatExport.addedFiles)
    }

    /// Completes what a process that ended has left: received messages that no conversation has yet, and messages that the
    /// agent does not have yet. Nothing is sent. Channels that the user serves are left out, and all channels for apps without
    /// channels.
    ///
    /// - Returns: The number of channels that are left out.
    private static func settle(_ folder: StoreFolder, _ key: OpenedKey?, _ version: OfficialVersion) throws -> Int {
        let loop = try EventLoop()
        return try loop.run {
            let core = try await LocalCore(folder, .writing, key: key, loop: loop, machine: nil)
            let count = try await core.removeChannels(onlyServed: version != .version6)
            try await core.close()
            return count
        }
    }

    // MARK: - Files

    /// A database as the file of an official app.
    struct File: ~Copyable {
        private var content: DatabaseFile
        private let key: SQLCipherKey?
        private var number: UInt32 = 0

        /// The pages that are read at a time.
        private static let portion = 64

        /// - Parameter passphrase: Encrypts the file.
        init(of database: Database, passphrase: GivenKey?) throws {
            let key = try passphrase.map { given in
                try SQLCipherKey(passphrase: given.text, salt: SystemRandom().bytes(SQLCipherKey.saltSize))
            }
            let content = try DatabaseFile(of: database)
            self.key = key
            self.content = content
        }

        var size: Int { content.size }

        /// The next portion; empty at the end.
        mutating func next() throws -> Bytes {
            var portion: Bytes = []
            for _ in 0..<File.portion {
                let page = content.next()
                if page.isEmpty { break }
                number += 1
                portion += try key?.seal(page, number: number, iv: SystemRandom().bytes(AESCBC.blockSize)) ?? page
            }
            return portion
        }
    }
}

extension GivenKey {
    /// True if people can type it in the official apps: printable ASCII without spaces.
    public var suitsOfficialApps: Bool {
        text.withBytes { bytes in
            (0..<bytes.byteCount).allSatisfy { index in
                (0x21...0x7e).contains(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt8.self))
            }
        }
    }
}

extension LocalCore {
    /// Removes channels, and returns their number.
    fileprivate func removeChannels(onlyServed: Bool) throws -> Int {
        try store.transaction { try store.removeChannels(onlyServed: onlyServed) }
    }
}
