import Store

extension ChatSchema {
    /// What came with commands that read on where they stopped, and with changes of what was said.
    static let receiving = Migration(
        8, "cursors, changes of messages, care of contacts",
        """
        CREATE TABLE cursors (
            profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
            name TEXT NOT NULL,
            -- NULL: all conversations of the profile
            contact_id INTEGER REFERENCES contacts ON DELETE CASCADE,
            -- The last entry before the place; 0: the beginning. The entry may have been removed since.
            item_id INTEGER NOT NULL,
            moved_at INTEGER NOT NULL,
            PRIMARY KEY (profile_id, name)
        ) STRICT, WITHOUT ROWID;

        -- Which entry was sent with a key. It stays when the entry is removed: the key was used.
        CREATE TABLE send_keys (
            contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
            key TEXT NOT NULL,
            item_id INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            PRIMARY KEY (contact_id, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX send_keys_age ON send_keys (used_at);

        ALTER TABLE items ADD COLUMN quote TEXT;
        ALTER TABLE items ADD COLUMN is_forwarded INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE items ADD COLUMN edited_at INTEGER;
        ALTER TABLE items ADD COLUMN deleted_at INTEGER;

        CREATE TABLE reactions (
            item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
            -- Who gave it
            direction TEXT NOT NULL,
            reaction TEXT NOT NULL,
            PRIMARY KEY (item_id, direction, reaction)
        ) STRICT, WITHOUT ROWID;

        -- What contacts have to be told besides new messages, until the agent has it.
        CREATE TABLE owed_events (
            owed_event_id INTEGER PRIMARY KEY AUTOINCREMENT,
            contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
            message TEXT NOT NULL
        ) STRICT;

        ALTER TABLE contacts ADD COLUMN is_muted INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE contacts ADD COLUMN is_blocked INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE contacts ADD COLUMN verified_code TEXT;
        ALTER TABLE contacts ADD COLUMN verified_at INTEGER;
        ALTER TABLE profiles ADD COLUMN is_muted INTEGER NOT NULL DEFAULT 0;

        -- Contacts may react to messages from now on, and have to be told so.
        UPDATE connections SET owes_profile = 1 WHERE contact_id IS NOT NULL AND status = 'ready';
        """,
        down: Migration.Down(
            loses: "cursors, keys of messages, quotes, reactions, and which contacts are muted, blocked or verified",
            """
            ALTER TABLE profiles DROP COLUMN is_muted;
            UPDATE contacts SET status = 'deleted' WHERE status = 'deletedByUser';
            ALTER TABLE contacts DROP COLUMN verified_at;
            ALTER TABLE contacts DROP COLUMN verified_code;
            ALTER TABLE contacts DROP COLUMN is_blocked;
            ALTER TABLE contacts DROP COLUMN is_muted;
            DROP TABLE owed_events;
            DROP TABLE reactions;
            ALTER TABLE items DROP COLUMN deleted_at;
            ALTER TABLE items DROP COLUMN edited_at;
            ALTER TABLE items DROP COLUMN is_forwarded;
            ALTER TABLE items DROP COLUMN quote;
            DROP TABLE send_keys;
            DROP TABLE cursors;
            """))
}
