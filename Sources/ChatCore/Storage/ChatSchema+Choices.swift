import Store

extension ChatSchema {
    /// What the user decided about chats and contacts.
    static let choices = Migration(
        16, "tags, favourites, aliases, preferences of contacts",
        """
        -- Labels of chats, in the order of the user.
        CREATE TABLE tags (
            tag_id INTEGER PRIMARY KEY AUTOINCREMENT,
            profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
            text TEXT NOT NULL,
            emoji TEXT,
            position INTEGER NOT NULL,
            UNIQUE (profile_id, text)
        ) STRICT;
        CREATE TABLE chat_tags (
            chat_id INTEGER NOT NULL REFERENCES chats ON DELETE CASCADE,
            tag_id INTEGER NOT NULL REFERENCES tags ON DELETE CASCADE,
            PRIMARY KEY (chat_id, tag_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX chat_tags_tag ON chat_tags (tag_id);

        ALTER TABLE chats ADD COLUMN is_favorite INTEGER NOT NULL DEFAULT 0;
        -- Whether the user marked it as unread, whatever its messages are.
        ALTER TABLE chats ADD COLUMN is_unread INTEGER NOT NULL DEFAULT 0;
        -- Whether the user deleted the conversation and kept the contact; a new message brings it back.
        ALTER TABLE chats ADD COLUMN is_deleted INTEGER NOT NULL DEFAULT 0;

        -- How many entries there are, or were, that people do not see; the newest has this number, negated.
        ALTER TABLE state ADD COLUMN last_notice INTEGER NOT NULL DEFAULT 0;

        -- JSON of other programs: what they keep of the chat, and its colours
        ALTER TABLE chats ADD COLUMN custom_data TEXT;
        ALTER TABLE chats ADD COLUMN themes TEXT;

        -- The user's own name for it, besides the unique one.
        ALTER TABLE contacts ADD COLUMN alias TEXT NOT NULL DEFAULT '';
        -- JSON: what this contact is allowed; a feature that is missing is as the profile has it
        ALTER TABLE contacts ADD COLUMN preferences TEXT;
        -- The name that the contact took since it was made, made unique; NULL: it took none
        ALTER TABLE contacts ADD COLUMN presented_name TEXT;

        ALTER TABLE profiles ADD COLUMN sends_group_receipts INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE profiles ADD COLUMN accepts_members INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE profiles ADD COLUMN changed_at INTEGER;
        """,
        down: Migration.Down(
            loses: "tags, favourites, aliases, and what single contacts are allowed",
            """
            DELETE FROM items WHERE item_id < 0;
            ALTER TABLE state DROP COLUMN last_notice;
            ALTER TABLE profiles DROP COLUMN changed_at;
            ALTER TABLE profiles DROP COLUMN accepts_members;
            ALTER TABLE profiles DROP COLUMN sends_group_receipts;
            DELETE FROM names WHERE EXISTS (
                SELECT 1 FROM contacts
                WHERE contacts.profile_id = names.profile_id AND contacts.presented_name = names.name);
            ALTER TABLE contacts DROP COLUMN presented_name;
            ALTER TABLE contacts DROP COLUMN preferences;
            ALTER TABLE contacts DROP COLUMN alias;
            ALTER TABLE chats DROP COLUMN themes;
            ALTER TABLE chats DROP COLUMN custom_data;
            ALTER TABLE chats DROP COLUMN is_deleted;
            ALTER TABLE chats DROP COLUMN is_unread;
            ALTER TABLE chats DROP COLUMN is_favorite;
            DROP TABLE chat_tags;
            DROP TABLE tags;
            """))
}
