import ChatCore
import CommandKit
import TerminalKit

/// `tacit invitation cancel`
enum InvitationCancelCommand {
    static let leaf: Leaf = .init(
        Command(
            "invitation cancel", "Cancel an unused invitation",
            promise: "the invitation is unusable; its queue is deleted on the relay now or with the next fetch",
            store: .writing, positionals: [InvitationCommand.name],
            examples: [Example("tacit invitation cancel id:i3", "Cancel an invitation")], exits: [67],
            reports: ConnectionReport.forms),
        purpose: { _ in "cancel the invitation" },
        body: { session in
            let invitation = try await InvitationCommand.chosen(session)
            session.progress.start { "deleting the queue" }
            let gone = try await session.execute(DeleteConnection(invitation.id)).connection
            session.progress.stop()
            try session.invocation.print(done: ConnectionReport(connection: gone, contact: nil))
            return .ok
        })
}
