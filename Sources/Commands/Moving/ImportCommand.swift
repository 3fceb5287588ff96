import ByteCoding
import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit import`
enum ImportCommand {
    static let file = Positional<String>("FILE", "The archive; - for standard input", .path())
    static let replace = Option<Bool>(
        flag: "replace", "Replace the store that is there, which is kept as a backup", isCommon: true)
    static let dryRun = Option<Bool>(
        flag: "dry-run", "Check the archive, say what is in it, and do nothing", isCommon: true)

    private static let options: [any DeclaresOption] = [
        replace, dryRun, ArchivePassphrase.file, ArchivePassphrase.descriptor, InitCommand.newKeyFile,
    ]

    static let leaf: Leaf = .init(
        Command(
            "import", "Make a store of an archive", promise: "the store is the one of the archive, and on disk",
            store: .none, positionals: [file], options: options,
            examples: [
                Example("tacit import move.zip", "Go on where the store was exported"),
                Example("tacit import --dry-run backup.zip", "Is the backup any good?"),
                Example("tacit import --replace backup.zip", "Go back; what is there now is kept"),
            ],
            exits: [65, 66, 69, 71, 73, 77], reports: ImportReport.forms,
            discussion: """
                Everything is checked before anything is touched: that the archive is one and whole, that nothing in it leads out \
                of the store, that its key is the one at hand, that the databases are sound, belong together and are not from a \
                newer version. Then the new store replaces the old one in one step, which a crash at any moment leaves done or \
                undone.

                The key of the exported store opens the archive, and is not in it: name its file with --key-file, or put it where \
                'tacit help keys' says that it is looked for. An archive that was made with --passphrase asks for that passphrase. \
                The store then gets a key of its own, in the file that --new-key-file or the configuration names, or else in the \
                file that 'tacit init' would use. Neither the passphrase nor the key of the exported store opens it.

                With --replace the former store is kept in the folder backups, frozen as a copy of 'tacit db backup' is.

                From then on only this store may go on. The one that was exported must not be used any more, not even to fetch; \
                'tacit export --freeze' makes sure of that.
                """),
        isAlone: true, purpose: { "import \(UntrustedText($0[file]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let path = invocation[file], isDryRun = invocation[dryRun]
        let folder = try invocation.storeFolder()
        var source: FileDescriptor? = try open(path)
        let lock = isDryRun ? nil : try lock(folder, invocation)
        defer { withExtendedLifetime(lock) {} }
        let archiveKey = ArchiveKey(invocation)
        if let path = invocation[InitCommand.newKeyFile], Files.exists(path) { throw Reason.keyExists(path) }
        let mode: StoreImport.Mode = isDryRun ? .dryRun : invocation[replace] ? .replacing : .empty
        let report = try TransferProgress(invocation, isDryRun ? "checking" : "importing").run { step in
            guard let source = source.take() else { throw Reason.bug }
            let staged = StoreImport(
                folder, mode, unlock: archiveKey.open, makeKey: archiveKey.make, progress: step)
            return try staged.run(source, workshop: workshop(folder, invocation))
        }
        if isDryRun {
            try invocation.print(ImportReport(isDryRun: true, folder: folder, report: report))
        } else {
            try invocation.print(
                done: ImportReport(isDryRun: false, folder: folder, report: report, keyFile: archiveKey.path))
            try sayKey(archiveKey, report, invocation)
        }
        warn(report, isDryRun: isDryRun, invocation)
        return .ok
    }

    private static func open(_ path: String) throws -> FileDescriptor {
        guard path != "-" else {
            guard !Terminal(descriptor: 0).isTerminal else {
                throw Failure.archiveTyped
            }
            return try FileDescriptor(copying: 0)
        }
        guard !Files.isFolder(path) else {
            throw Reason.archiveIsFolder
        }
        do throws(SystemError) {
            return try FileDescriptor(reading: path)
        } catch {
            throw Reason.unreadableArchive(error, at: path)
        }
    }

    private static func lock(_ folder: StoreFolder, _ invocation: Invocation) throws -> Held<StoreLock> {
        do throws(SystemError) {
            try folder.create()
        } catch {
            throw Reason.importFolder(error, at: folder.path)
        }
        let lock = try StoreAccess(invocation, isWriting: true).lock(folder)
        _ = try folder.finishChanges()
        return lock
    }

    /// Where an archive is unpacked that is only looked at.
    private static func workshop(_ folder: StoreFolder, _ invocation: Invocation) -> String {
        if Files.isFolder(folder.path) { return folder.path }
        return invocation.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// Says where the key of the store is, or where it belongs.
    private static func sayKey(_ key: ArchiveKey, _ report: StoreImport.Report, _ invocation: Invocation) throws {
        guard report.isEncrypted, let path = key.path else { return }
        let own = try KeySource.ownPath(invocation)
        if key.isNew {
            invocation.note(StyledText("its key is in \(path): without it nobody can read the store"))
        } else if path != own, invocation[KeyOptions.file] != nil {
            invocation.note(
                StyledText("its key is in \(path): put it in \(own), where it is found without being named"))
        }
    }

    /// What a person must know.
    private static func warn(_ report: StoreImport.Report, isDryRun: Bool, _ invocation: Invocation) {
        switch report.relation {
        case .older(let count) where count > 0:
            invocation.warn(
                "the store\(isDryRun ? "" : " before") has sent or received \(count) messages since the export;"
                    + " conversations may need tacit contact resync")
        case .forked:
            invocation.warn(
                "both this store and the one of the archive went on after they were one;"
                    + " conversations may need tacit contact resync")
        case .none, .older, .newer: break
        }
        guard !isDryRun else { return }
        let time = report.exportedAt.map { " at \(invocation.time($0))" } ?? ""
        invocation.warn("only this store may go on: do not use the one any more that was exported\(time)")
    }
}
