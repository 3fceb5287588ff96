import ChatCore
import CommandKit
import TerminalKit

/// `tacit call`
enum CallNoun {
    static let command = Command(
        noun: "call", "List, accept and decline calls", verbs: leaves.map(\.command), defaultVerb: "list")

    static let leaves = [
        CallListCommand.leaf, CallAcceptCommand.leaf, CallRejectCommand.leaf, CallEndCommand.leaf,
    ]

    /// Changes a call, and has the caller's relay told.
    ///
    /// - Parameter command: Gets the conversation, and the call if one waits.
    static func carryOut<Change: ChatCommand>(
        _ session: CommandSession, _ command: (ChatTarget, CallRecord?) -> Change
    ) async throws -> ExitCode where Change.Response == CallChange {
        let invocation = session.invocation
        let contact = try await session.contact(invocation[ContactCommand.target])
        let chat = ChatTarget.reference(.direct(contact.id))
        let waiting = try await session.execute(ListCalls(contact.profileID)).calls
        let call = waiting.first { $0.chat.reference == .direct(contact.id) }?.item.content.call
        let changed = try await session.execute(command(chat, call)).call
        try invocation.print(done: MessageReport(changed))
        session.progress.start { "sending to \(contact.target)" }
        let delivery = try await session.execute(
            DeliverMessages(chat, timeout: invocation[ChangeDelivery.timeout]))
        session.progress.stop()
        if delivery.isComplete { return .ok }
        let reason = Reason.queued(
            delivery.obstacle, "the change is stored here; the next fetch sends it to the contact")
        return invocation.report(reason.failure(during: "tell \(contact.target)"))
    }
}
