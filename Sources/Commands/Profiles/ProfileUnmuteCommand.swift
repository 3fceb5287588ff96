import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile unmute`
enum ProfileUnmuteCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile unmute", "Be disturbed by what comes to a profile again", promise: "the choice is on disk",
            store: .writing, positionals: [ProfileCommand.name],
            examples: [Example("tacit profile unmute work", "As before")], exits: [67],
            reports: ProfileReport.forms),
        purpose: { "unmute the profile \(UntrustedText($0[ProfileCommand.name]).quoted)" },
        body: { try await ProfileCommand.mute($0, false) })
}
