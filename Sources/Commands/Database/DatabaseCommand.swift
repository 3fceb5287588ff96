import CommandKit

/// `tacit db`
enum DatabaseCommand {
    static let command = Command(
        noun: "db", "Look after the databases of the store", verbs: leaves.map(\.command))

    static let leaves = [
        DatabaseThawCommand.leaf
    ]
}
