import CommandKit

/// `tacit db`
enum DatabaseCommand {
    static let command = Command(
        noun: "db", "Maintain the databases: check, back up, change the key", verbs: leaves.map(\.command),
        defaultVerb: "info", topics: ["keys"],
        discussion: """
            A store consists of two databases: the chat database with profiles, contacts and messages, and the agent database \
            with connections, keys and the outbox. They belong together: never copy or restore one of them alone.
            """)

    static let leaves = [
        DatabaseInfoCommand.leaf, DatabaseCheckCommand.leaf, DatabaseCompactCommand.leaf, DatabaseBackupCommand.leaf,
        DatabaseRekeyCommand.leaf, DatabaseEncryptCommand.leaf, DatabaseDecryptCommand.leaf,
        DatabaseUpgradeCommand.leaf, DatabaseThawCommand.leaf,
    ]
}
