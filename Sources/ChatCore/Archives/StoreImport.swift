import Archive
public import ByteCoding
import CryptoCore
import Glibc
import PageCipher
import Store
public import SystemIO

/// Makes a store of an archive.
///
/// Everything is checked before anything is touched: the archive becomes a store in a folder that nobody sees, is opened
/// there, and is put in place by a ``StoreReplacement``. A store that was there before is kept as a backup.
public struct StoreImport {
    /// What became of it.
    public struct Report: Hashable, Sendable {
        public let counts: StoreCounts
        public let fileCount: Int
        /// The size of all contents in bytes.
        public let size: Int
        public let isEncrypted: Bool
        /// When the archive was made, if the store of which it was made knew.
        public let exportedAt: Timestamp?
        public let relation: Relation
        /// How much of an archive of an official app has no place here; nil for an archive of this program.
        public let remainders: [ImportRemainder: Int]?
        /// True if a profile of an official app has no relay on which it may make queues.
        public let needsServers: Bool
        /// The folder with the store that was there before.
        public fileprivate(set) var backup: String?
    }

    /// How the archive and the store that it replaces are related.
    public enum Relation: Hashable, Sendable {
        /// Different stores, or there was none.
        case none
        /// The archive is of this very store, which has sent or received so many messages since.
        case older(by: Int)
        /// The archive goes on where this store stopped.
        case newer
        /// The archive is of a store that went on where this one was exported, and this one went on too.
        case forked
    }

    /// What the user allows.
    public enum Mode: Hashable, Sendable {
        /// Only where there is no store yet, or one without profiles.
        case empty
        /// In place of any store, which is kept.
        case replacing
        /// Nothing is put in place.
        case dryRun
    }

    private let folder: StoreFolder
    private let mode: Mode
    private let unlock: (StoreFolder) throws -> OpenedKey?
    private let makeKey: () throws -> GivenKey
    private let official: Official
    private let progress: (_ done: Int, _ all: Int) throws -> Void
    private let now: Timestamp

    /// How an archive of an official app becomes a store.
    public struct Official {
        /// The key of the new store.
        enum Key {
            /// That of `makeKey`.
            case made
            /// That of a store that is open; nil if it is plain.
            case existing(OpenedKey?)
        }

        let key: Key
        let passphrase: (Int) throws -> GivenKey?

        init(key: Key, passphrase: @escaping (Int) throws -> GivenKey?) {
            self.key = key
            self.passphrase = passphrase
        }

        /// - Parameter passphrase: Finds the passphrase of an encrypted archive: called with the number of wrong attempts.
        ///   Nil gives up.
        public init(passphrase: @escaping (Int) throws -> GivenKey?) {
            self.init(key: .made, passphrase: passphrase)
        }
    }

    /// Room that is left on the disk, in bytes, for what the store needs when it goes on.
    private static let reserve = 16 << 20

    /// - Parameters:
    ///   - unlock: Finds the key of the store in the archive, when its databases are in a folder; nil if it has none.
    ///   - makeKey: Makes the key of the store, or finds it, if only the passphrase of the archive opened it. Called when
    ///     everything was checked and nothing is in place yet.
    ///   - progress: Called with the bytes that were unpacked and those that there are. Ends the import by throwing.
    public init(
        _ folder: StoreFolder, _ mode: Mode, now: Timestamp = Timestamp(milliseconds: SystemClock.milliseconds()),
        unlock: @escaping (StoreFolder) throws -> OpenedKey?,
        makeKey: @escaping () throws -> GivenKey = { throw ChatError.database(.keyMissing) },
        official: Official = Official(passphrase: { _ in nil }),
        progress: @escaping (_ done: Int, _ all: Int) throws -> Void
    ) {
        self.folder = folder
        self.mode = mode
        self.now = now
        self.unlock = unlock
        self.makeKey = makeKey
        self.official = official
        self.progress = progress
    }

