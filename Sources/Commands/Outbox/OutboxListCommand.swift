import ChatCore
import CommandKit
import TerminalKit

/// `tacit outbox list`
enum OutboxListCommand {
    static let leaf: Leaf = .init(
        Command(
            "outbox list", "List queued messages", promise: "the list was printed", store: .reading,
            examples: [
                Example("tacit outbox list", "List queued messages"),
                Example(
                    "tacit outbox list --plain --fields id,chat,reason",
                    "List queued messages with the reason for the delay"),
            ],
            reports: MessageReport.forms),
        purpose: { _ in "list the outbox" },
        body: { session in
            try session.invocation.print(listed: try await all(session))
            return .ok
        })

    /// The oldest first.
    static func all(_ session: CommandSession) async throws -> [LocatedItem] {
        try await session.execute(ListOutbox(try await session.profileID())).items
    }
}
