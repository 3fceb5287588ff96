import ChatCore
import CommandKit
import Host
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit db backup`
enum DatabaseBackupCommand {
    static let target = Positional<String>("DIR", "New folder for the copy", .path("DIR", completing: .folder))

    static let leaf: Leaf = .init(
        Command(
            "db backup", "Back up both databases while the store is in use",
            promise: "the copies are complete and on disk", store: .none, positionals: [target],
            examples: [
                Example("tacit db backup /backup/tacit-$(date +%F)", "Back up every night"),
                Example("TACIT_DIR=/backup/tacit-2026-11-20 tacit read", "Read messages of a backup"),
            ],
            exits: [65, 66, 71, 73, 75, 77], reports: BackupReport.forms,
            discussion: """
                The copy is a consistent snapshot. It is encrypted with the key of the store; the same passphrase or key file \
                opens it. The key is not part of the copy, and neither are received files: 'tacit export' includes files.

                The copy is frozen: it can be read, but sending, receiving and changes fail with 69. The store itself is not \
                affected.

                Use a backup only if the store is lost: copy it into the store folder and run 'tacit db thaw'. Never use both: \
                each message reaches only one of them, and the ratchets of conversations break. Messages received after the \
                backup are not delivered again. Conversations with messages sent or received since then may need 'tacit \
                contact resync'.
                """),
        purpose: { "copy the store to \(UntrustedText($0[target]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: false), folder = try access.existingFolder()
        let path = invocation[target], copy = StoreFolder(path)
        let key = try access.claim(folder).key
        do throws(SystemError) {
            let isFree = try Files.exists(path) ? Files.names(in: path).isEmpty : true
            guard isFree else {
                throw SystemError("create the folder", number: SystemError.exists)
            }
            try copy.create()
        } catch {
            throw Reason.backupFolder(error, at: path)
        }
        let progress = StepDisplay(invocation)
        let made = try StoreMaintenance.copy(folder, key: key, to: copy) { progress.show($0) }
        progress.hide()
        let keyPlace = try KeyPlace(invocation, folder)
        try invocation.print(done: BackupReport(path: path, copy: made, keyPlace: keyPlace?.text))
        if let keyPlace { invocation.note(StyledText("the key is not in the copy: \(keyPlace.sentence)")) }
        if !made.isFrozen {
            invocation.warn("the store has an early schema, so the copy is not frozen: never use both")
        }
        return .ok
    }
}

/// A copy of a store.
private struct BackupReport: Report {
    let path: String
    let copy: StoreMaintenance.Copy
    /// Where the key is; nil if the store is not encrypted.
    let keyPlace: String?

    static let forms = [
        ReportForm(
            "db-backup", "A backup of a store", plain: ["folder", "size"],
            [
                .always("folder", .text, "Folder of the backup"),
                .always("size", .size, "Size of the backup"),
                .always("encrypted", .flag, "True if the backup is encrypted"),
                .sometimes("key", .text, "Location of the key, which is not part of the backup; for people"),
                .always("frozen", .flag, "True if the backup is read-only until 'tacit db thaw'"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "db-backup")
        json.set("folder", path)
        json.set("size", copy.size)
        json.set("encrypted", keyPlace != nil)
        json.set("key", keyPlace)
        json.set("frozen", copy.isFrozen)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(path) + StyledText(" (\(copy.size) bytes)", .muted)]
    }
}
