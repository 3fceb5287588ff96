package import Store

/// The tables of the agent's database.
///
/// Status, role and kind columns hold the raw values of their Swift types. Keys are blobs; the agreement of NEW and IDS,
/// the agreement with the sender and the ratchet are three independent secrets of a queue.
package enum AgentSchema {
    /// The migrations, oldest first.
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
        files,
        contentDigests,
        notices,
        uncertainAgreements,
    ]
}

extension AgentSchema {
    /// Skipped keys, indexed by the header key of their chain and their number. A stored key has its format in the
    /// first byte, then its number (4 bytes), the header key (32) and the message key.
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

extension AgentSchema {
    /// Short links: the own ones, and the keys for opening links of others.
    static let links = Migration(
        2, "links",
        """
        CREATE TABLE links (
            connection_id INTEGER PRIMARY KEY REFERENCES connections ON DELETE CASCADE,
            server_id INTEGER NOT NULL REFERENCES servers,
            link_key BLOB NOT NULL,
            signer BLOB NOT NULL,
            root_key BLOB NOT NULL,
            fixed_blob BLOB NOT NULL,
            link_id BLOB,
            is_invitation INTEGER NOT NULL
        ) STRICT;

        -- A relay lets nobody with another key into an invitation that was opened: the key is kept also when nothing came of
        -- it, because the link may be used again.
        CREATE TABLE opening_keys (
            profile_id INTEGER NOT NULL,
            link_id BLOB NOT NULL,
            link_key BLOB NOT NULL,
            key BLOB NOT NULL,
            PRIMARY KEY (profile_id, link_id, link_key)
        ) STRICT, WITHOUT ROWID;
        """,
        down: Migration.Down(
            loses: "addresses, and connections whose link is being opened",
            """
            DROP TABLE opening_keys;
            DROP TABLE links;
            -- Roles, states, tasks and events that came with the step.
            DELETE FROM connections WHERE role = 2 OR status = 8;
            DELETE FROM outbox WHERE kind >= 20;
            DELETE FROM events WHERE substr(content, 1, 1) = x'41';
            """))
}

extension AgentSchema {
    /// Limits for the effects of messages: offers of new queues, and messages that end the process.
    static let limits = Migration(
        8, "limits for what messages cause",
        """
        -- How many new queues the other side has offered on a day, counted in days since 1970.
        ALTER TABLE connections ADD COLUMN offer_day INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE connections ADD COLUMN offer_count INTEGER NOT NULL DEFAULT 0;

        -- Messages whose reading ended the process by a fault, by the number that the note of the crash has.
        CREATE TABLE reading_crashes (
            message INTEGER PRIMARY KEY,
            failures INTEGER NOT NULL,
            crashed_at INTEGER NOT NULL
        ) STRICT;
        """,
        down: Migration.Down(
            loses: "how often queues were offered today, and which messages could not be read",
            """
            DROP TABLE reading_crashes;
            ALTER TABLE connections DROP COLUMN offer_count;
            ALTER TABLE connections DROP COLUMN offer_day;
            """))
}

extension AgentSchema {
    /// Events that the application could not handle.
    static let setAside = Migration(
        6, "events that were set aside",
        """
        -- How often the application failed at the event, or the process ended by a fault while it handled it.
        ALTER TABLE events ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;

        -- Events that failed twice. They are kept for an examination, and handled by nothing.
        CREATE TABLE set_aside_events (
            event_id INTEGER PRIMARY KEY,
            connection_id INTEGER NOT NULL,
            profile_id INTEGER NOT NULL,
            content BLOB NOT NULL,
            set_aside_at INTEGER NOT NULL
        ) STRICT;
        """,
        down: Migration.Down(
            loses: "events that could not be handled",
            """
            DROP TABLE set_aside_events;
            ALTER TABLE events DROP COLUMN failures;
            """))
}

extension AgentSchema {
    /// Hashes of received messages with their connection; NULL for older hashes.
    static let seenMessages = Migration(
        7, "seen messages by connection",
        """
        ALTER TABLE seen_messages ADD COLUMN connection_id INTEGER;
        CREATE INDEX seen_messages_connection ON seen_messages (connection_id, seen_at) WHERE connection_id IS NOT NULL;
        """,
        down: Migration.Down(
            loses: "of which connections messages were seen",
            """
            DROP INDEX seen_messages_connection;
            ALTER TABLE seen_messages DROP COLUMN connection_id;
            """))
}

extension AgentSchema {
    /// Files that are sent and received through file relays.
    static let files = Migration(
        9, "files",
        """
        -- A file that is sent. The key and nonce are those of a source that is encrypted on this device.
        CREATE TABLE file_uploads (
            file_id INTEGER PRIMARY KEY,
            profile_id INTEGER NOT NULL,
            source TEXT NOT NULL,
            source_key BLOB,
            source_nonce BLOB,
            name TEXT NOT NULL,
            recipients INTEGER NOT NULL,
            uses_redirect INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            stage INTEGER NOT NULL,
            failure TEXT
        ) STRICT;

        -- An encrypted file: part 0 is the file itself, part 1 its description with a redirect.
        CREATE TABLE file_upload_parts (
            file_id INTEGER NOT NULL REFERENCES file_uploads ON DELETE CASCADE,
            part INTEGER NOT NULL,
            key BLOB NOT NULL,
            nonce BLOB NOT NULL,
            digest BLOB NOT NULL,
            redirect_size INTEGER,
            redirect_digest BLOB,
            PRIMARY KEY (file_id, part)
        ) STRICT;

        -- A chunk: the seeds of its Ed25519 keys, and its ids once a relay has created it.
        CREATE TABLE file_upload_chunks (
            file_id INTEGER NOT NULL,
            part INTEGER NOT NULL,
            number INTEGER NOT NULL,
            start INTEGER NOT NULL,
            size INTEGER NOT NULL,
            digest BLOB NOT NULL,
            sender_key BLOB NOT NULL,
            recipient_keys BLOB NOT NULL,
            server TEXT,
            sender_id BLOB,
            recipient_ids BLOB,
            is_uploaded INTEGER NOT NULL,
            PRIMARY KEY (file_id, part, number),
            FOREIGN KEY (file_id, part) REFERENCES file_upload_parts ON DELETE CASCADE
        ) STRICT;

        -- A file that is received, with the text of its description.
        CREATE TABLE file_downloads (
            file_id INTEGER PRIMARY KEY,
            profile_id INTEGER NOT NULL,
            target TEXT NOT NULL,
            target_key BLOB,
            target_nonce BLOB,
            description TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            stage INTEGER NOT NULL,
            path TEXT,
            failure TEXT
        ) STRICT;

        -- The chunks of a download: 0 missing, 1 stored, 2 acknowledged; and the copy that is tried or was used.
        CREATE TABLE file_download_chunks (
            file_id INTEGER NOT NULL REFERENCES file_downloads ON DELETE CASCADE,
            number INTEGER NOT NULL,
            state INTEGER NOT NULL,
            replica INTEGER NOT NULL,
            PRIMARY KEY (file_id, number)
        ) STRICT;
        """,
        down: Migration.Down(
            loses: "files that are being sent or received",
            """
            DROP TABLE file_download_chunks;
            DROP TABLE file_downloads;
            DROP TABLE file_upload_chunks;
            DROP TABLE file_upload_parts;
            DROP TABLE file_uploads;
            """))

