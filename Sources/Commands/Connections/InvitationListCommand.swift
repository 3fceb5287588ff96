import CommandKit
import TerminalKit

/// `tacit invitation list`
enum InvitationListCommand {
    static let leaf: Leaf = .init(
        Command(
            "invitation list", "List unused invitations", promise: "the list was printed",
            store: .reading, examples: [Example("tacit invitation", "List unused invitations")],
            reports: InvitationReport.forms),
        purpose: { _ in "list invitations" },
        body: { session in
            let invitations = try await InvitationCommand.all(session)
            try session.invocation.print(list: invitations.map { InvitationReport(connection: $0) })
            return .ok
        })
}
