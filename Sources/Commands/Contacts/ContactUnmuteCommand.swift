import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact unmute`
enum ContactUnmuteCommand {
    static let leaf: Leaf = .init(
        Command(
            "contact unmute", "Unmute a contact", promise: "the contact is unmuted on disk", store: .writing,
            positionals: [ContactCommand.target],
            examples: [Example("tacit contact unmute @bob", "Unmute bob")], exits: [67], reports: ContactReport.forms),
        purpose: { "unmute \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in
            try await ContactCommand.change(session, action: "unmuted") { MuteContact($0, false) }
        })
}
