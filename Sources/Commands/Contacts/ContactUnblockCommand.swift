import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact unblock`
enum ContactUnblockCommand {
    static let leaf: Leaf = .init(
        Command(
            "contact unblock", "Receive from a contact again", promise: "the choice is on disk", store: .writing,
            positionals: [ContactCommand.target],
            examples: [Example("tacit contact unblock @bob", "From the next message on")], exits: [67],
            reports: ContactReport.forms),
        purpose: { "unblock \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in
            try await ContactCommand.change(session, deed: "unblocked") { BlockContact($0, false) }
        })
}
