import Store

extension ChatSchema {
    /// What tells a copy of a store from the store itself, and which contacts need care.
    static let copies = Migration(
        11, "copies of stores, ratchets out of step, security codes that changed",
        """
        ALTER TABLE exports ADD COLUMN is_backup INTEGER NOT NULL DEFAULT 0;

        -- Where the store was used last. No row: nowhere yet.
        CREATE TABLE place (
            only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
            -- A hash of the machine's identity.
            machine BLOB NOT NULL,
            -- The inodes of the chat database and of the folder of the store.
            database_inode INTEGER NOT NULL,
            folder_inode INTEGER NOT NULL
        ) STRICT;

        -- Whether the ratchets of both sides fit, as the agent has it.
        ALTER TABLE connections ADD COLUMN synchronization INTEGER NOT NULL DEFAULT 0;
        UPDATE connections SET synchronization = coalesce((
            SELECT CAST(content AS INTEGER) FROM items JOIN chats USING (chat_id)
            WHERE chats.contact_id = connections.contact_id AND kind = 'synchronization'
                AND content IN ('0', '1', '2', '3', '4')
            ORDER BY item_id DESC LIMIT 1), 0);
        CREATE INDEX connections_out_of_step ON connections (connection_id) WHERE synchronization != 0;

        -- When a security code that had been compared became another one.
        ALTER TABLE contacts ADD COLUMN code_changed_at INTEGER;
        """,
        down: Migration.Down(
            loses: "which frozen stores are backups, which contacts are out of step, and which security codes changed",
            """
            ALTER TABLE contacts DROP COLUMN code_changed_at;
            DROP INDEX connections_out_of_step;
            ALTER TABLE connections DROP COLUMN synchronization;
            DROP TABLE place;
            ALTER TABLE exports DROP COLUMN is_backup;
            """))
}
