import Agent
import Archive
public import ByteCoding
import CryptoCore
import Glibc
import Store
public import SystemIO

/// Makes an archive of a store: both databases as they are, encrypted or not, and the files.
///
/// The archive has copies of both databases as they were at one moment (``StoreSnapshot``), so others may go on using the
/// store meanwhile. Only who freezes it holds the ``StoreLock``: nothing may be sent or received after that moment.
public struct StoreExport {
    /// What became of it.
    public struct Report: Hashable, Sendable {
        /// The size of the archive in bytes.
        public let size: Int
        /// How many files, besides the databases.
        public let fileCount: Int
        /// Whether reading the archive takes the key of the store or the archive's passphrase.
        public let isEncrypted: Bool
        /// True if the archive has a passphrase of its own.
        public let hasPassphrase: Bool
        public let mark: ExportMark
        /// Files that are not in the archive.
        public let warnings: [ArchiveError]
        /// The data that an archive for the official apps does not contain; nil for an archive of this program.
        public var remainders: [ExportRemainder: Int]?
    }

    /// The program that an archive is for.
    public enum Form: Hashable, Sendable {
        /// This program.
        case own
        /// The official apps. Their databases are plain, or encrypted with a passphrase.
        case official(OfficialVersion)

        /// The version of the app; nil for this program.
        public var appVersion: OfficialVersion? {
            if case .official(let version) = self { version } else { nil }
        }
    }

    /// The contents of an archive for the official apps, before it is written.
    public struct Preview: Hashable, Sendable {
        public let counts: StoreCounts
        public let fileCount: Int
        /// The data that the archive would not contain.
        public let remainders: [ExportRemainder: Int]
    }

    /// Where an archive goes, and how far it has come.
    public struct Destination {
        let write: (Bytes) throws -> Void
        let publish: () throws -> Void
        let progress: (_ done: Int, _ all: Int) throws -> Void

        /// - Parameters:
        ///   - write: Takes the archive, portion by portion.
        ///   - publish: Called when all of it was written: from its end on, there is an archive.
        ///   - progress: Called with the bytes that were read and those that there are. Ends the export by throwing.
        public init(
            write: @escaping (Bytes) throws -> Void, publish: @escaping () throws -> Void,
            progress: @escaping (_ done: Int, _ all: Int) throws -> Void
        ) {
            self.write = write
            self.publish = publish
            self.progress = progress
        }
    }

    /// How much is read at a time, in bytes.
    private static let portion = 1 << 18

    private let folder: StoreFolder
    /// Both databases at the moment of the export.
    private let copy: StoreFolder
    private let destination: Destination
    private var done = 0
    private var all = 0
    private var warnings: [ArchiveError] = []

    /// Exports a store.
    ///
    /// - Parameters:
    ///   - form: The program that the archive is for.
    ///   - key: Of an encrypted store.
    ///   - passphrase: Opens the archive besides the key of the store, which must be encrypted. Of an archive for the official
    ///     apps it is the only key.
    ///   - freezes: Whether the store is to refuse everything that would change it from now on.
    ///   - machine: Where the store is.
    /// - Throws: A ``TransferError``, or what `destination` throws. The store is not marked then.
    public static func run(
        _ folder: StoreFolder, _ form: Form = .own, key: OpenedKey?, passphrase: GivenKey? = nil, freezes: Bool,
        to destination: Destination, machine: MachineID? = .current,
        now: Timestamp = Timestamp(milliseconds: SystemClock.milliseconds())
    ) throws -> Report {
        let chat: ChatStore, staging: StagingFolder, archiveKey: OpenedKey?
        do {
            archiveKey =
                try (form == .own ? passphrase : nil).map { given in
                    guard let key else { throw ChatError.database(.keyMissing) }
                    return try key.adding(archivePassphrase: given)
                } ?? key
            chat = try ChatStore(folder.chatDatabase, .readWrite, key?.key)
            StagingFolder.sweep(folder)
            staging = try StagingFolder(in: folder.path)
        } catch {
            throw TransferError(error)
        }
        let id = SystemRandom().bytes(ExportMark.idSize)
        // The mark must be in the archive, so it comes first; whoever is killed before the end has one too many. It is a
        // single short transaction, for which nobody needs the right to write.
        do {
            let agent = try Database(folder.agentDatabase, .readOnly, key: key?.key)
            try chat.insertExport(id, freezes: freezes, steps: try agent.steps(), at: now)
            guard let mark = try chat.export(id) else { throw ChatError.internal }
            var export = StoreExport(folder, staging.store, destination)
            try export.copyDatabases(archiveKey)
            let report =
                switch form {
                case .own: try export.pack(mark, isEncrypted: key != nil, hasPassphrase: passphrase != nil, now)
                case .official(let version): try export.packOfficial(mark, version, key, passphrase, now)
                }
            // There is an archive now, so the mark stays, whether this can be noted or not.
            try? chat.completeExport(id, steps: Database(staging.store.agentDatabase, .readOnly, key: key?.key).steps())
            // Whoever thaws the store is asked by then.
            if freezes { try? chat.transaction { try chat.setPlace(try StorePlace(of: folder, on: machine)) } }
            return report
        } catch {
            try? chat.deleteExport(id)
            throw error is StoreError || error is ChatError ? TransferError(error) : error
        }
    }

