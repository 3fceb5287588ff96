import ChatCore
import CommandKit
import TerminalKit

/// `tacit outbox drop`
enum OutboxDropCommand {
    static let messages = Positional<[ChatItemID]>(repeated: "ID", "Messages in the outbox", ChatItemID.kind)

    static let leaf: Leaf = .init(
        Command(
            "outbox drop", "Forget messages that no relay has yet", promise: "they are gone, and will not be sent",
            store: .writing, positionals: [messages],
            examples: [Example("tacit outbox drop m12", "It was too late anyway")], exits: [64, 67, 69],
            reports: ChangeReport.forms,
            discussion: """
                What is sent later carries its number, so the contact is told that a message is missing, and not what it said.
                """),
        purpose: { _ in "drop messages" },
        body: { session in
            for id in session.invocation[messages] {
                for entry in try await session.execute(DropItem(id)).deleted {
                    try session.invocation.print(done: ChangeReport(deed: .dropped, located: entry.before))
                }
            }
            return .ok
        })
}
