import ChatCore
import CommandKit
import TerminalKit

/// `tacit call`
enum CallNoun {
    static let command = Command(
        noun: "call", "See who calls, take calls up, and decline", verbs: leaves.map(\.command), defaultVerb: "list")

    static let leaves = [
        CallListCommand.leaf, CallAcceptCommand.leaf, CallRejectCommand.leaf, CallEndCommand.leaf,
    ]

    /// Changes a call, and has the caller's relay told.
    ///
    /// - Parameter command: Gets the conversation, and the call if one waits.
    static func carryOut(
        _ session: StoreSession, _ command: (ChatTarget, CallRecord?) -> CallCommand
    ) async throws -> ExitCode {
        let invocation = session.invocation
        let contact = try await session.contact(invocation[ContactCommand.target])
        let chat = ChatTarget.reference(.contact(contact.id))
        guard case .calls(_, let waiting) = try await session.execute(.call(.list(contact.profileID))) else {
            throw UnexpectedResponse()
        }
        let call = waiting.first { $0.contact.id == contact.id }?.item.content.call
        let located: LocatedItem
        switch try await session.execute(.call(command(chat, call))) {
        case .callEnded(_, let item), .callAccepted(_, let item): located = item
        default: throw UnexpectedResponse()
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
