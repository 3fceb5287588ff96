import ByteCoding
import ChatCore
import CommandKit
import Host
import JSONCoding
import TerminalKit

/// `tacit db thaw`
enum DatabaseThawCommand {
    static let leaf: Leaf = .init(
        Command(
            "db thaw", "Unfreeze an exported, backed up or copied store", promise: "the store can be used",
            store: .none, options: [Consent.yes],
            examples: [
                Example("tacit db thaw", "Use a store again whose archive was never imported"),
                Example(
                    "TACIT_DIR=/backup/tacit-2026-11-20 tacit db thaw --yes", "Use a backup whose original is lost"),
            ],
            exits: [64, 69, 71, 77], reports: ThawReport.forms,
            discussion: """
                'tacit export --freeze' freezes the store, and 'tacit db backup' freezes its copy. A frozen store is \
                read-only; all changes fail with 69. A store copied by hand to another machine is not frozen, but every \
                command that writes warns, and 'tacit status' reports the problem store.copied.

                Two active copies of one store break each other: relays deliver each message to only one of them, the ratchets \
                get out of sync, and messages are lost. Thaw a store only if the archive, original or copy is not in use. \
                Messages received elsewhere are not delivered again; 'tacit contact resync' repairs the ratchet with one \
                contact.

                Thawing a backup or a hand-made copy prompts for confirmation unless --yes is given. If the archive was \
                already imported but you want to keep this store, export the other one with --freeze and import that archive \
                here.
                """),
        isAlone: true, purpose: { _ in "thaw the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: true)
        let folder = try access.existingFolder()
        let claim = try access.claim(folder), key = claim.key
        defer { withExtendedLifetime(claim) {} }
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
        "if the other copy is used too, messages are lost and the ratchets of conversations break"

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
            "thaw", "A thawed store", plain: ["frozen_before"],
            [
                .always("frozen_before", .flag, "True if the store was frozen"),
                .sometimes("frozen_by", .word(["export", "backup"]), "Reason for the freeze"),
                .sometimes("backup_at", .time, "Time of the backup"),
                .sometimes("copied_before", .flag, "True if the store was marked as a copy from another machine"),
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
        case true?: ["the store is active; do not use the original"]
        case false?: ["the store is active; do not use the archive"]
        case nil:
            [
                before.isCopy
                    ? "the store is active; do not use the other copy" : "the store was not frozen"
            ]
        }
    }
}
