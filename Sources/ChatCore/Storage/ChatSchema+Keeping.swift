import Store

extension ChatSchema {
    /// How long messages are kept, texts that became several messages, and failures of programs behind a cursor.
    static let keeping = Migration(
        12, "retention, messages in parts, failures behind cursors",
        """
        -- The entry for which a program failed last, and how often in a row.
        ALTER TABLE cursors ADD COLUMN failed_item_id INTEGER;
        ALTER TABLE cursors ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;

        -- The last of several messages that were sent with the key; NULL: there was one
        ALTER TABLE send_keys ADD COLUMN last_item_id INTEGER;

        -- Seconds after which messages are removed here; NULL: never
        ALTER TABLE profiles ADD COLUMN retention INTEGER;
        -- The same for one conversation; 0: never; NULL: as the profile has it
        ALTER TABLE contacts ADD COLUMN retention INTEGER;
        -- Seconds after which own messages disappear unless something else is said
        ALTER TABLE contacts ADD COLUMN expiry INTEGER;
        CREATE INDEX items_age ON items (chat_id, created_at);
        """,
        down: Migration.Down(
            loses: "how long messages are kept, the default expiry of contacts, and failures behind cursors",
            """
            DROP INDEX items_age;
            ALTER TABLE contacts DROP COLUMN expiry;
            ALTER TABLE contacts DROP COLUMN retention;
            ALTER TABLE profiles DROP COLUMN retention;
            ALTER TABLE send_keys DROP COLUMN last_item_id;
            ALTER TABLE cursors DROP COLUMN failures;
            ALTER TABLE cursors DROP COLUMN failed_item_id;
            """))
}
