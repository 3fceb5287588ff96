import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit export`
enum ExportCommand {
    static let file = Positional<String>("FILE", "The new file; - for standard output", .path())
    static let force = Option<Bool>(
        flag: "force", letter: "f", "Replace FILE if it exists; write an archive even to a terminal", isCommon: true)
    static let freeze = Option<Bool>(
        flag: "freeze", "Let this store not go on: it moves to where the archive is imported", isCommon: true)
    static let format = Option<HistoryFormat?>(
        "format", "Write the readable history, in this form", .choice(), defaultText: "an archive of the whole store",
        isCommon: true)
    static let target = Option<Target?>(
        "target", "Only the history of this conversation; needs --format", .target(),
        defaultText: "all conversations of the profile", isCommon: true)

    private static let options: [any DeclaresOption] = [
        force, freeze, ArchivePassphrase.asked, ArchivePassphrase.file, ArchivePassphrase.descriptor, format, target,
    ]

    static let leaf: Leaf = .init(
        Command(
            "export", "Write the whole store into an archive, or a readable history",
            promise: "the file is complete and on disk, or the reader of standard output has all of it", store: .none,
            positionals: [file], options: options,
            examples: [
                Example("tacit export backup.zip", "Everything, to be imported again"),
                Example("tacit export --freeze move.zip", "The same, in order to go on elsewhere"),
                Example(
                    "tacit export --passphrase-file words.txt move.zip", "With a passphrase that opens the archive"),
                Example("tacit export - | ssh other tacit import -", "Without a file in between"),
                Example("tacit export alice.html --format html --target @alice", "A page to read in a browser"),
            ],
            exits: [65, 66, 67, 69, 71, 73, 75, 77], reports: ExportReport.forms + HistoryReport.forms,
            topics: ["targets", "keys"],
            discussion: """
                An archive is a zip file with both databases, as they are, and the folder of files. If the store is encrypted, so \
                are the databases in the archive; files are as they are in the store. Files that cannot be read are named in a \
                warning, and are missing in the archive.

                The key of the store opens the databases in the archive, and is not in it: copy the key too, and keep it apart \
                from the archive. With --passphrase the archive also opens with a passphrase of its own, which is typed, or read \
                with --passphrase-file or --passphrase-fd. 'tacit import' asks for it, and gives the store a new key.

                Never let two stores go on from one archive. Relays would deliver each message to one of them only, and the \
                encryption of conversations would get out of step ('tacit contact resync' mends that for one contact). An archive \
                that is kept as a backup does no harm; one that moves the store is made with --freeze: the store then refuses \
                everything that would change it, until 'tacit db thaw'.

                An archive is the store of one moment; others may use it meanwhile. The databases are copied for that, beside \
                the store, until the archive is complete. --freeze needs the store for itself.

                With --format nothing is locked or marked: jsonl has the objects of 'tacit read --json', one a line; txt is plain \
                text; html is one page that needs nothing else.
                """),
        purpose: { "export to \(UntrustedText($0[file]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        if let form = invocation[format] {
            guard !invocation[freeze] else { throw conflict("--format", "--freeze") }
            guard !invocation[ArchivePassphrase.asked], ArchivePassphrase.source(invocation) == nil else {
                throw conflict("--format", "--passphrase")
            }
            return try HistoryExport.run(form, invocation)
        }
        guard invocation[target] == nil else {
            throw Failure.targetWithoutFormat
        }
        return try archive(invocation)
    }

    private static func conflict(_ first: String, _ second: String) -> Failure {
        .exclusive("'\(first)'", "'\(second)'")
    }

    private static func archive(_ invocation: Invocation) throws -> ExitCode {
        // Who goes on elsewhere must know that nothing happens here any more; a copy is one of a moment.
        let access = StoreAccess(invocation, isWriting: invocation[freeze])
        let folder = try access.existingFolder()
        let place = try ExportPlace(invocation, besides: folder, isBinary: true)
        let (lock, key) = try access.unlock(folder)
        defer { withExtendedLifetime(lock) {} }
        let passphrase = try ArchivePassphrase.new(invocation)
        guard passphrase == nil || key != nil else { throw Reason.notEncrypted }
        try access.upgradeIfOlder(key)
        let progress = TransferProgress(invocation, "exporting")
        let report = try progress.run { step in
            try StoreExport.run(
                folder, key: key, passphrase: passphrase, freezes: invocation[freeze],
                to: StoreExport.Destination(write: place.write, publish: place.publish, progress: step),
                machine: invocation.machine)
        }
        for warning in report.warnings { invocation.warn(sentence(warning)) }
        if !report.isEncrypted { invocation.warn("the store is not encrypted, so everybody can read the archive") }
        if !invocation[freeze] {
            invocation.warn("never go on both here and with the archive: tacit export --freeze to move the store")
        }
        let keyPlace = try KeyPlace(invocation, folder)
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

    private static func sentence(_ warning: ArchiveError) -> String {
        switch warning {
        case .importError(let error): error
        case .fileError(let file, let error): "not in the archive: \(UntrustedText(file).quoted): \(error)"
        }
    }
}
