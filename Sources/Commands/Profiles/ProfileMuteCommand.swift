import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile mute`
enum ProfileMuteCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile mute", "Be disturbed by what comes to a profile no more", promise: "the choice is on disk",
            store: .writing, positionals: [ProfileCommand.name],
            examples: [Example("tacit profile mute work", "What comes is still received")], exits: [67],
            reports: ProfileReport.forms),
        purpose: { "mute the profile \(UntrustedText($0[ProfileCommand.name]).quoted)" },
        body: { try await ProfileCommand.mute($0, true) })
}
