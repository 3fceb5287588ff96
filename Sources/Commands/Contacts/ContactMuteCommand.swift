import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact mute`
enum ContactMuteCommand {
    static let leaf: Leaf = .init(
        Command(
            "contact mute", "Mute a contact", promise: "the contact is muted on disk", store: .writing,
            positionals: [ContactCommand.target],
            examples: [Example("tacit contact mute @bob", "Mute bob; messages still arrive")], exits: [67],
            reports: ContactReport.forms,
            discussion: """
                Messages are received, counted and listed as usual. Notification hooks can check the field muted of the \
                contact and stay silent.
                """),
        purpose: { "mute \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        body: { session in
            try await ContactCommand.change(session, action: "muted") { MuteContact($0, true) }
        })
}
