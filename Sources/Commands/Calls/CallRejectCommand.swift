import ChatCore
import CommandKit
import TerminalKit

/// `tacit call reject`
enum CallRejectCommand {
    static let leaf: Leaf = .init(
        Command(
            "call reject", "Decline a call",
            promise: "the answer is on disk, and the relay has accepted it for the caller",
            store: .writing, positionals: [ContactCommand.target], options: [ChangeDelivery.timeout],
            examples: [Example("tacit call reject @bob", "Decline a call")], exits: [67, 69, 75],
            reports: MessageReport.forms),
        purpose: { "decline the call of \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in try await CallNoun.carryOut(session) { chat, _ in RejectCall(chat) } })
}