    /// Imports an archive. The caller holds the ``StoreLock``, except for ``Mode/dryRun``.
    ///
    /// - Parameters:
    ///   - source: The archive; what is not a regular file is read to its end first.
    ///   - workshop: Where the archive is unpacked for a ``Mode/dryRun``; otherwise that is the folder of the store.
    /// - Throws: A ``TransferError``, or what `progress` throws.
    public func run(_ source: consuming FileDescriptor, workshop: String) throws -> Report {
        do {
            return try carryOut(source, in: mode == .dryRun ? workshop : folder.path)
        } catch {
            switch error {
            case is StoreError, is ZipError, is SystemError, is ChatError, is FileLock.Failure:
                throw TransferError(error)
            default: throw error
            }
        }
    }

    private func carryOut(_ source: consuming FileDescriptor, in workshop: String) throws -> Report {
        if mode != .dryRun { StoreReplacement.sweep(folder) }
        try folder.checkOwn()
        if mode == .empty { try StoreImport.checkEmpty(folder) }
        let staging = try StagingFolder(in: workshop)
        let staged = try StagedStore(ArchiveFile(try regularFile(source, staging)))
        try checkRoom(staged.size, in: workshop)
        var done = 0
        let advance: (Int) throws -> Void = { count in
            done += count
            try progress(done, staged.size)
        }
        try staged.unpackDatabases(into: staging.store, advance)
        var key: OpenedKey?, remainders: [ImportRemainder: Int]?
        if let archive = try OfficialArchive(staging.store) {
            key = try officialKey()
            remainders = try convert(archive, staged, in: staging, key)
        } else {
            guard staged.wallpaperCount == 0 else { throw TransferError.layout(.strange) }
            key = try unlocked(staging.store)
        }
        let finding = try StagedStore.check(staging.store, key: key)
        var report = Report(
            counts: finding.counts, fileCount: staged.fileCount, size: staged.size,
            isEncrypted: key != nil, exportedAt: finding.marks.first?.exportedAt,
            relation: try relation(to: finding, key), remainders: remainders,
            needsServers: try remainders != nil
                && ChatStore(staging.store.chatDatabase, .readOnly, key?.key).lacksServers())
        guard mode != .dryRun else {
            try staged.checkFiles(advance)
            return report
        }
        try staged.unpackFiles(into: staging.store, advance)
        try ChatStore(staging.store.chatDatabase, .readWrite, key?.key).noteImport(at: now)
        if let key {
            try key.endArchivePassphrase(in: staging.store, for: key.isOfArchive ? try makeKey() : nil)
            if remainders != nil, case .made = official.key {
                try KeyChange.run(staging.store, from: key, to: try makeKey())
            }
        }
        // A log would be left behind; there is none when a database was closed as it should be.
        guard
            StoreFolder.logs.filter({ $0.hasSuffix("-wal") }).allSatisfy({ name in
                !Files.exists("\(staging.store.path)/\(name)")
            })
        else { throw ChatError.internal }
        try? Files.remove(staging.spool)
        try Files.synchronizeAll(at: staging.path)
        try progress(done, staged.size)
        report.backup = try StoreReplacement.replace(folder, by: staging, now: now)
        if let backup = report.backup { freeze(StoreFolder(backup), key) }
        return report
    }

    /// Marks the store that was replaced as a backup, as far as that can be done: the new one is in place already, and the old
    /// one may have another key.
    private func freeze(_ replaced: StoreFolder, _ key: OpenedKey?) {
        _ = try? StoreMaintenance.freeze(agent: replaced.agentDatabase, chat: replaced.chatDatabase, key, now)
    }

    // MARK: - Archives of official apps

    /// The key with which a new store is written. One that is only looked at, or gets its key later, has a random one.
    private func officialKey() throws -> OpenedKey? {
        if mode != .dryRun, case .existing(let key) = official.key { return key }
        let (key, slots) = try KeySlots.fresh(for: .keyFile(Secret(random: SystemRandom(), count: 32)))
        return OpenedKey(key: key, slots: slots, slot: slots.slots.first?.id)
    }

