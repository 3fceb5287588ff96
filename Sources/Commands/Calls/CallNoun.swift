import ChatCore
import CommandKit
import TerminalKit

/// `tacit call`
enum CallNoun {
    static let command = Command(
        noun: "call", "See who calls, and decline", verbs: leaves.map(\.command), defaultVerb: "list")

    static let leaves = [CallListCommand.leaf, CallRejectCommand.leaf, CallEndCommand.leaf]

    /// Ends a call, and has the caller's relay told.
    static func finish(
        _ session: StoreSession, _ command: (ChatTarget) -> CallCommand
    ) async throws -> ExitCode {
        let invocation = session.invocation
        let contact = try await session.contact(invocation[ContactCommand.target])
        let chat = ChatTarget.reference(.contact(contact.id))
        guard case .callEnded(_, let located) = try await session.execute(.call(command(chat))) else {
            throw UnexpectedResponse()
        }
        try invocation.print(done: MessageReport(located))
        session.progress.start { "telling \(contact.target)" }
        let response = try await session.execute(.deliver(chat, timeout: invocation[ChangeDelivery.timeout]))
        session.progress.stop()
        guard case .delivered(_, _, let isComplete, let obstacle) = response else { throw UnexpectedResponse() }
        if isComplete { return .ok }
        let reason = Reason.queued(obstacle, "it is done here; the contact is told with the next fetch")
        return invocation.report(reason.failure(during: "tell \(contact.target)"))
    }
}
