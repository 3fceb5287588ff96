import Store

extension ChatSchema {
    /// What became of messages: their versions, live ones, where forwarded ones come from, and the keys of calls.
    static let changes = Migration(
        15, "versions of messages, live messages, sources of forwarded messages, keys of calls",
        """
        -- What a message said, oldest first, with what it says now; nothing if it was never changed.
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
        -- The entry that it quotes, which may have been removed since.
        ALTER TABLE items ADD COLUMN quoted_item_id INTEGER;

        -- What both sides of a call that is not over agree on.
        CREATE TABLE call_keys (
            item_id INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
            uuid TEXT NOT NULL,
            -- The own part of the key agreement: X25519, raw.
            private_key BLOB,
            shared_key BLOB
        ) STRICT;
        """,
        down: Migration.Down(
            loses: "earlier versions of messages, and the sources of forwarded messages",
            """
            DROP TABLE call_keys;
            ALTER TABLE items DROP COLUMN quoted_item_id;
            ALTER TABLE items DROP COLUMN forwarded_from;
            ALTER TABLE items DROP COLUMN is_live;
            DROP TABLE item_versions;
            """))
}
