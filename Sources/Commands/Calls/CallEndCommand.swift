import ChatCore
import CommandKit
import TerminalKit

/// `tacit call end`
enum CallEndCommand {
    static let leaf: Leaf = .init(
        Command(
            "call end", "End a call", promise: "it is noted on disk, and the caller's relay has been told",
            store: .writing, positionals: [ContactCommand.target], options: [ChangeDelivery.timeout],
            examples: [Example("tacit call end @bob", "Whatever state it is in")], exits: [67, 69, 75],
            reports: MessageReport.forms),
        purpose: { "end the call with \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in try await CallNoun.carryOut(session) { chat, _ in EndCall(chat) } })
}
