import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact unblock`
enum ContactUnblockCommand {
    static let leaf: Leaf = .init(
        Command(
            "contact unblock", "Unblock a contact", promise: "the contact is unblocked on disk", store: .writing,
            positionals: [ContactCommand.target],
            examples: [Example("tacit contact unblock @bob", "Receive bob's next messages")], exits: [67],
            reports: ContactReport.forms),
        purpose: { "unblock \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in
            try await ContactCommand.change(session, action: "unblocked") { BlockContact($0, false) }
        })
}