    /// The digests of files that senders announce in messages.
    static let contentDigests = Migration(
        10, "digests of received files",
        """
        -- The SHA-512 of the content; NULL: the sender announced none.
        ALTER TABLE file_downloads ADD COLUMN content_digest BLOB;
        """,
        down: Migration.Down(
            loses: "digests of files that are being received",
            "ALTER TABLE file_downloads DROP COLUMN content_digest;"))
}

extension AgentSchema {
    /// Notices with which relays refuse new addresses.
    static let notices = Migration(
        11, "notices of relays about abuse",
        """
        -- A queue that its relay blocked with a notice, by the text of the relay's address; seconds NULL: no end.
        CREATE TABLE creation_notices (
            address TEXT NOT NULL,
            recipient_id BLOB NOT NULL,
            seconds INTEGER,
            noted_at INTEGER NOT NULL,
            PRIMARY KEY (address, recipient_id)
        ) STRICT, WITHOUT ROWID;
        """,
        down: Migration.Down(
            loses: "that relays refuse new addresses",
            "DROP TABLE creation_notices;"))
}

extension AgentSchema {
    /// Ratchet synchronisations in which both sides may have the same role.
    static let uncertainAgreements = Migration(
        12, "agreements with uncertain roles",
        """
        -- The keys of the other side, the ratchet of the other role, and the time of the last message while one is expected.
        ALTER TABLE connections ADD COLUMN agreed_parameters BLOB;
        ALTER TABLE connections ADD COLUMN other_ratchet BLOB;
        ALTER TABLE connections ADD COLUMN waits_since INTEGER;
        CREATE INDEX connections_waiting ON connections (connection_id) WHERE waits_since IS NOT NULL;
        """,
        down: Migration.Down(
            loses: "keys of encryption that is being renewed",
            """
            DROP INDEX connections_waiting;
            ALTER TABLE connections DROP COLUMN waits_since;
            ALTER TABLE connections DROP COLUMN other_ratchet;
            ALTER TABLE connections DROP COLUMN agreed_parameters;
            """))
}