    /// Makes an archive for the official apps without writing it.
    ///
    /// - Parameter progress: See ``Destination``.
    /// - Throws: A ``TransferError``, or what `progress` throws.
    public static func preview(
        _ folder: StoreFolder, _ version: OfficialVersion, key: OpenedKey?,
        now: Timestamp = Timestamp(milliseconds: SystemClock.milliseconds()),
        progress: @escaping (_ done: Int, _ all: Int) throws -> Void
    ) throws -> Preview {
        do {
            StagingFolder.sweep(folder)
            let staging = try StagingFolder(in: folder.path)
            let destination = Destination(write: { _ in }, publish: {}, progress: progress)
            var export = StoreExport(folder, staging.store, destination)
            try export.copyDatabases(key)
            let converted = try export.convert(version, key, isEncrypted: false, now)
            return Preview(
                counts: converted.counts, fileCount: try export.listFiles().count + converted.addedFiles.count,
                remainders: converted.remainders)
        } catch {
            throw error is StoreError || error is ChatError || error is SystemError ? TransferError(error) : error
        }
    }

    private init(_ folder: StoreFolder, _ copy: StoreFolder, _ destination: Destination) {
        self.folder = folder
        self.copy = copy
        self.destination = destination
    }

    private mutating func copyDatabases(_ key: OpenedKey?) throws {
        try copy.create()
        let sizes = folder.databases.map { File(path: $0).expectedSize }
        let files = try listFiles().reduce(0) { $0 + $1.1.expectedSize }
        // Each database is read twice: from the store, and from its copy.
        all = 2 * sizes.reduce(0, +) + files
        try StoreSnapshot.copy(folder, key, to: copy.databases) { number, pages, count in
            let share = Double(pages) / Double(max(count, 1))
            done = sizes.prefix(number - 1).reduce(0, +) + Int(Double(sizes[number - 1]) * share)
            try destination.progress(done, all)
        }
    }

    private mutating func pack(
        _ mark: ExportMark, isEncrypted: Bool, hasPassphrase: Bool, _ now: Timestamp
    ) throws -> Report {
        let writer = ArchiveWriter(modified: now, sink: destination.write)
        let databases = [
            (StoreFolder.ArchiveName.chatDatabase, copy.chatDatabase),
            (StoreFolder.ArchiveName.agentDatabase, copy.agentDatabase),
        ].map { ($0, File(path: $1)) }
        let files = try listFiles()
        all = done + (databases + files).reduce(0) { $0 + $1.1.expectedSize }
        for (name, file) in databases {
            guard let reason = try add(file, as: try EntryName(name), to: writer) else { continue }
            throw TransferError.system(reason)
        }
        let fileCount = try files.reduce(0) { try $0 + (addFile($1.1, as: $1.0, to: writer) ? 1 : 0) }
        try writer.finish()
        try destination.publish()
        return Report(
            size: writer.size, fileCount: fileCount, isEncrypted: isEncrypted, hasPassphrase: hasPassphrase, mark: mark,
            warnings: warnings)
    }

    // MARK: - Archives for the official apps

    private func convert(
        _ version: OfficialVersion, _ key: OpenedKey?, isEncrypted: Bool, _ now: Timestamp
    ) throws -> OfficialArchive.Converted {
        // The copy continues, even if the store does not.
        let chat = try ChatStore(copy.chatDatabase, .readWrite, key?.key)
        _ = try chat.thaw()
        return try OfficialArchive.convert(
            copy, key: key, for: version, isEncrypted: isEncrypted, fileNames: Set(try listFiles().map(\.0)), at: now)
    }

