import ChatCore
import CommandKit
import TerminalKit

/// `tacit status`
enum StatusCommand {
    static let check = Option<Bool>(
        flag: "check", "Exit with 1 if there is a problem", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "status", "Show the active profile, unread messages and the outbox", promise: "the status was printed",
            store: .reading, options: [check],
            examples: [
                Example("tacit status", "Show the status"),
                Example("tacit status --check || tacit fetch", "Fetch only if there is a problem"),
            ],
            exits: [1], reports: StatusSummary.forms + MigrationReport.forms,
            discussion: """
                With --check the exit code is 1 if there is a problem: no profile, no relay, queued messages or files, a relay that \
                could not be reached, a frozen or copied store, an unfinished migration, a ratchet out of sync, or a changed \
                security code of a verified contact. The check does not contact relays: it reports the last attempt of fetch, \
                watch or the daemon. tacit doctor makes the same checks and also checks the environment.
                """),
        purpose: { _ in "show the status" },
        run: { invocation in
            // There is no store yet, or none any longer.
            let migration = MigrationFolder(of: try invocation.storeFolder()), record = try migration.record()
            if let record, record.stage.refusal == .everything {
                try invocation.print(MigrationReport(migration, record))
                return invocation[check] ? .no : .ok
            }
            return try StoreOpener(invocation, isWriting: false).run(show)
        })

    @Sendable private static func show(_ session: CommandSession) async throws -> ExitCode {
        let summary = try await summary(session)
        guard session.invocation[check] else {
            try session.invocation.print(summary)
            return .ok
        }
        // The answer is the exit code.
        try session.invocation.print(done: summary)
        return summary.problems.isEmpty ? .ok : .no
    }

    /// What is so.
    static func summary(_ session: CommandSession) async throws -> StatusSummary {
        let folder = try session.invocation.storeFolder()
        let report = try await session.execute(ShowStatus(try await session.profileID()))
        return StatusSummary(
            folder: folder, report: report, holder: StoreLock.holder(of: folder),
            protection: try StoreProtection(of: folder), migration: try MigrationFolder(of: folder).record())
    }
}
