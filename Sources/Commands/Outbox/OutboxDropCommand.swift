import ChatCore
import CommandKit
import TerminalKit

/// `tacit outbox drop`
enum OutboxDropCommand {
    static let messages = Positional<[ChatItemID]>(repeated: "ID", "Ids of messages in the outbox", ChatItemID.kind)

    static let leaf: Leaf = .init(
        Command(
            "outbox drop", "Drop messages from the outbox", promise: "the messages are deleted and will not be sent",
            store: .writing, positionals: [messages],
            examples: [Example("tacit outbox drop m12", "Drop a message before it is sent")], exits: [64, 67, 69],
            reports: ChangeReport.forms,
            discussion: """
                Later messages carry a sequence number, so the contact is told that a message is missing, but not its text.
                """),
        purpose: { _ in "drop messages" },
        body: { session in
            for id in session.invocation[messages] {
                for entry in try await session.execute(DropItem(id)).deleted {
                    try session.invocation.print(done: ChangeReport(action: .dropped, located: entry.before))
                }
            }
            return .ok
        })
}