    private func convert(
        _ archive: OfficialArchive, _ staged: StagedStore, in staging: StagingFolder, _ key: OpenedKey?
    ) throws -> [ImportRemainder: Int] {
        do {
            let moved = try archive.moved(to: staging.path)
            let opened = try moved.open(passphrase: official.passphrase)
            var remainders = try OfficialArchive.convert(
                opened, into: staging.store, key: key, fileNames: staged.fileNames, at: now)
            if staged.wallpaperCount > 0 { remainders[.themes, default: 0] += staged.wallpaperCount }
            try moved.remove()
            return remainders
        } catch let error as StoreError {
            // What contradicts itself fails when it is written, or when a query meets tables with other columns.
            if [.constraint, .misuse].contains(error.code) { throw TransferError.content(.damaged) }
            guard case .database(let problem) = ChatError(error) else { throw error }
            switch problem {
            case .diskFull, .disk, .busy, .memory, .wrongKey, .keyMissing: throw error
            case .newer: throw TransferError.app(isNewer: true)
            case .older: throw TransferError.app(isNewer: false)
            case .damaged, .cannotOpen, .foreign: throw TransferError.content(problem)
            }
        }
    }

    // MARK: - The archive

    /// The archive in a file that can be read from any place.
    private func regularFile(_ source: consuming FileDescriptor, _ staging: StagingFolder) throws -> FileDescriptor {
        if try source.status().isRegular { return source }
        let spool = try FileDescriptor(opening: staging.spool, O_RDWR | O_CREAT | O_EXCL, "create the file")
        // At least as much again is needed to unpack it.
        let limit = try Files.freeSpace(at: staging.path) / 2
        var size = 0
        while true {
            let portion = try source.read(1 << 18, "read the archive")
            if portion.isEmpty { return spool }
            size += portion.count
            guard size <= limit else { throw TransferError.noRoom(needed: 2 * size, free: 2 * limit) }
            try spool.write(portion, "write the file")
            try progress(0, 0)
        }
    }

    private func checkRoom(_ size: Int, in workshop: String) throws {
        let free = try Files.freeSpace(at: workshop), needed = size + StoreImport.reserve
        guard needed <= free else { throw TransferError.noRoom(needed: needed, free: free) }
    }

    private func unlocked(_ folder: StoreFolder) throws -> OpenedKey? {
        do { return try unlock(folder) } catch ChatError.database(let problem)
            where problem == .damaged || problem == .foreign
        {
            throw TransferError.content(problem)
        }
    }

    // MARK: - The store that is there

    /// Fails if a store has profiles, or cannot be looked into.
    ///
    /// - Throws: ``TransferError/storeExists``.
    public static func checkEmpty(_ folder: StoreFolder) throws(TransferError) {
        guard folder.exists || Files.exists(folder.agentDatabase) else { return }
        guard let store = try? ChatStore(folder.chatDatabase, .readOnly), (try? store.profiles().isEmpty) == true else {
            throw TransferError.storeExists
        }
    }

    /// The relation of the present store to the one in the archive. A store with another key, and one that is damaged, are
    /// unrelated.
    ///
    /// - Throws: ``StoreError`` if the disk cannot be read.
    private func relation(to archived: StagedStore.Finding, _ key: OpenedKey?) throws -> Relation {
        guard folder.exists else { return .none }
        let marks: [ExportMark], hidden: Set<Int64>, steps: Int64, stepsByProfile: [Int64: Int64]
        do {
            let chat = try ChatStore(folder.chatDatabase, .readOnly, key?.key)
            (marks, hidden) = (try chat.exportMarks(), try chat.hiddenProfiles())
            let agent = try Database(folder.agentDatabase, .readOnly, key: key?.key)
            (steps, stepsByProfile) = (try agent.steps(), try agent.stepsByProfile())
        } catch let error as StoreError where ![.cannotOpen, .busy, .disk, .outOfMemory].contains(error.code) {
            return .none
        }
        if let last = archived.marks.first, marks.contains(where: { $0.id == last.id }) {
            // SECURITY: the number is shown, so what hidden profiles sent and received is not in it.
            let later = stepsByProfile.reduce(Int64(0)) { sum, entry in
                guard !hidden.contains(entry.key), !archived.hiddenProfiles.contains(entry.key) else { return sum }
                let steps = entry.value.subtractingReportingOverflow(archived.stepsByProfile[entry.key] ?? 0)
                let more = steps.overflow ? 0 : max(steps.partialValue, 0)
                let total = sum.addingReportingOverflow(more)
                return total.overflow ? .max : total.partialValue
            }
            return .older(by: Int(clamping: later))
        }
        guard let last = marks.first(where: { mark in archived.marks.contains { $0.id == mark.id } }) else {
            return .none
        }
        return steps == last.steps ? .newer : .forked
    }
}
