import Store

extension ChatSchema {
    /// What a store remembers of the archives that were made of it, and of the one it was made of.
    static let exports = Migration(
        7, "exports",
        """
        CREATE TABLE exports (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            export_id BLOB NOT NULL UNIQUE,
            exported_at INTEGER NOT NULL,
            is_complete INTEGER NOT NULL,
            is_frozen INTEGER NOT NULL,
            -- How many messages all connections had sent and received.
            steps INTEGER NOT NULL,
            -- Set in the store that an archive became.
            imported_at INTEGER
        ) STRICT;
        """,
        down: Migration.Down(
            loses: "which archives were made of the store, and that it is frozen",
            "DROP TABLE exports;"))
}
