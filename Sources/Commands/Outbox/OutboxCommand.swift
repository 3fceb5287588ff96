import CommandKit

/// `tacit outbox`
enum OutboxCommand {
    static let command = Command(
        noun: "outbox", "Manage queued messages", verbs: leaves.map(\.command), defaultVerb: "list")

    static let leaves = [OutboxListCommand.leaf, OutboxFlushCommand.leaf, OutboxDropCommand.leaf]
}
