import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact mute`
enum ContactMuteCommand {
    static let leaf: Leaf = .init(
        Command(
            "contact mute", "Be disturbed by a contact no more", promise: "the choice is on disk", store: .writing,
            positionals: [ContactCommand.target],
            examples: [Example("tacit contact mute @bob", "What comes is still received")], exits: [67],
            reports: ContactReport.forms,
            discussion: """
                Messages are received, counted and listed as before. Programs that notify leave them out: the field \
                muted of contacts says so.
                """),
        purpose: { "mute \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in
            try await ContactCommand.change(session, deed: "muted") { MuteContact($0, true) }
        })
}
