import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact block`
enum ContactBlockCommand {
    static let leaf: Leaf = .init(
        Command(
            "contact block", "Throw away what comes from a contact", promise: "the choice is on disk", store: .writing,
            positionals: [ContactCommand.target],
            examples: [Example("tacit contact block @bob", "The contact is not told")], exits: [67],
            reports: ContactReport.forms,
            discussion: """
                Messages of the contact are fetched and thrown away, without a receipt; they do not come back when it is \
                unblocked. Nothing can be sent to it meanwhile. To be rid of it for good: tacit contact delete.
                """),
        purpose: { "block \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in
            try await ContactCommand.change(session, deed: "blocked") { BlockContact($0, true) }
        })
}
