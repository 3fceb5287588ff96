import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile mute`
enum ProfileMuteCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile mute", "Mute a profile", promise: "the profile is muted on disk",
            store: .writing, positionals: [ProfileCommand.name],
            examples: [Example("tacit profile mute work", "Mute a profile; messages still arrive")], exits: [67],
            reports: ProfileReport.forms),
        purpose: { "mute the profile \(UntrustedText($0[ProfileCommand.name]).quoted)" },
        body: { try await ProfileCommand.mute($0, true) })
}
