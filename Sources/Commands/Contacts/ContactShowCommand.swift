import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact show`
enum ContactShowCommand {
    static let leaf: Leaf = .init(
        Command(
            "contact show", "Show a contact", promise: "the contact was printed", store: .reading,
            positionals: [ContactCommand.target],
            examples: [Example("tacit contact show @bob --json", "Print all fields of a contact")], exits: [67],
            reports: ContactReport.forms),
        purpose: { "show \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in
            let contact = try await session.contact(session.invocation[ContactCommand.target])
            try session.invocation.print(ContactReport(contact: contact))
            return .ok
        })
}
