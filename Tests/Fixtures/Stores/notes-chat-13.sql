BEGIN TRANSACTION;
CREATE TABLE accepted_conditions (
    tag TEXT NOT NULL,
    version TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    PRIMARY KEY (tag, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE addresses (
    profile_id INTEGER PRIMARY KEY REFERENCES profiles ON DELETE CASCADE,
    connection_id INTEGER NOT NULL UNIQUE REFERENCES connections ON DELETE CASCADE,
    accepts INTEGER NOT NULL,
    welcome TEXT,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE chats (
    chat_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    contact_id INTEGER UNIQUE REFERENCES contacts ON DELETE CASCADE,
    last_item_id INTEGER,
    unread_count INTEGER NOT NULL DEFAULT 0,
    active_at INTEGER NOT NULL
) STRICT;
INSERT INTO "chats" VALUES(1,1,1,9,2,1795415056623);
INSERT INTO "chats" VALUES(2,1,2,5,0,1795415054152);
INSERT INTO "chats" VALUES(3,2,3,6,0,1795415055619);
INSERT INTO "chats" VALUES(4,3,4,7,0,1795415056055);
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
, pq_wanted INTEGER NOT NULL DEFAULT 1, pq_sent INTEGER NOT NULL DEFAULT 0, pq_received INTEGER NOT NULL DEFAULT 0, short_link TEXT, is_address INTEGER NOT NULL DEFAULT 0, request_key BLOB, owes_welcome INTEGER NOT NULL DEFAULT 0, auth_errors INTEGER NOT NULL DEFAULT 0, quota_errors INTEGER NOT NULL DEFAULT 0, is_refused INTEGER NOT NULL DEFAULT 0, moves_own_queue INTEGER NOT NULL DEFAULT 0, moves_contact_queue INTEGER NOT NULL DEFAULT 0, owes_profile INTEGER NOT NULL DEFAULT 0, incognito TEXT, synchronization INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "connections" VALUES(1,1,1,'ready',1,NULL,'simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2Ffl4vXvPFhRhScC1yYSC5_GCc_tKfCQ25MQNKMW_GKTA%3D%40127.0.0.1%3A37351%2FZaHxUs8v2mkwS8mPE-PahFZVtspphR_X%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAGk4XGD8OOYpGKlls-DidUEZmi_eYLVkgNOjzQ84PgH4%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkA8pCF3vMbn0nN6Xsi7oOzUw_Z55IjFAYrQJ0OT2y9Nw-LZ5Ir1o26HThByPgEg7xTgExX7bqJAoo%3D%2CMEIwBQYDK2VvAzkAB7brnwAo6EeVMd9s8uGn9bfdgpDZbpdnRTBPzyyIXGFW0jLTL_rcsatxbKfD_h2mSPMhCeDIdTU%3D',16,'1-16',1795415050829,1795415051581,1,1,1,'https://127.0.0.1/i#lrb8jYkdp2R3ANG_uegWOF1ZYIFYCaKO/1OfUJjiQFMLWIOzDXptFqajLoh76j3PGSfPq-6oHSMA?p=37351&c=fl4vXvPFhRhScC1yYSC5_GCc_tKfCQ25MQNKMW_GKTA',0,NULL,0,0,0,0,0,0,0,NULL,0);
CREATE TABLE contacts (
    contact_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    profile TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, sends_receipts INTEGER, is_muted INTEGER NOT NULL DEFAULT 0, is_blocked INTEGER NOT NULL DEFAULT 0, verified_code TEXT, verified_at INTEGER, is_notes INTEGER NOT NULL DEFAULT 0, code_changed_at INTEGER, retention INTEGER, expiry INTEGER,
    UNIQUE (profile_id, name)
) STRICT;
INSERT INTO "contacts" VALUES(1,1,'bob','{"displayName":"bob","fullName":"","preferences":{"timedMessages":{"allow":"yes"},"fullDelete":{"allow":"no"},"reactions":{"allow":"yes"},"voice":{"allow":"no"},"files":{"allow":"no"},"calls":{"allow":"no"},"sessions":{"allow":"no"}}}','active',1795415051524,1795415051524,NULL,0,0,NULL,NULL,0,NULL,0,3153600000);
INSERT INTO "contacts" VALUES(2,1,'notes','{"displayName":"notes","fullName":""}','active',1795415053453,1795415053453,NULL,0,0,NULL,NULL,1,NULL,3153600000,NULL);
INSERT INTO "contacts" VALUES(3,2,'notes','{"displayName":"notes","fullName":""}','active',1795415055592,1795415055592,NULL,0,0,NULL,NULL,1,NULL,NULL,NULL);
INSERT INTO "contacts" VALUES(4,3,'notes','{"displayName":"notes","fullName":""}','active',1795415056022,1795415056022,NULL,0,0,NULL,NULL,1,NULL,NULL,NULL);
CREATE TABLE cursors (
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- NULL: all conversations of the profile
    contact_id INTEGER REFERENCES contacts ON DELETE CASCADE,
    -- The last entry before the place; 0: the beginning. The entry may have been removed since.
    item_id INTEGER NOT NULL,
    moved_at INTEGER NOT NULL, failed_item_id INTEGER, failures INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (profile_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "cursors" VALUES(1,'bob bot',1,1,1795415054802,NULL,0);
INSERT INTO "cursors" VALUES(1,'bot',NULL,2,1795415054913,NULL,0);
INSERT INTO "cursors" VALUES(1,'notes bot',2,3,1795415054586,NULL,0);
CREATE TABLE drafts (
    contact_id INTEGER PRIMARY KEY REFERENCES contacts ON DELETE CASCADE,
    draft TEXT NOT NULL,
    -- The entry that it answers
    answers INTEGER REFERENCES items ON DELETE SET NULL,
    updated_at INTEGER NOT NULL
) STRICT;
INSERT INTO "drafts" VALUES(1,'an answer that is not done',2,1795415055173);
INSERT INTO "drafts" VALUES(2,'a note that is not done',NULL,1795415055050);
CREATE TABLE exports (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    export_id BLOB NOT NULL UNIQUE,
    exported_at INTEGER NOT NULL,
    is_complete INTEGER NOT NULL,
    is_frozen INTEGER NOT NULL,
    -- How many messages all connections had sent and received.
    steps INTEGER NOT NULL,
    -- Set in the store that an archive became.
    imported_at INTEGER
, is_backup INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE hook_runs (
    hook_run_id INTEGER PRIMARY KEY AUTOINCREMENT,
    hook TEXT NOT NULL,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    event TEXT NOT NULL,
    object_id TEXT,
    chat_id TEXT,
    failures INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    created_at INTEGER NOT NULL
) STRICT;
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
, quote TEXT, is_forwarded INTEGER NOT NULL DEFAULT 0, edited_at INTEGER, deleted_at INTEGER, ttl INTEGER, delete_at INTEGER) STRICT;
INSERT INTO "items" VALUES(1,1,'sent','message','{"type":"text","text":"hello from before"}','snd_rcvd ok complete',X'15E5940D934156C8C92FB9C0',1795415052291,1795415052291,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES(2,1,'received','message','{"type":"text","text":"an answer, unread"}','rcv_new',X'B4D27C86BC555B25C1725990',1795415052000,1795415053307,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES(3,2,'sent','message','{"type":"text","text":"call the plumber today"}','snd_rcvd ok complete',X'CE66E601D1E220E8D1D3AC9F',1795415053487,1795415053487,NULL,0,1795415053742,NULL,NULL,NULL);
INSERT INTO "items" VALUES(4,2,'sent','message','{"type":"text","text":"buy milk"}','snd_rcvd ok complete',X'3B5B76231E4779E6C861C38D',1795415053630,1795415053630,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES(5,2,'sent','message','{"type":"text","text":"gone in a century"}','snd_rcvd ok complete',X'E87B05BA2FEC8C13D7FD25D7',1795415054152,1795415054152,NULL,0,NULL,NULL,3153600000,4949015054152);
INSERT INTO "items" VALUES(6,3,'sent','message','{"type":"text","text":"a note of the second profile"}','snd_rcvd ok complete',X'4B9EFB8461C870089460E8FF',1795415055619,1795415055619,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES(7,4,'sent','message','{"type":"text","text":"a secret note"}','snd_rcvd ok complete',X'78FB58B8635DC089D05F641F',1795415056055,1795415056055,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES(8,1,'sent','message','{"type":"text","text":"in the outbox"}','snd_new',X'4239A3FF322823A60AB64DA4',1795415056623,1795415056623,NULL,0,NULL,NULL,3153600000,NULL);
INSERT INTO "items" VALUES(9,1,'received','call','{"media":"audio","state":"pending","call":"AAECAwQFBgcICQoL","duration":0}','rcv_new',NULL,1790000000000,1790000000000,NULL,0,NULL,NULL,NULL,NULL);
CREATE TABLE kept_events (
    kept_event_id INTEGER PRIMARY KEY AUTOINCREMENT,
    contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
    body BLOB NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;
CREATE TABLE migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL, down TEXT, loses TEXT
) STRICT;
INSERT INTO "migrations" VALUES(1,'profiles, contacts, items',X'D5FA95596B1E51DB3A58349A444F8CA6D670054A212DC444F8364F693EACBEA1',NULL,NULL);
INSERT INTO "migrations" VALUES(2,'post-quantum keys',X'49423C236C92EA4A5F5B110FC26EC9CB5E2D945B80A2B582BBB7DAF22641DA8D','ALTER TABLE connections DROP COLUMN pq_received;
ALTER TABLE connections DROP COLUMN pq_sent;
ALTER TABLE connections DROP COLUMN pq_wanted;','whether conversations use post-quantum keys');
INSERT INTO "migrations" VALUES(3,'addresses, requests',X'026AF3ADB72495BA6DBFA9EEA58FB882D88BA125CEA9ED3A83C84A54CC67575D','DROP TABLE requests;
DROP TABLE addresses;
DELETE FROM connections WHERE is_address = 1;
DROP INDEX connections_pending;
DROP INDEX connections_request_key;
DROP INDEX connections_short_link;
ALTER TABLE connections DROP COLUMN owes_welcome;
ALTER TABLE connections DROP COLUMN request_key;
ALTER TABLE connections DROP COLUMN is_address;
ALTER TABLE connections DROP COLUMN short_link;','addresses, and the requests that came to them');
INSERT INTO "migrations" VALUES(4,'receipts, errors of connections',X'17BE59A42803A5C83A66308362DCB139606C2B5BCB599177111EDD08F8366AE1','-- Words that came with the step.
UPDATE items SET status = ''snd_sent complete'' WHERE status LIKE ''snd_rcvd %'';
DELETE FROM items WHERE kind IN
    (''queue-switch'', ''synchronization'', ''security-code-changed'', ''queue-refused'');
UPDATE chats SET last_item_id = (SELECT max(item_id) FROM items WHERE items.chat_id = chats.chat_id);
ALTER TABLE connections DROP COLUMN is_refused;
ALTER TABLE connections DROP COLUMN quota_errors;
ALTER TABLE connections DROP COLUMN auth_errors;
ALTER TABLE contacts DROP COLUMN sends_receipts;
ALTER TABLE profiles DROP COLUMN sends_receipts;','which messages arrived, who gets receipts, and what is known of broken connections');
INSERT INTO "migrations" VALUES(5,'operators of servers',X'678072F2F178F48C11EBDC9DF6174D49415FC6D533368ABBAAAD797372E8B698','DROP TABLE accepted_conditions;
DROP TABLE operators;
-- The former program would use them.
DELETE FROM servers WHERE is_enabled = 0 OR is_preset = 1;
ALTER TABLE servers DROP COLUMN is_enabled;
ALTER TABLE servers DROP COLUMN is_preset;','the relays that are switched off, and that conditions were accepted');
INSERT INTO "migrations" VALUES(6,'messages held up, queues on the move, profiles to be told',X'AD6FAE2C82BCD8F2591C094F880488CA1B82D6E7C5594BB0684903B84E70BF37','DROP INDEX connections_owing;
ALTER TABLE connections DROP COLUMN owes_profile;
ALTER TABLE connections DROP COLUMN moves_contact_queue;
ALTER TABLE connections DROP COLUMN moves_own_queue;
DROP INDEX items_unsent;
UPDATE items SET status = ''snd_new'' WHERE status LIKE ''snd_warning %'';
CREATE INDEX items_unsent ON items (item_id) WHERE status = ''snd_new'';','that profiles were changed, for those who were not told yet');
INSERT INTO "migrations" VALUES(7,'exports',X'C6C7340D2EC4232DFF162A0F93B23B0A3F642CB8B72378C1E94747821E86C41F','DROP TABLE exports;','which archives were made of the store, and that it is frozen');
INSERT INTO "migrations" VALUES(8,'cursors, changes of messages, care of contacts',X'C99AC0E3307CA1CEA3A938BF6098EE81553238970D7D8BFECC7184A426E1045B','ALTER TABLE profiles DROP COLUMN is_muted;
UPDATE contacts SET status = ''deleted'' WHERE status = ''deletedByUser'';
ALTER TABLE contacts DROP COLUMN verified_at;
ALTER TABLE contacts DROP COLUMN verified_code;
ALTER TABLE contacts DROP COLUMN is_blocked;
ALTER TABLE contacts DROP COLUMN is_muted;
DROP TABLE owed_events;
DROP TABLE reactions;
ALTER TABLE items DROP COLUMN deleted_at;
ALTER TABLE items DROP COLUMN edited_at;
ALTER TABLE items DROP COLUMN is_forwarded;
ALTER TABLE items DROP COLUMN quote;
DROP TABLE send_keys;
DROP TABLE cursors;','cursors, keys of messages, quotes, reactions, and which contacts are muted, blocked or verified');
INSERT INTO "migrations" VALUES(9,'sessions, hooks, notes, messages that disappear, hidden profiles',X'E622BF46FF69C7A7F2E951D378BB3B4810AD573EDFE51201084F954E032CFEF1','-- The former program would tell them who this is: it goes on with the conversations without the contacts.
UPDATE contacts SET status = ''deletedByUser'' WHERE contact_id IN
    (SELECT contact_id FROM connections WHERE incognito IS NOT NULL);
UPDATE connections SET status = ''deleted'', contact_id = NULL WHERE incognito IS NOT NULL;
ALTER TABLE connections DROP COLUMN incognito;
DELETE FROM names
WHERE (profile_id, name) IN (SELECT profile_id, name FROM contacts WHERE is_notes = 1);
DELETE FROM contacts WHERE is_notes = 1;
DROP INDEX contacts_notes;
ALTER TABLE contacts DROP COLUMN is_notes;
ALTER TABLE profiles DROP COLUMN hidden_hash;
ALTER TABLE profiles DROP COLUMN hidden_salt;
DROP INDEX items_leaving;
-- The former program would keep them for ever.
DELETE FROM items WHERE delete_at IS NOT NULL;
UPDATE chats SET last_item_id = (SELECT max(item_id) FROM items WHERE items.chat_id = chats.chat_id);
ALTER TABLE items DROP COLUMN delete_at;
ALTER TABLE items DROP COLUMN ttl;
DROP TABLE hook_runs;
DROP TABLE drafts;
DROP TABLE session_lines;
DROP TABLE session_values;','notes, drafts, place and passcode of sessions, waiting hooks, hidden profiles, incognito contacts');
INSERT INTO "migrations" VALUES(10,'messages that were not confirmed',X'5BA4D5D8523B5C9B83F3FB6828403CEE1821DF9905E7F891A224462971C81D1D','DROP INDEX items_unconfirmed;
UPDATE items SET status = ''snd_sent complete'' WHERE status = ''snd_sent unconfirmed'';','which messages were not confirmed');
INSERT INTO "migrations" VALUES(11,'copies of stores, ratchets out of step, security codes that changed',X'60191BC583DADB4C602A2584B4F9005BB0033615A8956F5795888D76B9F458DA','ALTER TABLE contacts DROP COLUMN code_changed_at;
DROP INDEX connections_out_of_step;
ALTER TABLE connections DROP COLUMN synchronization;
DROP TABLE place;
ALTER TABLE exports DROP COLUMN is_backup;','which frozen stores are backups, which contacts are out of step, and which security codes changed');
INSERT INTO "migrations" VALUES(12,'retention, messages in parts, failures behind cursors',X'E732FBB00B564518AF234C6E9BDB93E1966C520AF9040CC0B6DCF42CD3CE9061','DROP INDEX items_age;
ALTER TABLE contacts DROP COLUMN expiry;
ALTER TABLE contacts DROP COLUMN retention;
ALTER TABLE profiles DROP COLUMN retention;
ALTER TABLE send_keys DROP COLUMN last_item_id;
ALTER TABLE cursors DROP COLUMN failures;
ALTER TABLE cursors DROP COLUMN failed_item_id;','how long messages are kept, the default expiry of contacts, and failures behind cursors');
INSERT INTO "migrations" VALUES(13,'hooks by chat',X'C12FC62A56BE2B8B2759C554FD5AAE9368B4FB0A83BDF0578817B957B2BC3D22','DROP INDEX hook_runs_waiting;','the order in which hooks of several chats take turns');
CREATE TABLE names (
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (profile_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "names" VALUES(1,'alice');
INSERT INTO "names" VALUES(1,'bob');
INSERT INTO "names" VALUES(1,'notes');
INSERT INTO "names" VALUES(2,'notes');
INSERT INTO "names" VALUES(2,'second');
INSERT INTO "names" VALUES(3,'notes');
INSERT INTO "names" VALUES(3,'quiet');
CREATE TABLE operators (
    tag TEXT PRIMARY KEY,
    is_enabled INTEGER NOT NULL,
    stores_messages INTEGER NOT NULL,
    forwards_messages INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE owed_events (
    owed_event_id INTEGER PRIMARY KEY AUTOINCREMENT,
    contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
    message TEXT NOT NULL
) STRICT;
CREATE TABLE place (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    -- A hash of the machine's identity.
    machine BLOB NOT NULL,
    -- The inodes of the chat database and of the folder of the store.
    database_inode INTEGER NOT NULL,
    folder_inode INTEGER NOT NULL
) STRICT;
CREATE TABLE profiles (
    profile_id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    created_at INTEGER NOT NULL
, sends_receipts INTEGER NOT NULL DEFAULT 1, is_muted INTEGER NOT NULL DEFAULT 0, hidden_salt BLOB, hidden_hash BLOB, retention INTEGER) STRICT;
INSERT INTO "profiles" VALUES(1,'alice','{"displayName":"alice","fullName":""}',1,1795415050300,1,0,NULL,NULL,NULL);
INSERT INTO "profiles" VALUES(2,'second','{"displayName":"second","fullName":""}',0,1795415055435,1,0,NULL,NULL,NULL);
INSERT INTO "profiles" VALUES(3,'quiet','{"displayName":"quiet","fullName":""}',0,1795415055730,1,0,X'2036AD7DC5A0394D95AB29B768896489',X'39551CC62917437C54FE273A53C5D015802654F664FEB126AC33156A00F60BEE',NULL);
CREATE TABLE reactions (
    item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
    -- Who gave it
    direction TEXT NOT NULL,
    reaction TEXT NOT NULL,
    PRIMARY KEY (item_id, direction, reaction)
) STRICT, WITHOUT ROWID;
INSERT INTO "reactions" VALUES(3,'sent','{"type":"emoji","emoji":"👍"}');
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
CREATE TABLE send_keys (
    contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
    key TEXT NOT NULL,
    item_id INTEGER NOT NULL,
    used_at INTEGER NOT NULL, last_item_id INTEGER,
    PRIMARY KEY (contact_id, key)
) STRICT, WITHOUT ROWID;
INSERT INTO "send_keys" VALUES(1,'greeting',1,1795415052291,NULL);
INSERT INTO "send_keys" VALUES(2,'plumber',3,1795415053487,NULL);
CREATE TABLE servers (
    server_id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- NULL: what profiles that are made later begin with
    profile_id INTEGER REFERENCES profiles ON DELETE CASCADE,
    address TEXT NOT NULL, is_preset INTEGER NOT NULL DEFAULT 0, is_enabled INTEGER NOT NULL DEFAULT 1,
    UNIQUE (profile_id, address)
) STRICT;
INSERT INTO "servers" VALUES(1,NULL,'smp://fl4vXvPFhRhScC1yYSC5_GCc_tKfCQ25MQNKMW_GKTA=@127.0.0.1:37351',0,1);
INSERT INTO "servers" VALUES(2,1,'smp://fl4vXvPFhRhScC1yYSC5_GCc_tKfCQ25MQNKMW_GKTA=@127.0.0.1:37351',0,1);
INSERT INTO "servers" VALUES(3,2,'smp://fl4vXvPFhRhScC1yYSC5_GCc_tKfCQ25MQNKMW_GKTA=@127.0.0.1:37351',0,1);
INSERT INTO "servers" VALUES(4,3,'smp://fl4vXvPFhRhScC1yYSC5_GCc_tKfCQ25MQNKMW_GKTA=@127.0.0.1:37351',0,1);
CREATE TABLE session_lines (
    line_id INTEGER PRIMARY KEY AUTOINCREMENT,
    line TEXT NOT NULL
) STRICT;
CREATE TABLE session_values (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "session_values" VALUES('calls','9');
INSERT INTO "session_values" VALUES('onboarding','complete');
INSERT INTO "session_values" VALUES('place','{"v":1,"screens":[{"screen":"home","profile":1},{"screen":"chat","contact":2}]}');
CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    last_agent_event INTEGER NOT NULL
) STRICT;
INSERT INTO "state" VALUES(1,5);
CREATE UNIQUE INDEX profiles_active ON profiles (is_active) WHERE is_active = 1;
CREATE INDEX connections_contact ON connections (contact_id);
CREATE INDEX connections_link ON connections (profile_id, link);
CREATE INDEX connections_beginning ON connections (connection_id) WHERE status IN ('new', 'prepared');
CREATE INDEX chats_activity ON chats (profile_id, active_at);
CREATE INDEX items_chat ON items (chat_id, item_id);
CREATE INDEX items_shared_id ON items (chat_id, shared_id) WHERE shared_id IS NOT NULL;
CREATE INDEX items_unread ON items (chat_id) WHERE status = 'rcv_new';
CREATE INDEX connections_short_link ON connections (profile_id, short_link) WHERE short_link IS NOT NULL;
CREATE INDEX connections_request_key ON connections (profile_id, request_key) WHERE request_key IS NOT NULL;
CREATE INDEX connections_pending ON connections (connection_id) WHERE contact_id IS NULL;
CREATE INDEX requests_key ON requests (profile_id, request_key) WHERE request_key IS NOT NULL;
CREATE INDEX items_unsent ON items (item_id)
    WHERE status IN ('snd_new', 'snd_warning quota', 'snd_warning host', 'snd_warning version');
CREATE INDEX connections_owing ON connections (connection_id) WHERE owes_profile = 1;
CREATE INDEX send_keys_age ON send_keys (used_at);
CREATE INDEX items_leaving ON items (delete_at) WHERE delete_at IS NOT NULL;
CREATE UNIQUE INDEX contacts_notes ON contacts (profile_id) WHERE is_notes = 1;
CREATE INDEX items_unconfirmed ON items (item_id)
    WHERE status IN ('snd_sent unconfirmed', 'snd_rcvd badMsgHash complete');
CREATE INDEX connections_out_of_step ON connections (connection_id) WHERE synchronization != 0;
CREATE INDEX items_age ON items (chat_id, created_at);
CREATE INDEX hook_runs_waiting ON hook_runs (ifnull(chat_id, ''), hook_run_id) WHERE failures < 4;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('servers',4);
INSERT INTO "sqlite_sequence" VALUES('profiles',3);
INSERT INTO "sqlite_sequence" VALUES('connections',1);
INSERT INTO "sqlite_sequence" VALUES('contacts',4);
INSERT INTO "sqlite_sequence" VALUES('chats',4);
INSERT INTO "sqlite_sequence" VALUES('items',9);
COMMIT;
