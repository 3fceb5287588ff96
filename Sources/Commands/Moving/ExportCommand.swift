import ChatCore
import CommandKit
import Host
import SystemIO
import TerminalKit

/// `tacit export`
enum ExportCommand {
    static let file = Positional<String>("FILE", "New file; - for standard output", .path())
    static let force = Option<Bool>(
        flag: "force", letter: "f", "Replace an existing FILE; allow a terminal as output", isCommon: true)
    static let freeze = Option<Bool>(
        flag: "freeze", "Freeze this store, to move it to the machine that imports the archive", isCommon: true)
    static let format = Option<ExportFormat?>(
        "format", "Export the readable history, or an archive for SimpleX Chat", .choice(),
        defaultText: "an archive of the whole store", isCommon: true)
    static let officialVersion = Option<OfficialVersion?>(
        "official-version", "Version of the SimpleX Chat app; needs --format official", .choice(),
        defaultText: OfficialVersion.newest.rawValue)
    static let dryRun = Option<Bool>(
        flag: "dry-run", "Show what an archive for SimpleX Chat would contain, without creating it")
    static let target = Option<Target?>(
        "target", "Export only this conversation; needs --format", .target(),
        defaultText: "all conversations of the profile", isCommon: true)

    private static let options: [any DeclaresOption] = [
        force, freeze, dryRun, ArchivePassphrase.asked, ArchivePassphrase.file, ArchivePassphrase.descriptor, format,
        officialVersion, target,
    ]

    static let leaf: Leaf = .init(
        Command(
            "export", "Export the store or a readable history",
            promise: "the file is complete and on disk, or was fully written to standard output", store: .none,
            positionals: [file], options: options,
            examples: [
                Example("tacit export backup.zip", "Export the store as a backup"),
                Example("tacit export --freeze move.zip", "Export and freeze the store, to move it"),
                Example(
                    "tacit export --passphrase-file words.txt move.zip", "Export with an additional passphrase"),
                Example(
                    "tacit export - | ssh other tacit import -", "Copy the store to another machine without a file"),
                Example(
                    "tacit export alice.html --format html --target @alice", "Export one conversation as a web page"),
                Example(
                    "tacit export --format official --freeze app.zip", "Move the store to a SimpleX Chat app"),
            ],
            exits: [65, 66, 67, 69, 71, 73, 75, 77],
            reports: ExportReport.forms + ExportPreviewReport.forms + HistoryReport.forms,
            topics: ["targets", "keys"],
            discussion: """
                An archive is a zip file with both databases and the folder of files. Databases keep the encryption of the \
                store; files are stored as they are. Unreadable files are left out with a warning, also with -q.

                The key of the store opens the archive and is not part of it: copy the key too, and keep it separate from the \
                archive. With --passphrase, the archive also opens with its own passphrase, which is typed, or read with \
                --passphrase-file or --passphrase-fd. 'tacit import' then prompts for it and sets a new key for the store.

                Never continue two stores from one archive. Relays would deliver each message to only one of them, and the \
                ratchets would get out of sync ('tacit contact resync' repairs one contact). An archive is safe as a backup. \
                To move the store, use 'tacit migrate to', or --freeze: the old store then refuses all changes until 'tacit db \
                thaw'.

                An archive is a snapshot; other commands can use the store during the export. The databases are copied beside \
                the store until the archive is complete. --freeze needs exclusive use of the store.

                With --format jsonl, txt or html nothing is locked or marked as read. jsonl writes the objects of 'tacit read --json', one per \
                line; txt is plain text; html is a single self-contained page.

                --format official writes an archive for the SimpleX Chat apps, version 7.0; with --official-version 6.4 older \
                apps can read it too. Import it there in the settings of the database. Conversations continue where this store stopped. With --passphrase the databases have that \
                passphrase, otherwise they are not encrypted: the key of the store is not used. The result first counts \
                conversations that do not continue, then other data that the app cannot hold; --dry-run shows it without \
                creating the archive.
                """),
        purpose: { "export to \(UntrustedText($0[file]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        if let version = try appVersion(invocation, isForApp: invocation[format] == .official) {
            guard invocation[target] == nil else { throw conflict("--format official", "--target") }
            return try invocation[dryRun] ? preview(version, invocation) : archive(.official(version), invocation)
        }
        guard !invocation[dryRun] else { throw Failure.dryRunWithoutFormat }
        if let form = invocation[format]?.history {
            guard !invocation[freeze] else { throw conflict("--format", "--freeze") }
            guard !invocation[ArchivePassphrase.asked], ArchivePassphrase.source(invocation) == nil else {
                throw conflict("--format", "--passphrase")
            }
            return try HistoryExport.run(form, invocation)
        }
        guard invocation[target] == nil else {
            throw Failure.targetWithoutFormat
        }
        return try archive(.own, invocation)
    }

