import ChatCore
import CommandKit
import SMPProtocol
import TerminalKit

/// Sends what was done in a group to its members, as far as that is wanted.
enum GroupDelivery {
    static let wait = Option<ChangeDelivery.Stage>(
        "wait", "Return when the change is queued, or sent to the relays", .choice(), default: .sent)
    static let timeout = Option<Duration>(
        "timeout", "Stop waiting after this time; the change stays in the outbox", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT")
    static let options: [any DeclaresOption] = [wait, timeout]
    /// What exit 0 means for these commands.
    static let promise = "the change is on disk, and the relays were contacted (with --wait queued: it is on disk)"

    /// Sends what is queued and receives what waits, within the time of the user.
    static func finish(_ group: Group, _ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        guard invocation[wait] == .sent else { return .ok }
        session.progress.start { "sending to \(group.target)" }
        let report = try await session.execute(FetchMessages(timeout: invocation[timeout]))
        session.progress.stop()
        return .worst(
            of: report.obstacles.map {
                invocation.report(Reason($0).failure(during: "reach '\($0.server.location)'"))
            })
    }
}
