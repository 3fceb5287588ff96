import CommandKit

/// `tacit message`
enum MessageCommand {
    static let command = Command(noun: "message", "Manage messages", verbs: leaves.map(\.command))

    static let leaves = [
        MessageShowCommand.leaf, MessageSearchCommand.leaf, MessageEditCommand.leaf, MessageDeleteCommand.leaf,
        MessagePurgeCommand.leaf,
        MessageReactCommand.leaf, MessageForwardCommand.leaf, MessageMarkCommand.leaf, MessageWaitCommand.leaf,
    ]
}
