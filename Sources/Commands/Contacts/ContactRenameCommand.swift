import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact rename`
enum ContactRenameCommand {
    static let name = Positional<String>("NAME", "New local name", .text("NAME"))

    static let leaf: Leaf = .init(
        Command(
            "contact rename", "Change the local name of a contact", promise: "the name is on disk", store: .writing,
            positionals: [ContactCommand.target, name],
            examples: [Example("tacit contact rename @bob 'Robert Lee'", "Rename bob; the contact is not told")],
            exits: [64, 67, 73], reports: ContactReport.forms),
        purpose: { "rename \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in
            let name = session.invocation[name]
            return try await ContactCommand.change(session, action: "renamed") { RenameContact($0, name: name) }
        })
}
