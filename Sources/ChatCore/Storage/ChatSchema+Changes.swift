import Store

extension ChatSchema {
    /// What became of messages: their earlier versions, live ones, and where forwarded ones come from.
    static let changes = Migration(
        15, "versions of messages, live messages, sources of forwarded messages",
        """
        -- What a message said before it was changed, oldest first.
        CREATE TABLE item_versions (
            item_version_id INTEGER PRIMARY KEY AUTOINCREMENT,
            item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
            content TEXT NOT NULL,
            time INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX item_versions_item ON item_versions (item_id);

        -- 1 while it is being written, 0 when it is complete; NULL: it was never live
        ALTER TABLE items ADD COLUMN is_live INTEGER;
        -- JSON: the chat and the message that it was taken from; NULL: not forwarded, or nobody knows
        ALTER TABLE items ADD COLUMN forwarded_from TEXT;
        """,
        down: Migration.Down(
            loses: "earlier versions of messages, and the sources of forwarded messages",
            """
            ALTER TABLE items DROP COLUMN forwarded_from;
            ALTER TABLE items DROP COLUMN is_live;
            DROP TABLE item_versions;
            """))
}
