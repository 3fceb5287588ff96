import CommandKit

/// `tacit message`
enum MessageCommand {
    static let command = Command(
        noun: "message", "Look after single messages", verbs: [MessageWaitCommand.leaf.command])

    static let leaves = [MessageWaitCommand.leaf]
}
