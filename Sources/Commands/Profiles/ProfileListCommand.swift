import CommandKit
import TerminalKit

/// `tacit profile list`
enum ProfileListCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile list", "List profiles", promise: "the list was printed", store: .reading,
            examples: [Example("tacit profile list", "List profiles; a star marks the active one")],
            reports: ProfileReport.forms),
        purpose: { _ in "list profiles" },
        body: { session in
            try session.invocation.print(list: try await session.profiles().map { ProfileReport(profile: $0) })
            return .ok
        })
}
