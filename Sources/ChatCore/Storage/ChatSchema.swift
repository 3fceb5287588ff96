import Store

/// The tables of the chat database. Profiles, contents and preferences are JSON as it stands in messages, so that fields of
/// later versions survive.
enum ChatSchema {
    static let migrations = [
        Migration(
            1, "profiles, contacts, items",
            """
            CREATE TABLE state (
                only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
                last_agent_event INTEGER NOT NULL
            ) STRICT;
            INSERT INTO state (only_row, last_agent_event) VALUES (1, 0);

            CREATE TABLE profiles (
                profile_id INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL UNIQUE,
                profile TEXT NOT NULL,
                is_active INTEGER NOT NULL,
                created_at INTEGER NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX profiles_active ON profiles (is_active) WHERE is_active = 1;

            CREATE TABLE servers (
                server_id INTEGER PRIMARY KEY AUTOINCREMENT,
                -- NULL: what profiles that are made later begin with
                profile_id INTEGER REFERENCES profiles ON DELETE CASCADE,
                address TEXT NOT NULL,
                UNIQUE (profile_id, address)
            ) STRICT;

            CREATE TABLE names (
                profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
                name TEXT NOT NULL,
                PRIMARY KEY (profile_id, name)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE contacts (
                contact_id INTEGER PRIMARY KEY AUTOINCREMENT,
                profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
                name TEXT NOT NULL,
                profile TEXT NOT NULL,
                status TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                UNIQUE (profile_id, name)
            ) STRICT;

            CREATE TABLE connections (
                connection_id INTEGER PRIMARY KEY AUTOINCREMENT,
                profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
                contact_id INTEGER REFERENCES contacts ON DELETE CASCADE,
                status TEXT NOT NULL,
                is_initiated INTEGER NOT NULL,
                wished_name TEXT,
                link TEXT,
                chat_version INTEGER,
                peer_versions TEXT,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX connections_contact ON connections (contact_id);
            CREATE INDEX connections_link ON connections (profile_id, link);
            CREATE INDEX connections_beginning ON connections (connection_id) WHERE status IN ('new', 'prepared');

            CREATE TABLE chats (
                chat_id INTEGER PRIMARY KEY AUTOINCREMENT,
                profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
                contact_id INTEGER UNIQUE REFERENCES contacts ON DELETE CASCADE,
                last_item_id INTEGER,
                unread_count INTEGER NOT NULL DEFAULT 0,
                active_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX chats_activity ON chats (profile_id, active_at);

            CREATE TABLE items (
                item_id INTEGER PRIMARY KEY AUTOINCREMENT,
                chat_id INTEGER NOT NULL REFERENCES chats ON DELETE CASCADE,
                direction TEXT NOT NULL,
                kind TEXT NOT NULL,
                content TEXT NOT NULL,
                status TEXT NOT NULL,
                shared_id BLOB,
                time INTEGER NOT NULL,
                created_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX items_chat ON items (chat_id, item_id);
            CREATE INDEX items_shared_id ON items (chat_id, shared_id) WHERE shared_id IS NOT NULL;
            CREATE INDEX items_unread ON items (chat_id) WHERE status = 'rcv_new';
            CREATE INDEX items_unsent ON items (item_id) WHERE status = 'snd_new';

            CREATE TABLE kept_events (
                kept_event_id INTEGER PRIMARY KEY AUTOINCREMENT,
                contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
                body BLOB NOT NULL,
                received_at INTEGER NOT NULL
            ) STRICT;
            """),
        Migration(
            2, "post-quantum keys",
            """
            ALTER TABLE connections ADD COLUMN pq_wanted INTEGER NOT NULL DEFAULT 1;
            ALTER TABLE connections ADD COLUMN pq_sent INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE connections ADD COLUMN pq_received INTEGER NOT NULL DEFAULT 0;
            """,
            down: Migration.Down(
                loses: "whether conversations use post-quantum keys",
                """
                ALTER TABLE connections DROP COLUMN pq_received;
                ALTER TABLE connections DROP COLUMN pq_sent;
                ALTER TABLE connections DROP COLUMN pq_wanted;
                """)),
        addresses,
        Migration(
            4, "receipts, errors of connections",
            """
            ALTER TABLE profiles ADD COLUMN sends_receipts INTEGER NOT NULL DEFAULT 1;
            -- NULL: as the profile has it
            ALTER TABLE contacts ADD COLUMN sends_receipts INTEGER;
            ALTER TABLE connections ADD COLUMN auth_errors INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE connections ADD COLUMN quota_errors INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE connections ADD COLUMN is_refused INTEGER NOT NULL DEFAULT 0;
            """,
            down: Migration.Down(
                loses: "which messages arrived, who gets receipts, and what is known of broken connections",
                """
                -- Words that came with the step.
                UPDATE items SET status = 'snd_sent complete' WHERE status LIKE 'snd_rcvd %';
                DELETE FROM items WHERE kind IN
                    ('queue-switch', 'synchronization', 'security-code-changed', 'queue-refused');
                UPDATE chats SET last_item_id = (SELECT max(item_id) FROM items WHERE items.chat_id = chats.chat_id);
                ALTER TABLE connections DROP COLUMN is_refused;
                ALTER TABLE connections DROP COLUMN quota_errors;
                ALTER TABLE connections DROP COLUMN auth_errors;
                ALTER TABLE contacts DROP COLUMN sends_receipts;
                ALTER TABLE profiles DROP COLUMN sends_receipts;
                """)),
        Migration(
            5, "operators of servers",
            """
            ALTER TABLE servers ADD COLUMN is_preset INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE servers ADD COLUMN is_enabled INTEGER NOT NULL DEFAULT 1;

            -- Without a row the settings are those of the preset.
            CREATE TABLE operators (
                tag TEXT PRIMARY KEY,
                is_enabled INTEGER NOT NULL,
                stores_messages INTEGER NOT NULL,
                forwards_messages INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE accepted_conditions (
                tag TEXT NOT NULL,
                version TEXT NOT NULL,
                accepted_at INTEGER NOT NULL,
                PRIMARY KEY (tag, version)
            ) STRICT, WITHOUT ROWID;
            """,
            down: Migration.Down(
                loses: "the relays that are switched off, and that conditions were accepted",
                """
                DROP TABLE accepted_conditions;
                DROP TABLE operators;
                -- The former program would use them.
                DELETE FROM servers WHERE is_enabled = 0 OR is_preset = 1;
                ALTER TABLE servers DROP COLUMN is_enabled;
                ALTER TABLE servers DROP COLUMN is_preset;
                """)),
        Migration(
            6, "messages held up, queues on the move, profiles to be told",
            """
            DROP INDEX items_unsent;
            CREATE INDEX items_unsent ON items (item_id)
                WHERE status IN ('snd_new', 'snd_warning quota', 'snd_warning host', 'snd_warning version');

            -- Which queues are being replaced: the own one, and that of the contact.
            ALTER TABLE connections ADD COLUMN moves_own_queue INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE connections ADD COLUMN moves_contact_queue INTEGER NOT NULL DEFAULT 0;

            -- Whether the profile has changed since the contact, or the link, was told of it.
            ALTER TABLE connections ADD COLUMN owes_profile INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX connections_owing ON connections (connection_id) WHERE owes_profile = 1;
            """,
            down: Migration.Down(
                loses: "that profiles were changed, for those who were not told yet",
                """
                DROP INDEX connections_owing;
                ALTER TABLE connections DROP COLUMN owes_profile;
                ALTER TABLE connections DROP COLUMN moves_contact_queue;
                ALTER TABLE connections DROP COLUMN moves_own_queue;
                DROP INDEX items_unsent;
                UPDATE items SET status = 'snd_new' WHERE status LIKE 'snd_warning %';
                CREATE INDEX items_unsent ON items (item_id) WHERE status = 'snd_new';
                """)),
        exports,
        receiving,
        sessions,
        unconfirmed,
        copies,
        keeping,
        hookTurns,
        chats,
        changes,
        choices,
        prepared,
        groups,
        files,
        lists,
        fileFates,
        newest,
        memberKeys,
        keptChannels,
        channels,
        deliveries,
        chatRelays,
        originals,
    ]
}
