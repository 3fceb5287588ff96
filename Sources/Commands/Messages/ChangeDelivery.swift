import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// Has a change of a message reach the relay of the contact, as far as that is wanted.
struct ChangeDelivery {
    enum Stage: String, CaseIterable, Sendable {
        case queued, sent
    }

    static let wait = Option<Stage>(
        "wait", "Return when the change is queued, or sent to the relay", .choice(), default: .sent)
    static let timeout = Option<Duration>(
        "timeout", "Stop waiting after this time; the change stays in the outbox", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT")
    /// What exit 0 means for these commands.
    static let promise =
        "the change is on disk, and the relay has accepted it for the contact (with --wait queued: it is on disk)"

    let chat: Chat
    let session: CommandSession

    /// Waits, reports what was done and returns the exit code.
    func finish(_ reports: [ChangeReport], during purpose: String) async throws -> ExitCode {
        let invocation = session.invocation
        var reason: Reason?
        var isSent = false
        if invocation[ChangeDelivery.wait] == .sent {
            session.progress.start { "sending to \(chat.target)" }
            let command = DeliverMessages(.reference(chat.reference), timeout: invocation[ChangeDelivery.timeout])
            let delivery = try await session.execute(command)
            session.progress.stop()
            isSent = delivery.isComplete
            if !isSent {
                reason = .queued(delivery.obstacle, "the change is stored here; the next fetch sends it to the contact")
            }
        }
        for var report in reports {
            report.isSent = isSent
            try invocation.print(done: report)
        }
        return reason.map { invocation.report($0.failure(during: purpose)) } ?? .ok
    }
}
