import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit db thaw`
enum DatabaseThawCommand {
    static let leaf: Leaf = .init(
        Command(
            "db thaw", "Use a store that was exported, backed up or copied", promise: "the store can be used",
            store: .none, options: [Consent.yes],
            examples: [
                Example("tacit db thaw", "After export --freeze: the archive is used nowhere"),
                Example("TACIT_DIR=/backup/tacit-2026-11-20 tacit db thaw --yes", "The original of a backup is lost"),
            ],
            exits: [64, 69, 71, 77], reports: ThawReport.forms,
            discussion: """
                'tacit export --freeze' freezes a store, and 'tacit db backup' the copy that it makes. A frozen store can be \
                read; everything that would change it ends with 69. A store whose files were copied to another machine by hand \
                is not frozen, but every command that writes warns, and 'tacit status' reports the problem store.copied.

                Two stores that go on from one state break each other: relays deliver each message to only one of them, the \
                encryption of conversations gets out of step, and messages are lost. So thaw a store only if the archive, the \
                original or the other copy is used nowhere. Messages that were received elsewhere since do not come again; \
                'tacit contact resync' renews the encryption with one contact.

                A backup, and a copy made by hand, are thawed after a question, or with --yes. If an archive was imported and \
                this is the store that you want to keep, export it there with --freeze and import that archive here.
                """),
        isAlone: true, purpose: { _ in "let the store go on" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: true)
        let folder = try access.existingFolder()
        let (lock, key) = try access.unlock(folder)
        defer { withExtendedLifetime(lock) {} }
        _ = try access.upgradeLocked(.yesUp, key)
        let before = try StoreFreeze(of: folder, key: key, machine: invocation.machine)
        if let question = question(before, invocation) {
            try Consent.require(question, "tacit db thaw --yes", invocation, why: [danger])
        }
        try StoreFreeze.end(in: folder, key: key, machine: invocation.machine)
        try invocation.print(done: ThawReport(before: before))
        return .ok
    }

    private static let danger =
        "if the other one is used too, messages are lost and the encryption of conversations breaks"

    /// What a person must agree to; nil where the command itself says it.
    private static func question(_ state: StoreFreeze, _ invocation: Invocation) -> StyledText? {
        if let mark = state.mark, mark.isBackup {
            return StyledText("This store is a backup of \(invocation.time(mark.exportedAt)): \(danger). Use it?")
        }
        guard state.isCopy else { return nil }
        return StyledText("This store was copied from another machine: \(danger). Use it?")
    }
}

/// A store that goes on.
private struct ThawReport: Report {
    let before: StoreFreeze

    static let forms = [
        ReportForm(
            "thaw", "A store that goes on", plain: ["frozen_before"],
            [
                .always("frozen_before", .flag, "Whether it was frozen"),
                .sometimes("frozen_by", .word(["export", "backup"]), "What had frozen it"),
                .sometimes("backup_at", .time, "When the backup was made that it was"),
                .sometimes("copied_before", .flag, "Whether it was known as a copy from another machine"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "thaw")
        json.set("frozen_before", before.mark != nil)
        json.set("frozen_by", before.mark.map { $0.isBackup ? "backup" : "export" })
        if let mark = before.mark, mark.isBackup { json.set("backup_at", mark.exportedAt.description) }
        if before.isCopy { json.set("copied_before", true) }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        switch before.mark?.isBackup {
        case true?: ["the store goes on; do not use the original any more"]
        case false?: ["the store goes on; do not use the archive any more"]
        case nil:
            [
                before.isCopy
                    ? "the store goes on; do not use the other copy any more" : "the store was not frozen"
            ]
        }
    }
}
