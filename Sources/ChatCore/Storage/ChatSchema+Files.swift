import Store

extension ChatSchema {
    /// Files of messages, and files that are sent and received by a link.
    static let files = Migration(
        19, "files",
        """
        CREATE TABLE files (
            file_id INTEGER PRIMARY KEY AUTOINCREMENT,
            -- NULL: the profile was deleted, and the file goes too.
            profile_id INTEGER REFERENCES profiles ON DELETE SET NULL,
            item_id INTEGER UNIQUE REFERENCES items ON DELETE SET NULL,
            -- 1: it belongs to an entry. Without one it is removed with everything that belongs to it.
            is_of_item INTEGER NOT NULL,
            is_sent INTEGER NOT NULL,
            transport TEXT NOT NULL,
            name TEXT NOT NULL,
            size INTEGER NOT NULL,
            -- Relative to the folder for files: it belongs to the store. Absolute: it belongs to the user.
            path TEXT,
            key BLOB,
            nonce BLOB,
            state TEXT NOT NULL,
            progress INTEGER NOT NULL DEFAULT 0,
            total INTEGER NOT NULL DEFAULT 0,
            -- JSON
            problem TEXT,
            -- What the agent calls it; NULL: it never had it.
            transfer_id INTEGER UNIQUE,
            -- The description of the recipient: of a received file, as far as it has come.
            description TEXT NOT NULL DEFAULT '',
            last_part INTEGER NOT NULL DEFAULT 0,
            has_description INTEGER NOT NULL DEFAULT 0,
            -- 1: unknown file relays may be used.
            is_approved INTEGER NOT NULL DEFAULT 0,
            -- The token of the last part of the description, until the contact's relay has it.
            description_token BLOB,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX files_profile ON files (profile_id);
        CREATE INDEX files_orphans ON files (file_id)
            WHERE profile_id IS NULL OR (is_of_item = 1 AND item_id IS NULL);
        CREATE INDEX files_open ON files (file_id) WHERE state IN ('sndStored', 'sndTransfer', 'sndWarning',
            'rcvAccepted', 'rcvTransfer', 'rcvWarning');
        CREATE INDEX files_token ON files (description_token) WHERE description_token IS NOT NULL;

        -- The descriptions of a sent file for recipients: that of its sender, and those that nobody has got.
        CREATE TABLE file_descriptions (
            file_description_id INTEGER PRIMARY KEY AUTOINCREMENT,
            file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
            is_of_sender INTEGER NOT NULL,
            description TEXT NOT NULL
        ) STRICT;
        CREATE INDEX file_descriptions_file ON file_descriptions (file_id);

        -- The file relays of a profile; profile_id NULL: those that the first profile begins with.
        CREATE TABLE file_servers (
            file_server_id INTEGER PRIMARY KEY AUTOINCREMENT,
            profile_id INTEGER REFERENCES profiles ON DELETE CASCADE,
            address TEXT NOT NULL,
            UNIQUE (profile_id, address)
        ) STRICT;

        -- The files that are accepted without asking: up to a size in bytes.
        CREATE TABLE file_acceptance (
            kind TEXT PRIMARY KEY,
            size INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        down: Migration.Down(
            loses: "the files of messages, and the file relays",
            """
            DROP TABLE file_acceptance;
            DROP TABLE file_servers;
            DROP TABLE file_descriptions;
            DROP TABLE files;
            """))
}
