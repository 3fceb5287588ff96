import Store

extension ChatSchema {
    /// Chats of three kinds. Notes were a contact with a mark, and everything that belongs to a chat belonged to a contact.
    static let chats = Migration(
        14, "chats with contacts, in groups, and notes",
        """
        CREATE TABLE groups (
            group_id INTEGER PRIMARY KEY AUTOINCREMENT,
            profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
            name TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (profile_id, name)
        ) STRICT;

        -- The number is one that no contact has.
        CREATE TABLE note_folders (
            note_folder_id INTEGER PRIMARY KEY,
            profile_id INTEGER NOT NULL UNIQUE REFERENCES profiles ON DELETE CASCADE,
            name TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;
        INSERT INTO note_folders (note_folder_id, profile_id, name, created_at, updated_at)
            SELECT contact_id, profile_id, name, created_at, updated_at FROM contacts WHERE is_notes = 1;

        ALTER TABLE chats ADD COLUMN group_id INTEGER REFERENCES groups ON DELETE CASCADE;
        ALTER TABLE chats ADD COLUMN note_folder_id INTEGER REFERENCES note_folders ON DELETE CASCADE
            CHECK ((contact_id IS NULL) + (group_id IS NULL) + (note_folder_id IS NULL) = 2);
        CREATE UNIQUE INDEX chats_group ON chats (group_id) WHERE group_id IS NOT NULL;
        CREATE UNIQUE INDEX chats_notes ON chats (note_folder_id) WHERE note_folder_id IS NOT NULL;
        -- Seconds after which messages are removed here; 0: never; NULL: as the profile has it
        ALTER TABLE chats ADD COLUMN retention INTEGER;
        -- Seconds after which own messages disappear unless something else is said
        ALTER TABLE chats ADD COLUMN expiry INTEGER;
        UPDATE chats SET
            retention = (SELECT retention FROM contacts WHERE contacts.contact_id = chats.contact_id),
            expiry = (SELECT expiry FROM contacts WHERE contacts.contact_id = chats.contact_id);

        -- NULL: all chats of the profile
        ALTER TABLE cursors ADD COLUMN chat_id INTEGER REFERENCES chats ON DELETE CASCADE;
        UPDATE cursors SET chat_id = (SELECT chat_id FROM chats WHERE chats.contact_id = cursors.contact_id)
            WHERE contact_id IS NOT NULL;
        ALTER TABLE cursors DROP COLUMN contact_id;

        CREATE TABLE chat_drafts (
            chat_id INTEGER PRIMARY KEY REFERENCES chats ON DELETE CASCADE,
            draft TEXT NOT NULL,
            -- The entry that it answers
            answers INTEGER REFERENCES items ON DELETE SET NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;
        INSERT INTO chat_drafts (chat_id, draft, answers, updated_at)
            SELECT chat_id, draft, answers, updated_at FROM drafts JOIN chats USING (contact_id);
        DROP TABLE drafts;
        ALTER TABLE chat_drafts RENAME TO drafts;

        CREATE TABLE chat_send_keys (
            chat_id INTEGER NOT NULL REFERENCES chats ON DELETE CASCADE,
            key TEXT NOT NULL,
            item_id INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            -- The last of several messages that were sent with the key; NULL: there was one
            last_item_id INTEGER,
            PRIMARY KEY (chat_id, key)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO chat_send_keys (chat_id, key, item_id, used_at, last_item_id)
            SELECT chat_id, key, item_id, used_at, send_keys.last_item_id FROM send_keys JOIN chats USING (contact_id);
        DROP TABLE send_keys;
        ALTER TABLE chat_send_keys RENAME TO send_keys;
        CREATE INDEX send_keys_age ON send_keys (used_at);

        UPDATE chats SET note_folder_id = contact_id, contact_id = NULL
            WHERE contact_id IN (SELECT contact_id FROM contacts WHERE is_notes = 1);
        DELETE FROM contacts WHERE is_notes = 1;
        DROP INDEX contacts_notes;
        ALTER TABLE contacts DROP COLUMN is_notes;
        ALTER TABLE contacts DROP COLUMN retention;
        ALTER TABLE contacts DROP COLUMN expiry;
        """,
        down: Migration.Down(
            loses: "groups",
            """
            DELETE FROM names WHERE (profile_id, name) IN (SELECT profile_id, name FROM groups);
            DELETE FROM groups;

            ALTER TABLE contacts ADD COLUMN is_notes INTEGER NOT NULL DEFAULT 0;
            CREATE UNIQUE INDEX contacts_notes ON contacts (profile_id) WHERE is_notes = 1;
            ALTER TABLE contacts ADD COLUMN retention INTEGER;
            ALTER TABLE contacts ADD COLUMN expiry INTEGER;
            INSERT INTO contacts (contact_id, profile_id, name, profile, status, created_at, updated_at, is_notes)
                SELECT note_folder_id, profile_id, name, '{"displayName":"notes","fullName":""}', 'active', created_at,
                    updated_at, 1 FROM note_folders;
            UPDATE chats SET contact_id = note_folder_id, note_folder_id = NULL WHERE note_folder_id IS NOT NULL;
            UPDATE contacts SET
                retention = (SELECT retention FROM chats WHERE chats.contact_id = contacts.contact_id),
                expiry = (SELECT expiry FROM chats WHERE chats.contact_id = contacts.contact_id);

            ALTER TABLE cursors ADD COLUMN contact_id INTEGER REFERENCES contacts ON DELETE CASCADE;
            UPDATE cursors SET contact_id = (SELECT contact_id FROM chats WHERE chats.chat_id = cursors.chat_id)
                WHERE chat_id IS NOT NULL;
            ALTER TABLE cursors DROP COLUMN chat_id;

            CREATE TABLE contact_drafts (
                contact_id INTEGER PRIMARY KEY REFERENCES contacts ON DELETE CASCADE,
                draft TEXT NOT NULL,
                answers INTEGER REFERENCES items ON DELETE SET NULL,
                updated_at INTEGER NOT NULL
            ) STRICT;
            INSERT INTO contact_drafts (contact_id, draft, answers, updated_at)
                SELECT contact_id, draft, answers, updated_at FROM drafts JOIN chats USING (chat_id);
            DROP TABLE drafts;
            ALTER TABLE contact_drafts RENAME TO drafts;

            CREATE TABLE contact_send_keys (
                contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
                key TEXT NOT NULL,
                item_id INTEGER NOT NULL,
                used_at INTEGER NOT NULL,
                last_item_id INTEGER,
                PRIMARY KEY (contact_id, key)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO contact_send_keys (contact_id, key, item_id, used_at, last_item_id)
                SELECT contact_id, key, item_id, used_at, send_keys.last_item_id
                FROM send_keys JOIN chats USING (chat_id);
            DROP TABLE send_keys;
            ALTER TABLE contact_send_keys RENAME TO send_keys;
            CREATE INDEX send_keys_age ON send_keys (used_at);

            DROP INDEX chats_notes;
            DROP INDEX chats_group;
            ALTER TABLE chats DROP COLUMN note_folder_id;
            ALTER TABLE chats DROP COLUMN group_id;
            ALTER TABLE chats DROP COLUMN retention;
            ALTER TABLE chats DROP COLUMN expiry;
            DROP TABLE note_folders;
            DROP TABLE groups;
            """))
}
