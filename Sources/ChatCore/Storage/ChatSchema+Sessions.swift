import Store

extension ChatSchema {
    /// What came with sessions, with programs that are told what happened, and with messages that disappear.
    static let sessions = Migration(
        9, "sessions, hooks, notes, messages that disappear, hidden profiles",
        """
        -- Where a session is, and what the user decided about sessions and about how messages arrive.
        CREATE TABLE session_values (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Commands that were typed, oldest first.
        CREATE TABLE session_lines (
            line_id INTEGER PRIMARY KEY AUTOINCREMENT,
            line TEXT NOT NULL
        ) STRICT;

        -- What was typed and not sent.
        CREATE TABLE drafts (
            contact_id INTEGER PRIMARY KEY REFERENCES contacts ON DELETE CASCADE,
            draft TEXT NOT NULL,
            -- The entry that it answers
            answers INTEGER REFERENCES items ON DELETE SET NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;

        -- Programs that have yet to be told of something.
        CREATE TABLE hook_runs (
            hook_run_id INTEGER PRIMARY KEY AUTOINCREMENT,
            hook TEXT NOT NULL,
            profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
            event TEXT NOT NULL,
            object_id TEXT,
            chat_id TEXT,
            failures INTEGER NOT NULL DEFAULT 0,
            problem TEXT,
            created_at INTEGER NOT NULL
        ) STRICT;

        -- How long an entry stays, in seconds, and when it goes: for a received one that is known when it was read.
        ALTER TABLE items ADD COLUMN ttl INTEGER;
        ALTER TABLE items ADD COLUMN delete_at INTEGER;
        CREATE INDEX items_leaving ON items (delete_at) WHERE delete_at IS NOT NULL;

        ALTER TABLE profiles ADD COLUMN hidden_salt BLOB;
        ALTER TABLE profiles ADD COLUMN hidden_hash BLOB;

        -- The profile that was made up for this connection alone; NULL: the other side knows the profile itself
        ALTER TABLE connections ADD COLUMN incognito TEXT;

        -- Whether this is the conversation of a profile with itself.
        ALTER TABLE contacts ADD COLUMN is_notes INTEGER NOT NULL DEFAULT 0;
        CREATE UNIQUE INDEX contacts_notes ON contacts (profile_id) WHERE is_notes = 1;

        -- Contacts may send messages that disappear from now on, and have to be told so.
        UPDATE connections SET owes_profile = 1 WHERE contact_id IS NOT NULL AND status = 'ready';
        """,
        down: Migration.Down(
            loses: "notes, drafts, place and passcode of sessions, waiting hooks, hidden profiles, incognito contacts",
            """
            -- The former program would tell them who this is: it goes on with the conversations without the contacts.
            UPDATE contacts SET status = 'deletedByUser' WHERE contact_id IN
                (SELECT contact_id FROM connections WHERE incognito IS NOT NULL);
            UPDATE connections SET status = 'deleted', contact_id = NULL WHERE incognito IS NOT NULL;
            ALTER TABLE connections DROP COLUMN incognito;
            DELETE FROM names
            WHERE (profile_id, name) IN (SELECT profile_id, name FROM contacts WHERE is_notes = 1);
            DELETE FROM contacts WHERE is_notes = 1;
            DROP INDEX contacts_notes;
            ALTER TABLE contacts DROP COLUMN is_notes;
            ALTER TABLE profiles DROP COLUMN hidden_hash;
            ALTER TABLE profiles DROP COLUMN hidden_salt;
            DROP INDEX items_leaving;
            -- The former program would keep them for ever.
            DELETE FROM items WHERE delete_at IS NOT NULL;
            UPDATE chats SET last_item_id = (SELECT max(item_id) FROM items WHERE items.chat_id = chats.chat_id);
            ALTER TABLE items DROP COLUMN delete_at;
            ALTER TABLE items DROP COLUMN ttl;
            DROP TABLE hook_runs;
            DROP TABLE drafts;
            DROP TABLE session_lines;
            DROP TABLE session_values;
            """))
}
