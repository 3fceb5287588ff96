BEGIN TRANSACTION;
CREATE TABLE chats (
    chat_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    contact_id INTEGER UNIQUE REFERENCES contacts ON DELETE CASCADE,
    last_item_id INTEGER,
    unread_count INTEGER NOT NULL DEFAULT 0,
    active_at INTEGER NOT NULL
) STRICT;
INSERT INTO "chats" VALUES(1,1,1,4,2,1795290142657);
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
INSERT INTO "connections" VALUES(1,1,1,'ready',1,NULL,'simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2F8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ%3D%40127.0.0.1%3A37193%2Fn80voGEltIsDAwVk8X7i8UddNALipmmi%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAI0_O4G6C2AoseUe9iubb2TRgPrHDzyegjW1pxKVU-gw%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkAB5MM6Ob8koF6LRxo2qT1q9J29kTeuj9I4Ns58MnC5c1fdQSitAYmmK8jbr4-0rCluVM2GTnVmrQ%3D%2CMEIwBQYDK2VvAzkA3xvoVshHLJ6QPDW9BHSJYtDnLaUkMCNvXRT7sTCv0m1sDh9tVj2TzwtRw5IOEA5gibVEYc-OLUc%3D',16,'1-16',1795290141531,1795290141757);
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
INSERT INTO "contacts" VALUES(1,1,'bob','{"displayName":"bob","fullName":"","preferences":{"timedMessages":{"allow":"no"},"fullDelete":{"allow":"no"},"reactions":{"allow":"no"},"voice":{"allow":"no"},"files":{"allow":"no"},"calls":{"allow":"no"},"sessions":{"allow":"no"}}}','active',1795290141730,1795290141730);
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
INSERT INTO "items" VALUES(1,1,'sent','message','{"type":"text","text":"hello from before"}','snd_sent complete',X'98EA420667FCF9868AC71186',1795290141886,1795290141886);
INSERT INTO "items" VALUES(2,1,'received','message','{"type":"text","text":"an answer, unread"}','rcv_new',X'E89A7851388EC429604FDEB9',1795290142000,1795290142221);
INSERT INTO "items" VALUES(3,1,'received','message','{"type":"text","text":"and one more"}','rcv_new',X'34B89D904B3656EF51CD7D00',1795290142000,1795290142233);
INSERT INTO "items" VALUES(4,1,'sent','message','{"type":"text","text":"in the outbox"}','snd_new',X'E157D38E16C144810625BE10',1795290142657,1795290142657);
CREATE TABLE kept_events (
    kept_event_id INTEGER PRIMARY KEY AUTOINCREMENT,
    contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
    body BLOB NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;
CREATE TABLE migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL
) STRICT;
INSERT INTO "migrations" VALUES(1,'profiles, contacts, items',X'D5FA95596B1E51DB3A58349A444F8CA6D670054A212DC444F8364F693EACBEA1');
CREATE TABLE names (
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (profile_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "names" VALUES(1,'alice');
INSERT INTO "names" VALUES(1,'bob');
INSERT INTO "names" VALUES(1,'carol');
CREATE TABLE profiles (
    profile_id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO "profiles" VALUES(1,'alice','{"displayName":"alice","fullName":""}',1,1795290141381);
CREATE TABLE servers (
    server_id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- NULL: what profiles that are made later begin with
    profile_id INTEGER REFERENCES profiles ON DELETE CASCADE,
    address TEXT NOT NULL,
    UNIQUE (profile_id, address)
) STRICT;
INSERT INTO "servers" VALUES(1,NULL,'smp://8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ=@127.0.0.1:37193');
INSERT INTO "servers" VALUES(2,1,'smp://8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ=@127.0.0.1:37193');
CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    last_agent_event INTEGER NOT NULL
) STRICT;
INSERT INTO "state" VALUES(1,7);
CREATE UNIQUE INDEX profiles_active ON profiles (is_active) WHERE is_active = 1;
CREATE INDEX connections_contact ON connections (contact_id);
CREATE INDEX connections_link ON connections (profile_id, link);
CREATE INDEX connections_beginning ON connections (connection_id) WHERE status IN ('new', 'prepared');
CREATE INDEX chats_activity ON chats (profile_id, active_at);
CREATE INDEX items_chat ON items (chat_id, item_id);
CREATE INDEX items_shared_id ON items (chat_id, shared_id) WHERE shared_id IS NOT NULL;
CREATE INDEX items_unread ON items (chat_id) WHERE status = 'rcv_new';
CREATE INDEX items_unsent ON items (item_id) WHERE status = 'snd_new';
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('servers',2);
INSERT INTO "sqlite_sequence" VALUES('profiles',1);
INSERT INTO "sqlite_sequence" VALUES('connections',2);
INSERT INTO "sqlite_sequence" VALUES('contacts',1);
INSERT INTO "sqlite_sequence" VALUES('chats',1);
INSERT INTO "sqlite_sequence" VALUES('items',4);
COMMIT;
