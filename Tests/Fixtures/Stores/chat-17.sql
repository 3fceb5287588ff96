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
INSERT INTO "addresses" VALUES(1,2,0,NULL,1795290142337);
CREATE TABLE call_keys (
    item_id INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    uuid TEXT NOT NULL,
    -- The own part of the key agreement: X25519, raw.
    private_key BLOB,
    shared_key BLOB
) STRICT;
CREATE TABLE chat_tags (
    chat_id INTEGER NOT NULL REFERENCES chats ON DELETE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tags ON DELETE CASCADE,
    PRIMARY KEY (chat_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE chats (
    chat_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    contact_id INTEGER UNIQUE REFERENCES contacts ON DELETE CASCADE,
    last_item_id INTEGER,
    unread_count INTEGER NOT NULL DEFAULT 0,
    active_at INTEGER NOT NULL
, group_id INTEGER REFERENCES groups ON DELETE CASCADE, note_folder_id INTEGER REFERENCES note_folders ON DELETE CASCADE
    CHECK ((contact_id IS NULL) + (group_id IS NULL) + (note_folder_id IS NULL) = 2), retention INTEGER, expiry INTEGER, is_favorite INTEGER NOT NULL DEFAULT 0, is_unread INTEGER NOT NULL DEFAULT 0, is_deleted INTEGER NOT NULL DEFAULT 0, custom_data TEXT, themes TEXT) STRICT;
INSERT INTO "chats" VALUES(1,1,1,4,2,1795290142657,NULL,NULL,NULL,NULL,0,0,0,NULL,NULL);
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
, pq_wanted INTEGER NOT NULL DEFAULT 1, pq_sent INTEGER NOT NULL DEFAULT 0, pq_received INTEGER NOT NULL DEFAULT 0, short_link TEXT, is_address INTEGER NOT NULL DEFAULT 0, request_key BLOB, owes_welcome INTEGER NOT NULL DEFAULT 0, auth_errors INTEGER NOT NULL DEFAULT 0, quota_errors INTEGER NOT NULL DEFAULT 0, is_refused INTEGER NOT NULL DEFAULT 0, moves_own_queue INTEGER NOT NULL DEFAULT 0, moves_contact_queue INTEGER NOT NULL DEFAULT 0, owes_profile INTEGER NOT NULL DEFAULT 0, incognito TEXT, synchronization INTEGER NOT NULL DEFAULT 0, welcome_id BLOB, address_id INTEGER, alias TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "connections" VALUES(1,1,1,'ready',1,NULL,'simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2F8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ%3D%40127.0.0.1%3A37193%2Fn80voGEltIsDAwVk8X7i8UddNALipmmi%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAI0_O4G6C2AoseUe9iubb2TRgPrHDzyegjW1pxKVU-gw%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkAB5MM6Ob8koF6LRxo2qT1q9J29kTeuj9I4Ns58MnC5c1fdQSitAYmmK8jbr4-0rCluVM2GTnVmrQ%3D%2CMEIwBQYDK2VvAzkA3xvoVshHLJ6QPDW9BHSJYtDnLaUkMCNvXRT7sTCv0m1sDh9tVj2TzwtRw5IOEA5gibVEYc-OLUc%3D',16,'1-16',1795290141531,1795290141757,1,1,1,'https://127.0.0.1/i#9RBknQDi8ohcRZLehNJRvkpYGILWB0AF/dXyYU3sKgJwZ29vH37r8vbf5D0EIBTy9fMdKSvk3TRw?p=37193&c=8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ',0,NULL,0,0,0,0,0,0,1,NULL,0,NULL,NULL,'');
INSERT INTO "connections" VALUES(2,1,NULL,'new',1,NULL,'simplex:/contact#/?v=2-7&smp=smp%3A%2F%2F8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ%3D%40127.0.0.1%3A37193%2FfZFNGPxWlZaYoaO-1Vk4KrYP-fHdSdnx%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEA2eITI7X1Ybym3nyE5UXjECGrFE1lDmb3GjautKv1tmY%253D%26q%3Dc',NULL,NULL,1795290142310,1795290142310,1,0,0,'https://127.0.0.1/a#oOMS93F1oFCZFls8LVK8ObODd8K54dvY08x6_3ZCLMY?p=37193&c=8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ',1,NULL,0,0,0,0,0,0,0,NULL,0,NULL,NULL,'');
CREATE TABLE contacts (
    contact_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    profile TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, sends_receipts INTEGER, is_muted INTEGER NOT NULL DEFAULT 0, is_blocked INTEGER NOT NULL DEFAULT 0, verified_code TEXT, verified_at INTEGER, code_changed_at INTEGER, alias TEXT NOT NULL DEFAULT '', preferences TEXT, presented_name TEXT, prepared TEXT, request_id INTEGER,
    UNIQUE (profile_id, name)
) STRICT;
INSERT INTO "contacts" VALUES(1,1,'bob','{"displayName":"bob","fullName":"","preferences":{"timedMessages":{"allow":"no"},"fullDelete":{"allow":"no"},"reactions":{"allow":"no"},"voice":{"allow":"no"},"files":{"allow":"no"},"calls":{"allow":"no"},"sessions":{"allow":"no"}}}','active',1795290141730,1795290141730,NULL,0,0,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL);
CREATE TABLE cursors (
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- NULL: all conversations of the profile
    item_id INTEGER NOT NULL,
    moved_at INTEGER NOT NULL, failed_item_id INTEGER, failures INTEGER NOT NULL DEFAULT 0, chat_id INTEGER REFERENCES chats ON DELETE CASCADE,
    PRIMARY KEY (profile_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE "drafts" (
    chat_id INTEGER PRIMARY KEY REFERENCES chats ON DELETE CASCADE,
    draft TEXT NOT NULL,
    -- The entry that it answers
    answers INTEGER REFERENCES items ON DELETE SET NULL,
    updated_at INTEGER NOT NULL
) STRICT;
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
CREATE TABLE groups (
    group_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (profile_id, name)
) STRICT;
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
CREATE TABLE item_versions (
    item_version_id INTEGER PRIMARY KEY AUTOINCREMENT,
    item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
    content TEXT NOT NULL,
    time INTEGER NOT NULL,
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
, quote TEXT, is_forwarded INTEGER NOT NULL DEFAULT 0, edited_at INTEGER, deleted_at INTEGER, ttl INTEGER, delete_at INTEGER, is_live INTEGER, forwarded_from TEXT, quoted_item_id INTEGER) STRICT;
INSERT INTO "items" VALUES(1,1,'sent','message','{"type":"text","text":"hello from before"}','snd_rcvd ok complete',X'98EA420667FCF9868AC71186',1795290141886,1795290141886,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES(2,1,'received','message','{"type":"text","text":"an answer, unread"}','rcv_new',X'E89A7851388EC429604FDEB9',1795290142000,1795290142221,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES(3,1,'received','message','{"type":"text","text":"and one more"}','rcv_new',X'34B89D904B3656EF51CD7D00',1795290142000,1795290142233,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES(4,1,'sent','message','{"type":"text","text":"in the outbox"}','snd_new',X'E157D38E16C144810625BE10',1795290142657,1795290142657,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE kept_events (
    kept_event_id INTEGER PRIMARY KEY AUTOINCREMENT,
    contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
    body BLOB NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;
CREATE TABLE migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL
, down TEXT, loses TEXT) STRICT;
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
INSERT INTO "migrations" VALUES(14,'chats with contacts, in groups, and notes',X'73C4F6DBC38349B2A965C009964C30C6EB85DA6A0FE05ADCB15BACBF24BDD64A','DELETE FROM names WHERE (profile_id, name) IN (SELECT profile_id, name FROM groups);
DELETE FROM groups;

ALTER TABLE contacts ADD COLUMN is_notes INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX contacts_notes ON contacts (profile_id) WHERE is_notes = 1;
ALTER TABLE contacts ADD COLUMN retention INTEGER;
ALTER TABLE contacts ADD COLUMN expiry INTEGER;
INSERT INTO contacts (contact_id, profile_id, name, profile, status, created_at, updated_at, is_notes)
    SELECT note_folder_id, profile_id, name, ''{"displayName":"notes","fullName":""}'', ''active'', created_at,
        updated_at, 1 FROM note_folders;
UPDATE chats SET contact_id = note_folder_id, note_folder_id = NULL WHERE note_folder_id IS NOT NULL;
UPDATE contacts SET
    retention = (SELECT retention FROM chats WHERE chats.contact_id = contacts.contact_id),
    expiry = (SELECT expiry FROM chats WHERE chats.contact_id = contacts.contact_id);

ALTER TABLE cursors ADD COLUMN contact_id INTEGER REFERENCES contacts ON DELETE CASCADE;
UPDATE cursors SET contact_id = (SELECT contact_id FROM chats WHERE chats.chat_id = cursors.chat_id)
    WHERE chat_id IS NOT NULL;
ALTER TABLE cursors DROP COLUMN chat_id;

CREATE TABLE contact_drafts (
    contact_id INTEGER PRIMARY KEY REFERENCES contacts ON DELETE CASCADE,
    draft TEXT NOT NULL,
    answers INTEGER REFERENCES items ON DELETE SET NULL,
    updated_at INTEGER NOT NULL
) STRICT;
INSERT INTO contact_drafts (contact_id, draft, answers, updated_at)
    SELECT contact_id, draft, answers, updated_at FROM drafts JOIN chats USING (chat_id);
DROP TABLE drafts;
ALTER TABLE contact_drafts RENAME TO drafts;

CREATE TABLE contact_send_keys (
    contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
    key TEXT NOT NULL,
    item_id INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    last_item_id INTEGER,
    PRIMARY KEY (contact_id, key)
) STRICT, WITHOUT ROWID;
INSERT INTO contact_send_keys (contact_id, key, item_id, used_at, last_item_id)
    SELECT contact_id, key, item_id, used_at, send_keys.last_item_id
    FROM send_keys JOIN chats USING (chat_id);
DROP TABLE send_keys;
ALTER TABLE contact_send_keys RENAME TO send_keys;
CREATE INDEX send_keys_age ON send_keys (used_at);

DROP INDEX chats_notes;
DROP INDEX chats_group;
ALTER TABLE chats DROP COLUMN note_folder_id;
ALTER TABLE chats DROP COLUMN group_id;
ALTER TABLE chats DROP COLUMN retention;
ALTER TABLE chats DROP COLUMN expiry;
DROP TABLE note_folders;
DROP TABLE groups;','groups');
INSERT INTO "migrations" VALUES(15,'versions of messages, live messages, sources of forwarded messages, keys of calls',X'318681A26EF00454852AA692E70B858935CF836A582E49801E97A973C76D5753','DROP TABLE call_keys;
ALTER TABLE items DROP COLUMN quoted_item_id;
ALTER TABLE items DROP COLUMN forwarded_from;
ALTER TABLE items DROP COLUMN is_live;
DROP TABLE item_versions;','earlier versions of messages, and the sources of forwarded messages');
INSERT INTO "migrations" VALUES(16,'tags, favourites, aliases, preferences of contacts',X'6CCB5D80B602DEABF455D183F49C5F01F250C178B0077BB508F695F2D23CA56F','DELETE FROM items WHERE item_id < 0;
ALTER TABLE state DROP COLUMN last_notice;
ALTER TABLE profiles DROP COLUMN changed_at;
ALTER TABLE profiles DROP COLUMN accepts_members;
ALTER TABLE profiles DROP COLUMN sends_group_receipts;
DELETE FROM names WHERE EXISTS (
    SELECT 1 FROM contacts
    WHERE contacts.profile_id = names.profile_id AND contacts.presented_name = names.name);
ALTER TABLE contacts DROP COLUMN presented_name;
ALTER TABLE contacts DROP COLUMN preferences;
ALTER TABLE contacts DROP COLUMN alias;
ALTER TABLE chats DROP COLUMN themes;
ALTER TABLE chats DROP COLUMN custom_data;
ALTER TABLE chats DROP COLUMN is_deleted;
ALTER TABLE chats DROP COLUMN is_unread;
ALTER TABLE chats DROP COLUMN is_favorite;
DROP TABLE chat_tags;
DROP TABLE tags;','tags, favourites, aliases, and what single contacts are allowed');
INSERT INTO "migrations" VALUES(17,'contacts that are prepared from a link',X'3A93BBD7D4573DCF137205E7BACAFFD1CA182D65D43741F79946C5EC9ECA245E','DELETE FROM names WHERE (profile_id, name) IN (
    SELECT profile_id, name FROM contacts WHERE prepared IS NOT NULL
        AND contact_id NOT IN (SELECT contact_id FROM connections WHERE contact_id IS NOT NULL));
DELETE FROM contacts WHERE prepared IS NOT NULL
    AND contact_id NOT IN (SELECT contact_id FROM connections WHERE contact_id IS NOT NULL);
ALTER TABLE connections DROP COLUMN alias;
ALTER TABLE connections DROP COLUMN address_id;
ALTER TABLE contacts DROP COLUMN request_id;
ALTER TABLE connections DROP COLUMN welcome_id;
ALTER TABLE requests DROP COLUMN welcome_id;
DROP INDEX contacts_prepared;
ALTER TABLE contacts DROP COLUMN prepared;','contacts that are prepared and not connected, and aliases of invitations');
CREATE TABLE names (
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (profile_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "names" VALUES(1,'alice');
INSERT INTO "names" VALUES(1,'bob');
INSERT INTO "names" VALUES(1,'carol');
CREATE TABLE note_folders (
    note_folder_id INTEGER PRIMARY KEY,
    profile_id INTEGER NOT NULL UNIQUE REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
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
, sends_receipts INTEGER NOT NULL DEFAULT 1, is_muted INTEGER NOT NULL DEFAULT 0, hidden_salt BLOB, hidden_hash BLOB, retention INTEGER, sends_group_receipts INTEGER NOT NULL DEFAULT 1, accepts_members INTEGER NOT NULL DEFAULT 0, changed_at INTEGER) STRICT;
INSERT INTO "profiles" VALUES(1,'alice','{"displayName":"alice","fullName":""}',1,1795290141381,1,0,NULL,NULL,NULL,1,0,NULL);
CREATE TABLE reactions (
    item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
    -- Who gave it
    direction TEXT NOT NULL,
    reaction TEXT NOT NULL,
    PRIMARY KEY (item_id, direction, reaction)
) STRICT, WITHOUT ROWID;
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
    updated_at INTEGER NOT NULL, welcome_id BLOB,
    UNIQUE (profile_id, name)
) STRICT;
INSERT INTO "requests" VALUES(1,1,'carol','{"displayName":"carol","fullName":"","preferences":{"timedMessages":{"allow":"no"},"fullDelete":{"allow":"no"},"reactions":{"allow":"no"},"voice":{"allow":"no"},"files":{"allow":"no"},"calls":{"allow":"no"},"sessions":{"allow":"no"}}}','1-16','simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2F8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ%3D%40127.0.0.1%3A37193%2FrUaW0jGJloQqPwi0d7YZ6FPXxTC9Ninh%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEANZDeLlewP5Njc0XA4LeC_iqKKE-p7yX_AkQt_FKZkWU%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkAw8YzVf0F_AnGdfeZJ5MdHZM6Azi-pvZ515CE88Cv2lRFAi7t_Dfnw5o23Yoi8XnRY3UGuAhbCa4%3D%2CMEIwBQYDK2VvAzkA-SpoRH0-3Zj78EJ0kHwxCk2gn61t8K8HBq1cDf6GILGHD8mt9SM4Q4VwGymjgVhBkQ_8KTOC5zw%3D%26kem_key%3D2dN9R1xB7bI396uCkM4sfIMTsjo0PxMVciTb3sa_mliev4osjz0HOTbYDT4SMurrwcFpmw0J4CZcbOPIwjuV1ZSOYovXxaJkmEzeJFm4-ASEHFBB8AfBsHjPDySXMaYVB1RJtjaOLmy7dPOSnK8bD9sLKve30-IgReeWpjNy1QvPwNfqrss279iKG6awc-DTe2gLOcIxmevYh42-zbXpIW8OWM599v7sH3GJWoibrppEXx0ivacAhJ0blYTHHWCqZusFQXOuvZivmRuACoG6GnCP7MSdTM8Kvhm9uDlxYwS35OIBXL6HVqg2rK0z63PDFQFXoccD4fTXfHpvZX19SeoLGKQ40yxlaeI4-GhUUWOC2INEL_ltl5i3YWDBsSczXUGfE1AGaw1WsDkY3pYdG-rhox_0gk5Ff6_qPl0GpV1Av1koCDm_XxYRnVtS3JXjGkeiIM45gUMzJbGA5dSfna0oonwdfKuLr2xEqG6dJaQmWIydZuTTe0Oswti70QaxRqJP_ceVZgGa7TIURWWFYE-O6Y4ReAjUhHgQj31DDrtFAdcjeRbvLoOXlg8tNUYx0pAHoS2hsd6tx7tqcPAmjuNm9ONzcYXt3JG2KZfrR_iLBQvkJjPx4rDhru-fqN9IGo_VJ5aZxSFab1JrN_Ha6wp40ORET0yOKKDBJ911n-Zc48HzL-2Ov-PuswVHo6vXq9b8goosIYO8V6durRlr5gBJNjiqAUX_bHwbXfwmtRbFT9i8NfkpRbMecmwoLvVzo_MvEx5ftZmKhVBsuLQ4WJmk2j2HRjuvy7aHS7T5IC22mm3BofMLKBCcKzO1TLXo4Cjjhb87MxF-n-_1hncEAKfY1m6rE_A0fZ5QmDXMki7JJta2a4E4jUMNeinJuWeZ4GGomC0zFl0F02hwbMqq83UjzrElunKsnz-vXOgxpXBbAacKYiWLoIBXtruMNpUXPXRGsML8NvZcyz8sDj63m-RVQoPNeEOTfMHDROiWrfmw9Emyoe9T2pcDq5i9DmjcCfteUd_xu3IMAQQWHiljSiz7FWXNbm8CF8bPs_EwGWrZvCdZDUHxiptpvduKWKSfhtWIFwOhQd78FIZS1RyLLtKQG0qIMKsEuRCz9bo__DqvqBkW50d00aZvg4cEpud2IAGdzNp8QQG_A7P8vQZnXzXihdrAl64kqCp8G2eUJILjxYtep3uViowZPXALNIJPP_yVanEapqv6y10B4DzcO7SGuoU33ViWPHngNNKL7dFbF2b8lvAJA6rHrNB5haGyOWuZFpg-bOrp9zc0dMFDcl67_e0b6HLRS0Q_La3myU2bkysTbHQWwlxxhMeAWJvwo12wS8lp9ovUkH5HQBIJ2CDV0rDyA-RMCmaMC_G6vUGWVqlPEuV97je7waaG0fgJA6kbcLfDqEDK3lSOVO_mZF92FTRWqsF5CM_MTUXJ1y7pAFjvqN1GoBlSc8gHPEHOnyZ8yFAsnawiPiV1N5763qOBQxjghL4ooymOpRr4VXhHHPDm4RWM0GQsFZEkPhRWFw3Q9pIC',X'2D7A0C09AD4AD8C2A288A93280463E87',0,NULL,NULL,0,NULL,1795290142609,1795290142609,NULL);
CREATE TABLE "send_keys" (
    chat_id INTEGER NOT NULL REFERENCES chats ON DELETE CASCADE,
    key TEXT NOT NULL,
    item_id INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    -- The last of several messages that were sent with the key; NULL: there was one
    last_item_id INTEGER,
    PRIMARY KEY (chat_id, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE servers (
    server_id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- NULL: what profiles that are made later begin with
    profile_id INTEGER REFERENCES profiles ON DELETE CASCADE,
    address TEXT NOT NULL, is_preset INTEGER NOT NULL DEFAULT 0, is_enabled INTEGER NOT NULL DEFAULT 1,
    UNIQUE (profile_id, address)
) STRICT;
INSERT INTO "servers" VALUES(1,NULL,'smp://8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ=@127.0.0.1:37193',0,1);
INSERT INTO "servers" VALUES(2,1,'smp://8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ=@127.0.0.1:37193',0,1);
CREATE TABLE session_lines (
    line_id INTEGER PRIMARY KEY AUTOINCREMENT,
    line TEXT NOT NULL
) STRICT;
CREATE TABLE session_values (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    last_agent_event INTEGER NOT NULL
, last_notice INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "state" VALUES(1,7,0);
CREATE TABLE tags (
    tag_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    text TEXT NOT NULL,
    emoji TEXT,
    position INTEGER NOT NULL,
    UNIQUE (profile_id, text)
) STRICT;
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
CREATE INDEX items_leaving ON items (delete_at) WHERE delete_at IS NOT NULL;
CREATE INDEX items_unconfirmed ON items (item_id)
    WHERE status IN ('snd_sent unconfirmed', 'snd_rcvd badMsgHash complete');
CREATE INDEX connections_out_of_step ON connections (connection_id) WHERE synchronization != 0;
CREATE INDEX hook_runs_waiting ON hook_runs (ifnull(chat_id, ''), hook_run_id) WHERE failures < 4;
CREATE INDEX items_age ON items (chat_id, created_at);
CREATE UNIQUE INDEX chats_group ON chats (group_id) WHERE group_id IS NOT NULL;
CREATE UNIQUE INDEX chats_notes ON chats (note_folder_id) WHERE note_folder_id IS NOT NULL;
CREATE INDEX send_keys_age ON send_keys (used_at);
CREATE INDEX item_versions_item ON item_versions (item_id);
CREATE INDEX chat_tags_tag ON chat_tags (tag_id);
CREATE INDEX contacts_prepared ON contacts (profile_id) WHERE prepared IS NOT NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('servers',2);
INSERT INTO "sqlite_sequence" VALUES('profiles',1);
INSERT INTO "sqlite_sequence" VALUES('connections',2);
INSERT INTO "sqlite_sequence" VALUES('contacts',1);
INSERT INTO "sqlite_sequence" VALUES('chats',1);
INSERT INTO "sqlite_sequence" VALUES('items',4);
INSERT INTO "sqlite_sequence" VALUES('requests',1);
COMMIT;
