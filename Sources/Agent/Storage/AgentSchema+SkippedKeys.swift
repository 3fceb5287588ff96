import Store

extension AgentSchema {
    /// Skipped keys that are found by the header key of their chain and their number. A key that is stored has its format in
    /// the first byte, then its number (4 bytes), the header key (32) and the message key.
    static let skippedKeys = Migration(
        5, "skipped keys by header key",
        """
        ALTER TABLE skipped_keys RENAME TO former_skipped_keys;

        -- The peer's chains with messages that have not arrived, numbered from 1 in the order of their first key.
        CREATE TABLE skipped_chains (
            connection_id INTEGER NOT NULL REFERENCES connections ON DELETE CASCADE,
            chain INTEGER NOT NULL,
            header_key BLOB NOT NULL,
            PRIMARY KEY (connection_id, chain),
            UNIQUE (connection_id, header_key)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO skipped_chains
        SELECT connection_id, row_number() OVER (PARTITION BY connection_id ORDER BY min(created_at)), substr(key, 6, 32)
        FROM former_skipped_keys GROUP BY connection_id, substr(key, 6, 32);

        CREATE TABLE skipped_keys (
            connection_id INTEGER NOT NULL,
            chain INTEGER NOT NULL,
            number INTEGER NOT NULL,
            key BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (connection_id, chain, number),
            FOREIGN KEY (connection_id, chain) REFERENCES skipped_chains ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        INSERT OR IGNORE INTO skipped_keys
        SELECT former.connection_id, chain,
            ((instr('0123456789ABCDEF', substr(hex(key), 3, 1)) - 1) << 28) +
                ((instr('0123456789ABCDEF', substr(hex(key), 4, 1)) - 1) << 24) +
                ((instr('0123456789ABCDEF', substr(hex(key), 5, 1)) - 1) << 20) +
                ((instr('0123456789ABCDEF', substr(hex(key), 6, 1)) - 1) << 16) +
                ((instr('0123456789ABCDEF', substr(hex(key), 7, 1)) - 1) << 12) +
                ((instr('0123456789ABCDEF', substr(hex(key), 8, 1)) - 1) << 8) +
                ((instr('0123456789ABCDEF', substr(hex(key), 9, 1)) - 1) << 4) +
                ((instr('0123456789ABCDEF', substr(hex(key), 10, 1)) - 1) << 0),
            key, created_at
        FROM former_skipped_keys AS former JOIN skipped_chains
            ON skipped_chains.connection_id = former.connection_id AND header_key = substr(key, 6, 32);
        DROP TABLE former_skipped_keys;
        """,
        down: Migration.Down(
            loses: "the order in which keys of late messages are dropped",
            """
            CREATE TABLE former_skipped_keys (
                connection_id INTEGER NOT NULL REFERENCES connections ON DELETE CASCADE,
                key BLOB NOT NULL,
                created_at INTEGER NOT NULL,
                PRIMARY KEY (connection_id, key)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO former_skipped_keys SELECT connection_id, key, created_at FROM skipped_keys;
            DROP TABLE skipped_keys;
            DROP TABLE skipped_chains;
            ALTER TABLE former_skipped_keys RENAME TO skipped_keys;
            """))
}
