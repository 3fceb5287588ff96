import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile unmute`
enum ProfileUnmuteCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile unmute", "Unmute a profile", promise: "the profile is unmuted on disk",
            store: .writing, positionals: [ProfileCommand.name],
            examples: [Example("tacit profile unmute work", "Unmute a profile")], exits: [67],
            reports: ProfileReport.forms),
        purpose: { "unmute the profile \(UntrustedText($0[ProfileCommand.name]).quoted)" },
        body: { try await ProfileCommand.mute($0, false) })
}
