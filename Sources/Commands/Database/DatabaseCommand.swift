import CommandKit

/// `tacit db`
enum DatabaseCommand {
    static let command = Command(
        noun: "db", "Look after the databases of the store", verbs: leaves.map(\.command),
        defaultVerb: "info", topics: ["keys"],
        discussion: """
            A store is two databases, one with what people want to keep and one with what conversations need to go on. They \
            belong together: never copy or restore one of them alone.
            """)

    static let leaves = [
        DatabaseInfoCommand.leaf, DatabaseCheckCommand.leaf, DatabaseCompactCommand.leaf, DatabaseBackupCommand.leaf,
        DatabaseRekeyCommand.leaf, DatabaseEncryptCommand.leaf, DatabaseDecryptCommand.leaf,
        DatabaseUpgradeCommand.leaf,
    ]
}
