import Store

extension ChatSchema {
    /// Short links, addresses, and the requests that come to them.
    static let addresses = Migration(
        3, "addresses, requests",
        """
        ALTER TABLE connections ADD COLUMN short_link TEXT;
        ALTER TABLE connections ADD COLUMN is_address INTEGER NOT NULL DEFAULT 0;
        -- What whoever asked calls the request: the own one at an address, or the one that was accepted.
        ALTER TABLE connections ADD COLUMN request_key BLOB;
        ALTER TABLE connections ADD COLUMN owes_welcome INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX connections_short_link ON connections (profile_id, short_link) WHERE short_link IS NOT NULL;
        CREATE INDEX connections_request_key ON connections (profile_id, request_key) WHERE request_key IS NOT NULL;
        CREATE INDEX connections_pending ON connections (connection_id) WHERE contact_id IS NULL;

        CREATE TABLE addresses (
            profile_id INTEGER PRIMARY KEY REFERENCES profiles ON DELETE CASCADE,
            connection_id INTEGER NOT NULL UNIQUE REFERENCES connections ON DELETE CASCADE,
            accepts INTEGER NOT NULL,
            welcome TEXT,
            created_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE requests (
            request_id INTEGER PRIMARY KEY AUTOINCREMENT,
            profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
            name TEXT NOT NULL,
            profile TEXT NOT NULL,
            versions TEXT NOT NULL,
            link TEXT NOT NULL,
            request_key BLOB,
            knows_welcome INTEGER NOT NULL,
            message_id BLOB,
            message TEXT,
            is_accepted INTEGER NOT NULL DEFAULT 0,
            -- while it is being accepted
            connection_id INTEGER REFERENCES connections ON DELETE SET NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (profile_id, name)
        ) STRICT;
        CREATE INDEX requests_key ON requests (profile_id, request_key) WHERE request_key IS NOT NULL;
        """,
        down: Migration.Down(
            loses: "addresses, and the requests that came to them",
            """
            DROP TABLE requests;
            DROP TABLE addresses;
            DELETE FROM connections WHERE is_address = 1;
            DROP INDEX connections_pending;
            DROP INDEX connections_request_key;
            DROP INDEX connections_short_link;
            ALTER TABLE connections DROP COLUMN owes_welcome;
            ALTER TABLE connections DROP COLUMN request_key;
            ALTER TABLE connections DROP COLUMN is_address;
            ALTER TABLE connections DROP COLUMN short_link;
            """))
}
