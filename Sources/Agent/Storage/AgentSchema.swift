package import Store

/// The tables of the agent's database.
///
/// Status, role and kind columns hold the raw values of their Swift types. Keys are blobs; the agreement of NEW and IDS,
/// the agreement with the sender and the ratchet are three independent secrets of a queue.
package enum AgentSchema {
    package static let migrations = [
        Migration(
            1, "connections",
            """
            CREATE TABLE servers (
                server_id INTEGER PRIMARY KEY,
                address TEXT NOT NULL UNIQUE
            ) STRICT;

            CREATE TABLE connections (
                connection_id INTEGER PRIMARY KEY,
                profile_id INTEGER NOT NULL,
                role INTEGER NOT NULL,
                status INTEGER NOT NULL,
                agent_version INTEGER NOT NULL,
                is_post_quantum INTEGER NOT NULL,
                agreement_keys BLOB,
                ratchet BLOB,
                sent_number INTEGER NOT NULL,
                sent_hash BLOB NOT NULL,
                received_number INTEGER NOT NULL,
                received_hash BLOB NOT NULL,
                own_information BLOB,
                waiting_sender_key BLOB,
                created_at INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE receive_queues (
                receive_queue_id INTEGER PRIMARY KEY,
                connection_id INTEGER NOT NULL REFERENCES connections ON DELETE CASCADE,
                server_id INTEGER NOT NULL REFERENCES servers,
                recipient_id BLOB NOT NULL,
                sender_id BLOB NOT NULL,
                mode TEXT,
                authorization_key BLOB NOT NULL,
                relay_secret BLOB NOT NULL,
                agreement_key BLOB NOT NULL,
                sender_version INTEGER,
                sender_secret BLOB,
                UNIQUE (recipient_id, server_id)
            ) STRICT;
            CREATE INDEX receive_queues_connection ON receive_queues (connection_id);

            CREATE TABLE send_queues (
                send_queue_id INTEGER PRIMARY KEY,
                connection_id INTEGER NOT NULL REFERENCES connections ON DELETE CASCADE,
                server_id INTEGER NOT NULL REFERENCES servers,
                sender_id BLOB NOT NULL,
                mode TEXT,
                version INTEGER NOT NULL,
                authorization_key BLOB NOT NULL,
                agreement_key BLOB NOT NULL,
                secret BLOB NOT NULL
            ) STRICT;
            CREATE INDEX send_queues_connection ON send_queues (connection_id);

            CREATE TABLE skipped_keys (
                connection_id INTEGER NOT NULL REFERENCES connections ON DELETE CASCADE,
                key BLOB NOT NULL,
                created_at INTEGER NOT NULL,
                PRIMARY KEY (connection_id, key)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE seen_messages (
                hash BLOB PRIMARY KEY,
                seen_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX seen_messages_time ON seen_messages (seen_at);

            CREATE TABLE outbox (
                task_id INTEGER PRIMARY KEY AUTOINCREMENT,
                connection_id INTEGER NOT NULL REFERENCES connections ON DELETE CASCADE,
                kind INTEGER NOT NULL,
                parameter BLOB,
                message_kind INTEGER,
                number INTEGER,
                hash BLOB,
                notifies INTEGER,
                created_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX outbox_connection ON outbox (connection_id, task_id);

            CREATE TABLE sent_messages (
                connection_id INTEGER NOT NULL REFERENCES connections ON DELETE CASCADE,
                number INTEGER NOT NULL,
                token BLOB NOT NULL,
                hash BLOB NOT NULL,
                PRIMARY KEY (connection_id, number),
                UNIQUE (connection_id, token)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE events (
                event_id INTEGER PRIMARY KEY AUTOINCREMENT,
                connection_id INTEGER NOT NULL,
                profile_id INTEGER NOT NULL,
                content BLOB NOT NULL
            ) STRICT;
            """),
        links,
        Migration(
            3, "rotation, synchronization, receipts",
            """
            ALTER TABLE connections ADD COLUMN receive_rotation INTEGER;
            ALTER TABLE connections ADD COLUMN send_rotation INTEGER;
            ALTER TABLE connections ADD COLUMN synchronization INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE receive_queues ADD COLUMN role INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE send_queues ADD COLUMN role INTEGER NOT NULL DEFAULT 0;

            -- Queues that nobody uses any more, until their relays have deleted them.
            CREATE TABLE discarded_queues (
                discarded_queue_id INTEGER PRIMARY KEY AUTOINCREMENT,
                profile_id INTEGER NOT NULL,
                server_id INTEGER NOT NULL REFERENCES servers,
                recipient_id BLOB NOT NULL,
                authorization_key BLOB NOT NULL,
                discarded_at INTEGER NOT NULL
            ) STRICT;

            -- Messages whose arrival the other side has to be told.
            CREATE TABLE due_receipts (
                connection_id INTEGER NOT NULL REFERENCES connections ON DELETE CASCADE,
                number INTEGER NOT NULL,
                hash BLOB NOT NULL,
                PRIMARY KEY (connection_id, number)
            ) STRICT, WITHOUT ROWID;
            """,
            down: Migration.Down(
                loses: "receipts that are due, and what comes to queues that are being replaced",
                """
                DROP TABLE due_receipts;
                DROP TABLE discarded_queues;
                DELETE FROM receive_queues WHERE role != 0;
                DELETE FROM send_queues WHERE role != 0;
                ALTER TABLE send_queues DROP COLUMN role;
                ALTER TABLE receive_queues DROP COLUMN role;
                ALTER TABLE connections DROP COLUMN synchronization;
                ALTER TABLE connections DROP COLUMN send_rotation;
                ALTER TABLE connections DROP COLUMN receive_rotation;
                -- Tasks and events that came with the step.
                DELETE FROM outbox WHERE kind IN (6, 7);
                DELETE FROM events WHERE substr(content, 1, 1) IN (x'52', x'56', x'57', x'59');
                """)),
        Migration(
            4, "short links of addresses that had none",
            """
            -- Whether the relay has it; a link that was made together with its queue is there from the beginning.
            ALTER TABLE links ADD COLUMN is_published INTEGER NOT NULL DEFAULT 1;
            """,
            down: Migration.Down(
                loses: "short links that no relay has yet",
                """
                DELETE FROM links WHERE is_published = 0;
                ALTER TABLE links DROP COLUMN is_published;
                -- That the other side has room again is no event of the former program.
                DELETE FROM events WHERE substr(content, 1, 1) = x'51';
                """)),
        skippedKeys,
        setAside,
        seenMessages,
        limits,
    ]
}
