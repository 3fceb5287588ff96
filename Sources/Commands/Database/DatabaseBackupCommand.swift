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

                Put a backup in the place of a store only if the store is lost, and never use both: conversations can go on \
                from one of them alone, and messages that were received after the backup was made do not come again.
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
            throw Reason(error, "the copy needs a new folder, or an empty one", at: path, "backup.folder", .noOutput)
        }
        let progress = StepDisplay(invocation)
        let size = try StoreCare.copy(folder, key: key, to: copy) { progress.show($0) }
        progress.hide()
        try invocation.print(done: BackupReport(path: path, size: size, isEncrypted: key != nil))
        return .ok
    }
}

/// A copy of a store.
private struct BackupReport: Report {
    let path: String
    let size: Int
    let isEncrypted: Bool

    static let forms = [
        ReportForm(
            "db-backup", "A copy of a store",
            [
                .always("folder", .text, "Where it is"),
                .always("size", .size, "Its size"),
                .always("encrypted", .flag, "Whether it is encrypted"),
            ])
    ]
    static let fields = ["folder", "size"]

    var json: JSONObject {
        var json = JSONObject(type: "db-backup")
        json.set("folder", path)
        json.set("size", size)
        json.set("encrypted", isEncrypted)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(path) + StyledText(" (\(size) bytes)", .muted)]
    }
}
