import ChatCore
import CommandKit
import TerminalKit

/// `tacit status`
enum StatusCommand {
    static let check = Option<Bool>(
        flag: "check", "Exit with 1 if something is not as it should be", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "status", "Show the profile, what waits, and who uses the store", promise: "the status was printed",
            store: .reading, options: [check],
            examples: [
                Example("tacit status", "What is so"),
                Example("tacit status --check || tacit fetch", "Only if there is something to do"),
            ],
            exits: [1], reports: StatusSummary.forms,
            discussion: """
                With --check the exit code is 1 if there is no profile, if the profile has no relay, if messages wait in the \
                outbox, if the store is frozen or a copy from another machine, if the encryption with a contact is out of step, \
                or if the security code of a contact changed after it was compared. The relays are not asked. tacit doctor finds \
                the same, and looks at everything around it.
                """),
        purpose: { _ in "show the status" },
        body: { session in
            let summary = try await summary(session)
            guard session.invocation[check] else {
                try session.invocation.print(summary)
                return .ok
            }
            // The answer is the exit code.
            try session.invocation.print(done: summary)
            return summary.problems.isEmpty ? .ok : .no
        })

    /// What is so.
    static func summary(_ session: StoreSession) async throws -> StatusSummary {
        let folder = try session.invocation.storeFolder()
        let report = try await session.execute(ShowStatus(try await session.profileID()))
        return StatusSummary(
            folder: folder, report: report, holder: StoreLock.holder(of: folder),
            protection: try StoreProtection(of: folder))
    }
}
