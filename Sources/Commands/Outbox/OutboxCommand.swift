import CommandKit

/// `tacit outbox`
enum OutboxCommand {
    static let command = Command(
        noun: "outbox", "See and move what waits to be sent", verbs: leaves.map(\.command), defaultVerb: "list")

    static let leaves = [OutboxListCommand.leaf, OutboxFlushCommand.leaf, OutboxDropCommand.leaf]
}
