import CommandKit
import TerminalKit

/// `tacit profile show`
enum ProfileShowCommand {
    static let name = Positional<String?>(
        optional: "NAME", "Profile name; without it, the active profile", .text("NAME", completing: .profile))

    static let leaf: Leaf = .init(
        Command(
            "profile show", "Show a profile", promise: "the profile was printed", store: .reading,
            positionals: [name],
            examples: [Example("tacit profile show --json | jq -r .name", "Print the name of the active profile")],
            exits: [67], reports: ProfileReport.forms),
        purpose: { "show the profile\($0[name].map { " \(UntrustedText($0).quoted)" } ?? "")" },
        body: { session in
            let name = session.invocation[name]
            let profile = if let name { try await session.profile(named: name) } else { try await session.profile() }
            try session.invocation.print(ProfileReport(profile: profile))
            return .ok
        })
}
