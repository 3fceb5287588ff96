import Store

/// The tables of a relay.
enum RelaySchema {
    static let migrations = [
        Migration(
            1, "queues and messages",
            """
            CREATE TABLE queues (
                number INTEGER PRIMARY KEY,
                recipient_id BLOB NOT NULL UNIQUE,
                sender_id BLOB NOT NULL UNIQUE,
                -- A list of DER keys with a count byte, as on the wire.
                recipient_keys BLOB NOT NULL,
                -- The agreement of the keys of NEW and IDS, 32 bytes.
                secret BLOB NOT NULL,
                sender_key BLOB,
                -- M, C, or NULL for a queue that was made below version 9.
                mode TEXT,
                is_off INTEGER NOT NULL DEFAULT 0,
                -- Days since 1970.
                last_used INTEGER NOT NULL,
                link_id BLOB UNIQUE,
                notifier_id BLOB UNIQUE,
                notifier_key BLOB,
                notifier_secret BLOB
            ) STRICT;

            -- The blobs of links stand apart: they are 16 KB, and most commands do not need them.
            CREATE TABLE links (
                queue INTEGER PRIMARY KEY,
                fixed BLOB NOT NULL,
                user BLOB NOT NULL
            ) STRICT;

            -- What waits in the queues, without the bodies.
            CREATE TABLE messages (
                queue INTEGER NOT NULL,
                number INTEGER NOT NULL,
                message_id BLOB NOT NULL,
                -- Milliseconds since 1970.
                time INTEGER NOT NULL,
                is_quota INTEGER NOT NULL,
                slot INTEGER NOT NULL,
                PRIMARY KEY (queue, number)
            ) STRICT, WITHOUT ROWID;

            -- Bodies as their recipients get them, 16122 bytes each. A slot that no message refers to is free: its row
            -- stays, and the next message overwrites it in place.
            CREATE TABLE bodies (
                slot INTEGER PRIMARY KEY,
                box BLOB NOT NULL
            ) STRICT;
            """),
        Migration(
            2, "services",
            """
            CREATE TABLE services (
                number INTEGER PRIMARY KEY,
                service_id BLOB NOT NULL UNIQUE,
                -- M, N or P.
                role TEXT NOT NULL,
                -- The SHA-256 of the certificate that identifies the service.
                fingerprint BLOB NOT NULL UNIQUE,
                -- The number of its queues or notifiers and the hash of their ids, as on the wire.
                queues BLOB NOT NULL
            ) STRICT;

            -- The number of the service of the queue, and of that of its notifier.
            ALTER TABLE queues ADD COLUMN service INTEGER;
            ALTER TABLE queues ADD COLUMN notifier_service INTEGER;
            CREATE INDEX queues_of_services ON queues (service, number) WHERE service IS NOT NULL;
            """),
    ]
}
