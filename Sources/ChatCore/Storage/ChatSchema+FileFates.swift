import Store

extension ChatSchema {
    /// The ends of files: what senders announced of them, what is deleted at relays, and which relays are used.
    static let fileFates = Migration(
        21, "ends of files, choice of file relays",
        """
        -- The SHA-512 of the content as the sender announced it; NULL: the sender did not.
        ALTER TABLE files ADD COLUMN digest BLOB;
        -- How an old version sends a file in messages: offer, sent; NULL: it comes through relays.
        ALTER TABLE files ADD COLUMN inline_mode TEXT;
        -- The pieces of such a file so far; last_part counts them.
        ALTER TABLE files ADD COLUMN content BLOB;
        -- 1: its message was deleted for all, so relays must not have it any longer.
        ALTER TABLE files ADD COLUMN is_revoked INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX files_revoked ON files (file_id) WHERE is_revoked = 1;

        -- 1: a relay of an operator whose use the user has chosen; others of operators are used if there are no own ones.
        ALTER TABLE file_servers ADD COLUMN is_preset INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE file_servers ADD COLUMN is_enabled INTEGER NOT NULL DEFAULT 1;
        """,
        down: Migration.Down(
            loses: "which file relays are switched off",
            """
            DELETE FROM file_servers WHERE is_preset = 1 OR is_enabled = 0;
            ALTER TABLE file_servers DROP COLUMN is_enabled;
            ALTER TABLE file_servers DROP COLUMN is_preset;
            DROP INDEX files_revoked;
            ALTER TABLE files DROP COLUMN is_revoked;
            ALTER TABLE files DROP COLUMN content;
            ALTER TABLE files DROP COLUMN inline_mode;
            ALTER TABLE files DROP COLUMN digest;
            """))
}
