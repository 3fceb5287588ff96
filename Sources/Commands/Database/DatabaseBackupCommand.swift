import ChatCore
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit db backup`
enum DatabaseBackupCommand {
    static let target = Positional<String>("DIR", "The new folder", .path("DIR", completing: .folder))

    static let leaf: Leaf = .init(
        Command(
            "db backup", "Copy both databases as they are at one moment, while others use them",
            promise: "the copies are whole and on disk", store: .none, positionals: [target],
            examples: [
                Example("tacit db backup /backup/tacit-$(date +%F)", "Every night"),
                Example("TACIT_DIR=/backup/tacit-2026-11-20 tacit read", "Look into one"),
            ],
            exits: [65, 66, 71, 73, 75, 77], reports: BackupReport.forms,
            discussion: """
                The copy is encrypted with the same key as the store, and is opened by the same passphrase or key file, which is \
                not in it. Received files are not either; 'tacit export' has them.

                The copy is frozen: everything in it can be read, and whatever would send, receive or change something ends with \
                69. The store itself goes on.

                Use a backup only if the store is lost. Copy it to the folder of the store, and let it go on with 'tacit db thaw'. \
                Never use both: each message reaches only one of them, and the encryption of conversations breaks. Messages that \
                were received after the backup was made do not come again, and conversations in which something was sent or \
                received since may need 'tacit contact resync'.
                """),
        purpose: { "copy the store to \(UntrustedText($0[target]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: false), folder = try access.existingFolder()
        let path = invocation[target], copy = StoreFolder(path)
        let (_, key) = try access.unlock(folder)
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
        let made = try StoreCare.copy(folder, key: key, to: copy) { progress.show($0) }
        progress.hide()
        let keyPlace = try KeyPlace(invocation, folder)
        try invocation.print(done: BackupReport(path: path, copy: made, keyPlace: keyPlace?.text))
        if let keyPlace { invocation.note(StyledText("the key is not in the copy: \(keyPlace.sentence)")) }
        if !made.isFrozen {
            invocation.warn("the store is of an early version, so the copy is not frozen: never use both")
        }
        return .ok
    }
}

/// A copy of a store.
private struct BackupReport: Report {
    let path: String
    let copy: StoreCare.Copy
    /// Where the key is; nil if the store is not encrypted.
    let keyPlace: String?

    static let forms = [
        ReportForm(
            "db-backup", "A copy of a store", plain: ["folder", "size"],
            [
                .always("folder", .text, "Where it is"),
                .always("size", .size, "Its size"),
                .always("encrypted", .flag, "Whether it is encrypted"),
                .sometimes("key", .text, "Where the key is that opens it, and which is not inside; for people"),
                .always("frozen", .flag, "Whether it can only be read until 'tacit db thaw'"),
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
