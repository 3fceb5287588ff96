import ByteCoding
import ChatCore
import CommandKit
import Host
import SystemIO
import TerminalKit

/// `tacit import`
enum ImportCommand {
    static let file = Positional<String>("FILE", "Archive; - for standard input", .path())
    static let replace = Option<Bool>(
        flag: "replace", "Replace an existing store and keep it as a backup", isCommon: true)
    static let dryRun = Option<Bool>(
        flag: "dry-run", "Check the archive and show its contents without importing", isCommon: true)

    private static let options: [any DeclaresOption] = [
        replace, dryRun, ArchivePassphrase.file, ArchivePassphrase.descriptor, InitCommand.newKeyFile,
    ]

    static let leaf: Leaf = .init(
        Command(
            "import", "Import an archive", promise: "the store has the contents of the archive and is on disk",
            store: .none, positionals: [file], options: options,
            examples: [
                Example("tacit import move.zip", "Move a store to this machine"),
                Example("tacit import --dry-run backup.zip", "Check a backup"),
                Example("tacit import --replace backup.zip", "Restore a backup and keep the current store as a backup"),
                Example("tacit import simplex-chat.zip", "Move from a SimpleX Chat app to tacit"),
            ],
            exits: [65, 66, 69, 71, 73, 77], reports: ImportReport.forms,
            discussion: """
                All checks come first: the archive is complete, no path leads out of the store, and the key opens it. The \
                databases are undamaged, belong together and are not from a newer version. Then the new store replaces the old \
                one in one atomic step.

                The key of the exported store opens the archive and is not part of it: name its file with --key-file, or put \
                it in a place listed by 'tacit help keys'. An archive made with --passphrase prompts for that passphrase. The \
                imported store then gets its own key. The key file is that of --new-key-file or the configuration, or else the \
                default of 'tacit init'. Neither the passphrase nor the key of the exported store opens it.

                Archives of the SimpleX Chat apps, versions 6.0 to 7.0, are converted to stores. Conversations continue where \
                the app stopped. An encrypted archive prompts for the database passphrase of the app. The result counts all data \
                that a store cannot hold; --dry-run shows it first. After the import, do not use these profiles in the app.

                With --replace the old store is kept in the folder backups, frozen like a copy of 'tacit db backup'.

                After the import, use only this store. Do not use the exported one again, not even to fetch; 'tacit export \
                --freeze' makes sure of that.
                """),
        isAlone: true, purpose: { "import \(UntrustedText($0[file]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let path = invocation[file], isDryRun = invocation[dryRun]
        let folder = try invocation.storeFolder()
        if !isDryRun { try StoreOpener(invocation, isWriting: true).checkMigration(of: folder) }
        var source: FileDescriptor? = try open(path)
        let lock = isDryRun ? nil : try lock(folder, invocation)
        defer { withExtendedLifetime(lock) {} }
        let archiveKey = ArchiveKey(invocation, .init(command: ["import"], arguments: [path]))
        if let path = invocation[InitCommand.newKeyFile], Files.exists(path) { throw Reason.keyExists(path) }
        let mode: StoreImport.Mode = isDryRun ? .dryRun : invocation[replace] ? .replacing : .empty
        let report = try TransferProgress(invocation, isDryRun ? "checking" : "importing").run { step in
            guard let source = source.take() else { throw Reason.bug }
            let staged = StoreImport(
                folder, mode, unlock: archiveKey.open, makeKey: archiveKey.make,
                official: StoreImport.Official(passphrase: archiveKey.officialPassphrase), progress: step)
            return try staged.run(source, workshop: workshop(folder, invocation))
        }
        if isDryRun {
            try invocation.print(ImportReport(isDryRun: true, folder: folder, report: report))
        } else {
            try invocation.print(
                done: ImportReport(isDryRun: false, folder: folder, report: report, keyFile: archiveKey.path))
            try sayKey(archiveKey, report, invocation)
        }
        if report.needsServers {
            invocation.note(
                StyledText(
                    "a profile has no relay for new contacts; add one with tacit server add smp://FINGERPRINT@HOST"))
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
        let lock = try StoreOpener(invocation, isWriting: true).lock(folder)
        _ = try folder.finishChanges()
        return lock
    }

    /// Where an archive is unpacked that is only looked at.
    private static func workshop(_ folder: StoreFolder, _ invocation: Invocation) -> String {
        if Files.isFolder(folder.path) { return folder.path }
        return invocation.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// Says where the key of the store is, or where it belongs.
    static func sayKey(_ key: ArchiveKey, _ report: StoreImport.Report, _ invocation: Invocation) throws {
        guard report.isEncrypted, let path = key.path else { return }
        let own = try KeySource.ownPath(invocation)
        if key.isNew {
            invocation.note(StyledText("the key is in \(path); without it the store cannot be read"))
        } else if path != own, invocation[KeyOptions.file] != nil {
            invocation.note(
                StyledText("the key is in \(path); move it to \(own) to use it without an option"))
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
                "this store and the exported one were both used after the export;"
                    + " conversations may need tacit contact resync")
        case .none, .older, .newer: break
        }
        guard !isDryRun else { return }
        let time = report.exportedAt.map { " at \(invocation.time($0))" } ?? ""
        invocation.warn("use only this store from now on, not the one that was exported\(time)")
    }
}