    /// The version of the app that an archive is for; nil for an archive of this program.
    static func appVersion(_ invocation: Invocation, isForApp: Bool) throws -> OfficialVersion? {
        guard isForApp else {
            guard invocation[officialVersion] == nil else { throw Failure.versionWithoutFormat }
            return nil
        }
        return invocation[officialVersion] ?? .newest
    }

    /// The options that choose a version of the app.
    static func options(for version: OfficialVersion?) -> [String] {
        guard let version else { return [] }
        let options = ["--format", "official"]
        return version == .newest ? options : options + ["--official-version", version.rawValue]
    }

    private static func conflict(_ first: String, _ second: String) -> Failure {
        .exclusive("'\(first)'", "'\(second)'")
    }

    private static func archive(_ form: StoreExport.Form, _ invocation: Invocation) throws -> ExitCode {
        // Who goes on elsewhere must know that nothing happens here any more; a copy is one of a moment.
        let access = StoreOpener(invocation, isWriting: invocation[freeze])
        let folder = try access.existingFolder()
        let place = try ExportPlace(invocation, besides: folder, isBinary: true)
        let claim = try access.claim(folder), key = claim.key
        defer { withExtendedLifetime(claim) {} }
        let options = options(for: form.appVersion)
        let passphrase = try ArchivePassphrase.new(
            invocation, line: ["tacit", "export"] + options + ["--passphrase-file", "FILE", invocation[file]])
        switch form {
        case .own: guard passphrase == nil || key != nil else { throw Reason.notEncrypted }
        case .official: guard passphrase?.suitsOfficialApps != false else { throw Reason.passphraseNotForApps }
        }
        try access.upgradeIfOlder(key)
        let progress = TransferProgress(invocation, "exporting")
        let report = try progress.run { step in
            try StoreExport.run(
                folder, form, key: key, passphrase: passphrase, freezes: invocation[freeze],
                to: StoreExport.Destination(write: place.write, publish: place.publish, progress: step),
                machine: invocation.machine)
        }
        for warning in report.warnings { invocation.warn(sentence(warning)) }
        // A backup every night needs no advice with -q; data that is missing in the archive is reported all the same.
        if !report.isEncrypted, !invocation.isQuiet {
            let subject = form == .own ? "the store is" : "the databases in the archive are"
            invocation.warn("\(subject) not encrypted, so anyone can read the archive")
        }
        if !invocation[freeze], !invocation.isQuiet {
            invocation.warn(
                "never use both this store and the archive; to move the store: tacit export"
                    + options.map { " \($0)" }.joined() + " --freeze")
        }
        let keyPlace = form.appVersion != nil ? nil : try KeyPlace(invocation, folder)
        let summary = ExportReport(path: invocation[file], report: report, keyPlace: keyPlace?.text)
        if place.isStandardOutput {
            invocation.note(summary.sentence)
        } else {
            try invocation.print(done: summary)
        }
        if let keyPlace {
            let other = report.hasPassphrase ? "; the passphrase of the archive opens it too" : ""
            invocation.note(StyledText("the key is not in the archive: \(keyPlace.sentence)\(other)"))
        }
        return .ok
    }

    /// Shows what an archive for the official apps would contain.
    private static func preview(_ version: OfficialVersion, _ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: false)
        let folder = try access.existingFolder()
        let claim = try access.claim(folder), key = claim.key
        defer { withExtendedLifetime(claim) {} }
        try access.upgradeIfOlder(key)
        let preview = try TransferProgress(invocation, "checking").run { step in
            try StoreExport.preview(folder, version, key: key, progress: step)
        }
        try invocation.print(ExportPreviewReport(path: invocation[file], preview: preview))
        return .ok
    }

    static func sentence(_ warning: ArchiveError) -> String {
        switch warning {
        case .importError(let error): error
        case .fileError(let file, let error): "not in the archive: \(UntrustedText(file).quoted): \(error)"
        }
    }
}