    private mutating func packOfficial(
        _ mark: ExportMark, _ version: OfficialVersion, _ key: OpenedKey?, _ passphrase: GivenKey?, _ now: Timestamp
    ) throws -> Report {
        let converted = try convert(version, key, isEncrypted: passphrase != nil, now)
        let writer = ArchiveWriter(modified: now, sink: destination.write)
        let added = converted.addedFiles.sorted { $0.value < $1.value }.map { ($0.value, File(path: $0.key)) }
        let files = try listFiles() + added
        all = done + files.reduce(0) { $0 + $1.1.expectedSize }
        for (name, database) in [
            (StoreFolder.ArchiveName.chatDatabase, converted.chat),
            (StoreFolder.ArchiveName.agentDatabase, converted.agent),
        ] {
            var file = try OfficialArchive.File(of: database, passphrase: passphrase)
            try writer.add(try EntryName(name), expectedSize: file.size) {
                try destination.progress(done, all)
                return try file.next()
            }
        }
        let fileCount = try files.reduce(0) { try $0 + (addFile($1.1, as: $1.0, to: writer) ? 1 : 0) }
        try writer.finish()
        try destination.publish()
        return Report(
            size: writer.size, fileCount: fileCount, isEncrypted: passphrase != nil, hasPassphrase: passphrase != nil,
            mark: mark, warnings: warnings, remainders: converted.remainders)
    }

    // MARK: - Files

    /// A file that is going to be in the archive.
    private struct File {
        let path: String
        /// Its size when the export began.
        let expectedSize: Int

        init(path: String) {
            self.path = path
            expectedSize = (try? Files.status(path).size) ?? 0
        }
    }

    /// A file that is being read.
    private final class Source {
        private let file: FileDescriptor
        private var position = 0

        /// Opens a file whose beginning can be read: what fails at once is found before anything is written.
        init(_ path: String) throws(SystemError) {
            // No link is followed, and nothing waits for the other end of a pipe.
            file = try FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            guard try file.status().isRegular else { throw SystemError("read the file", number: EINVAL) }
            _ = try file.read(1, at: 0)
        }

        /// The next portion; empty at the end.
        func next() throws(SystemError) -> Bytes {
            let portion = try file.read(StoreExport.portion, at: position)
            position += portion.count
            return portion
        }
    }

    private func listFiles() throws -> [(String, File)] {
        guard Files.exists(folder.files) else { return [] }
        return try Files.names(in: folder.files).map { ($0, File(path: "\(folder.files)/\($0)")) }
    }

    /// Adds a file, or a warning. Returns whether it is in the archive.
    private mutating func addFile(_ file: File, as name: String, to writer: ArchiveWriter) throws -> Bool {
        guard let entryName = try? EntryName("\(StoreFolder.ArchiveName.files)/\(name)") else {
            warnings.append(.fileError(file: name, "its name cannot be in an archive"))
            return false
        }
        guard let reason = try add(file, as: entryName, to: writer) else { return true }
        let isNoFile = reason.number == ELOOP || reason.number == EINVAL
        warnings.append(.fileError(file: name, isNoFile ? "this is a link, a folder or a device" : reason.reason))
        return false
    }

    /// Adds a file. Returns why it cannot be read, if nothing of it was written then.
    private mutating func add(_ file: File, as name: EntryName, to writer: ArchiveWriter) throws -> SystemError? {
        let source: Source
        do throws(SystemError) { source = try Source(file.path) } catch { return error }
        try writer.add(name, expectedSize: file.expectedSize) {
            try destination.progress(done, all)
            do throws(SystemError) {
                let portion = try source.next()
                done += portion.count
                return portion
            } catch {
                guard name.text.hasPrefix(StoreFolder.ArchiveName.files) else { throw error }
                // The entry has begun: it ends here.
                warnings.append(.fileError(file: name.text, "only its beginning could be read: \(error.reason)"))
                return []
            }
        }
        return nil
    }
}

extension Database {
    /// What a connection has sent and received. SECURITY: contacts choose the numbers of what is received; only their low 39
    /// bits count, so that no sum overflows.
    private static let step = "sent_number + (received_number & 0x7fffffffff)"

    /// How many messages all connections have sent and received.
    func steps() throws(StoreError) -> Int64 {
        try first("SELECT coalesce(sum(\(Database.step)), 0) FROM connections") {
            row throws(StoreError) in try row.int64()
        } ?? 0
    }

    /// How many messages the connections of each profile have sent and received.
    func stepsByProfile() throws(StoreError) -> [Int64: Int64] {
        let rows = try rows(
            "SELECT profile_id, sum(\(Database.step)) FROM connections GROUP BY profile_id"
        ) {
            row throws(StoreError) in (try row.int64(), try row.int64())
        }
        return Dictionary(rows) { first, _ in first }
    }
}
