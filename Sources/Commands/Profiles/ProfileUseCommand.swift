import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile use`
enum ProfileUseCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile use", "Make a profile the active one", promise: "the profile is active on disk", store: .writing,
            positionals: [ProfileCommand.name], examples: [Example("tacit profile use work", "Make a profile active")],
            exits: [67], reports: ProfileReport.forms),
        purpose: { "use the profile \(UntrustedText($0[ProfileCommand.name]).quoted)" },
        body: { session in
            let profile = try await session.profile(named: session.invocation[ProfileCommand.name])
            let active = try await session.execute(ActivateProfile(profile.id)).profile
            try session.invocation.print(done: ProfileReport(profile: active, action: "active:"))
            return .ok
        })
}
