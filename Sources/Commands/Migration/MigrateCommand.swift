import ChatCore
import CommandKit
import TerminalKit

/// `tacit migrate`
enum MigrateCommand {
    static let command = Command(
        noun: "migrate", "Move this store to another machine", verbs: leaves.map(\.command), defaultVerb: "status",
        topics: ["keys"],
        discussion: """
            'tacit migrate to' freezes the store, uploads its archive to file relays, and prints a link. 'tacit migrate from \
            LINK' on the other machine downloads the archive, makes a store of it, and reports to this machine. 'tacit migrate \
            finish' then deletes the store here.

              old$ tacit migrate to
              new$ tacit migrate from LINK
              old$ tacit migrate finish

            Until then, other commands refuse to use the old store: relays deliver each message to one place only, and two \
            stores in use break conversations. 'tacit migrate cancel' returns to the old store.

            Each step can be interrupted, also by a crash: 'tacit migrate resume' continues. The state is in a folder beside \
            the store, whose name ends with .migration.
            """)

    static let leaves = [
        MigrateToCommand.leaf, MigrateFromCommand.leaf, MigrateStatusCommand.leaf, MigrateResumeCommand.leaf,
        MigrateFinishCommand.leaf, MigrateCancelCommand.leaf,
    ]

    static let noWait = Option<Bool>(flag: "no-wait", "Do not wait for the report of the other machine")
    static let timeout = Option<Duration>(
        "timeout", "Stop waiting for the other machine after this time", .duration(), default: .seconds(3600),
        isCommon: true)
    static let stall = Option<Duration>(
        "stall", "Stop a transfer after this time without progress", .duration(), default: .seconds(60))
}

/// `tacit migrate to`
enum MigrateToCommand {
    /// A form of the archive, besides that of this program.
    enum Form: String, CaseIterable, Sendable {
        /// An archive for the official apps.
        case official
    }

    static let format = Option<Form?>(
        "format", "Move the store to a SimpleX Chat app", .choice(), defaultText: "move it to tacit", isCommon: true
    ).withoutSetting

    static let leaf: Leaf = .init(
        Command(
            "migrate to", "Freeze the store and upload its archive",
            promise: "the other machine has reported that it has the store (with --no-wait: the link works)",
            store: .none,
            options: [
                LinkPicture.option, MigrateCommand.noWait, MigrateCommand.timeout, MigrateCommand.stall, format,
                ExportCommand.officialVersion, ArchivePassphrase.asked, ArchivePassphrase.file,
                ArchivePassphrase.descriptor,
            ],
            examples: [
                Example("tacit migrate to", "Move the store, and wait until the other machine has it"),
                Example("tacit migrate to --qr --no-wait", "Show the link as a QR code too, and return"),
                Example("tacit migrate to --passphrase", "Set a passphrase for the archive first"),
                Example("tacit migrate to --format official --qr", "Move the store to a SimpleX Chat app"),
            ],
            exits: [65, 66, 69, 71, 73, 75, 77, 78], reports: MigrationReport.forms, topics: ["keys"],
            discussion: """
                The archive is that of 'tacit export': databases keep the encryption of the store, and the whole archive is \
                encrypted again for the file relays. Keep the link secret: it downloads the archive, once, within 48 hours.

                The key of the store is not in the archive. Copy the key file to the other machine, or use --passphrase: the \
                archive then also opens with its own passphrase.

                With --format official the archive is that of 'tacit export --format official', and the link is for 'Migrate \
                from another device' of a SimpleX Chat app. The app asks for the passphrase of the archive, which is prompted \
                for here, and does not report: 'tacit migrate finish' deletes the store when the app works.

                The active profile's file relays are used: its own, or the public ones. File relays learn the size of the \
                archive and the IP addresses of both machines, unless a proxy is set.
                """),
        isAlone: true, purpose: { _ in "move the store" },
        run: { invocation in try MigrationRun(invocation).begin() })
}

/// `tacit migrate from`
enum MigrateFromCommand {
    static let link = Positional<String>("LINK", "Link that the other machine has printed", .text("LINK"))

