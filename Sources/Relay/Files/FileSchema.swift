import Store

/// The tables of the chunks of files (`files.db`). The bytes of chunks are in the folder `files`.
enum FileSchema {
    static let migrations = [
        Migration(
            1, "chunks and recipients",
            """
            CREATE TABLE chunks (
                -- The name of the file. Numbers are never used again.
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                sender_id BLOB NOT NULL UNIQUE,
                -- DER.
                sender_key BLOB NOT NULL,
                size INTEGER NOT NULL,
                digest BLOB NOT NULL,
                -- Hours since 1970.
                created INTEGER NOT NULL,
                -- 1 if the chunk was uploaded.
                is_stored INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX chunks_by_age ON chunks (created);

            CREATE TABLE recipients (
                recipient_id BLOB PRIMARY KEY,
                chunk INTEGER NOT NULL,
                key BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX recipients_by_chunk ON recipients (chunk);
            """)
    ]
}
