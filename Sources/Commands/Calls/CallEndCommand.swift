import ChatCore
import CommandKit
import TerminalKit

/// `tacit call end`
enum CallEndCommand {
    static let leaf: Leaf = .init(
        Command(
            "call end", "End a call", promise: "the end is on disk, and the relay has accepted it for the caller",
            store: .writing, positionals: [ContactCommand.target], options: [ChangeDelivery.timeout],
            examples: [Example("tacit call end @bob", "End a call in any state")], exits: [67, 69, 75],
            reports: MessageReport.forms),
        purpose: { "end the call with \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in try await CallNoun.carryOut(session) { chat, _ in EndCall(chat) } })
}