    static let leaf: Leaf = .init(
        Command(
            "migrate from", "Download the archive of another machine and import it",
            promise: "the store is on this machine", store: .none, positionals: [link],
            options: [
                ImportCommand.replace, MigrateCommand.stall, ArchivePassphrase.file, ArchivePassphrase.descriptor,
                InitCommand.newKeyFile, Consent.yes,
            ],
            examples: [
                Example("tacit migrate from 'simplex:/file#/?desc=...'", "Move a store to this machine"),
                Example(
                    "tacit migrate from 'simplex:/file#/?desc=...' --key-file old.key",
                    "Use the key file of the other machine"),
            ],
            exits: [64, 65, 66, 69, 71, 73, 75, 77], reports: MigrationReport.forms + ImportReport.forms,
            topics: ["keys"],
            discussion: """
                Quote the link for the shell. It works once; if it was used or is older than 48 hours, the exit code is 69.

                Keys are found as by 'tacit import': the key of the store, from --key-file or a place listed by 'tacit help \
                keys', or else the passphrase of the archive. A wrong or missing key (77) leaves the archive on this machine: \
                'tacit migrate resume' asks again.

                A link of the official apps works too; their archive has the passphrase of the app.

                After the import, the new store receives its messages, and the other machine is told if it can be reached.
                """),
        isAlone: true, purpose: { _ in "move a store to this machine" },
        run: { invocation in
            try MigrationRun(invocation).begin(from: invocation[link], invocation[ImportCommand.replace])
        })
}

/// `tacit migrate status`
enum MigrateStatusCommand {
    static let leaf: Leaf = .init(
        Command(
            "migrate status", "Show an unfinished migration", promise: "the status was printed", store: .none,
            examples: [Example("tacit migrate status", "Show what the migration waits for")],
            exits: [74], reports: MigrationReport.forms,
            discussion: """
                Without an unfinished migration, the state is none. The store is not opened, and relays are not contacted.
                """),
        purpose: { _ in "show the migration" },
        run: { invocation in
            let folder = MigrationFolder(of: try invocation.storeFolder())
            try invocation.print(MigrationReport(folder, try folder.record()))
            return .ok
        })
}

/// `tacit migrate resume`
enum MigrateResumeCommand {
    static let leaf: Leaf = .init(
        Command(
            "migrate resume", "Continue an unfinished migration",
            promise: "the step of 'tacit migrate to', from, finish or cancel that was interrupted is done",
            store: .none,
            options: [
                LinkPicture.option, MigrateCommand.noWait, MigrateCommand.timeout, MigrateCommand.stall,
                ArchivePassphrase.asked, ArchivePassphrase.file, ArchivePassphrase.descriptor, InitCommand.newKeyFile,
            ],
            examples: [
                Example("tacit migrate resume", "Continue, on either machine"),
                Example("tacit migrate resume --passphrase-file words.txt", "Open the downloaded archive"),
            ],
            exits: [65, 66, 67, 69, 71, 73, 75, 77, 78], reports: MigrationReport.forms + ImportReport.forms,
            discussion: """
                Prints the link again, and waits as 'tacit migrate to' does. A link that has expired is replaced by a new one.

                --passphrase is for an archive that is not complete yet; the other options about keys are for the import.
                """),
        isAlone: true, purpose: { _ in "continue the migration" },
        run: { invocation in try MigrationRun(invocation).resume() })
}

/// `tacit migrate finish`
enum MigrateFinishCommand {
    static let leaf: Leaf = .init(
        Command(
            "migrate finish", "Delete the store that was moved to another machine",
            promise: "the store is deleted from this machine", store: .none, options: [Consent.yes],
            examples: [Example("tacit migrate finish --yes", "Delete the old store after the move, without a prompt")],
            exits: [64, 67, 69, 74, 75], reports: MigrationReport.forms,
            discussion: """
                Prompts for confirmation unless --yes is given, and says whether the other machine has reported that it has the \
                store. The databases, files, backups and the uploaded archive are deleted; the key file stays.
                """),
        isAlone: true, purpose: { _ in "finish the migration" },
        run: { invocation in try MigrationRun(invocation).finish() })
}

/// `tacit migrate cancel`
enum MigrateCancelCommand {
    static let leaf: Leaf = .init(
        Command(
            "migrate cancel", "Cancel an unfinished migration",
            promise: "the migration is over: the old store is active again, or the download is deleted", store: .none,
            options: [Consent.yes],
            examples: [Example("tacit migrate cancel --yes", "Use the store on this machine again, without a prompt")],
            exits: [64, 67, 69, 74, 75, 77], reports: MigrationReport.forms,
            discussion: """
                On the old machine, the uploaded archive is deleted and the store becomes active again. Once the link was \
                printed, this prompts for confirmation unless --yes is given: if the other machine has the store, both use the \
                same keys, messages reach only one of them, and conversations break. 'tacit contact resync' repairs one contact.

                On the new machine, the downloaded archive is deleted, also after confirmation: its link does not work again.
                """),
        isAlone: true, purpose: { _ in "cancel the migration" },
        run: { invocation in try MigrationRun(invocation).cancel() })
}
