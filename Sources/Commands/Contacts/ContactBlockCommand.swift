import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact block`
enum ContactBlockCommand {
    static let leaf: Leaf = .init(
        Command(
            "contact block", "Discard messages from a contact", promise: "the contact is blocked on disk",
            store: .writing,
            positionals: [ContactCommand.target],
            examples: [Example("tacit contact block @bob", "Block bob without telling bob")], exits: [67],
            reports: ContactReport.forms,
            discussion: """
                Messages of a blocked contact are received and discarded, without a delivery receipt; unblocking does not \
                restore them. You cannot send to a blocked contact. To end the connection, use tacit contact delete.
                """),
        purpose: { "block \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in
            try await ContactCommand.change(session, action: "blocked") { BlockContact($0, true) }
        })
}
