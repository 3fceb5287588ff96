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
, is_business INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "addresses" VALUES(1,2,0,NULL,1795290142337,0);
CREATE TABLE call_keys (
    item_id INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    uuid TEXT NOT NULL,
    -- The own part of the key agreement: X25519, raw.
    private_key BLOB,
    shared_key BLOB
) STRICT;
CREATE TABLE chat_relays (
    chat_relay_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    -- A link of the kind /r#
    address TEXT NOT NULL,
    profile TEXT NOT NULL,
    -- Separated by commas
    domains TEXT NOT NULL,
    is_preset INTEGER NOT NULL,
    -- NULL: it was never tested
    is_tested INTEGER,
    is_enabled INTEGER NOT NULL,
    -- It is not listed any more, and a channel uses it.
    is_deleted INTEGER NOT NULL,
    UNIQUE (profile_id, address)
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
    CHECK ((contact_id IS NULL) + (group_id IS NULL) + (note_folder_id IS NULL) = 2), retention INTEGER, expiry INTEGER, is_favorite INTEGER NOT NULL DEFAULT 0, is_unread INTEGER NOT NULL DEFAULT 0, is_deleted INTEGER NOT NULL DEFAULT 0, custom_data TEXT, themes TEXT, unread_mentions INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "chats" VALUES(1,1,1,4,2,1795290142657,NULL,NULL,NULL,NULL,0,0,0,NULL,NULL,0);
INSERT INTO "chats" VALUES(2,1,2,18,2,1795490977892,NULL,NULL,NULL,NULL,0,0,0,NULL,NULL,0);
INSERT INTO "chats" VALUES(3,1,NULL,20,2,1795490978888,1,NULL,NULL,NULL,0,0,0,NULL,NULL,1);
INSERT INTO "chats" VALUES(4,1,NULL,19,0,1795490977855,2,NULL,NULL,NULL,0,0,0,NULL,NULL,0);
INSERT INTO "chats" VALUES(5,1,NULL,NULL,0,1795490977891,3,NULL,NULL,NULL,0,0,0,NULL,NULL,0);
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
, pq_wanted INTEGER NOT NULL DEFAULT 1, pq_sent INTEGER NOT NULL DEFAULT 0, pq_received INTEGER NOT NULL DEFAULT 0, short_link TEXT, is_address INTEGER NOT NULL DEFAULT 0, request_key BLOB, owes_welcome INTEGER NOT NULL DEFAULT 0, auth_errors INTEGER NOT NULL DEFAULT 0, quota_errors INTEGER NOT NULL DEFAULT 0, is_refused INTEGER NOT NULL DEFAULT 0, moves_own_queue INTEGER NOT NULL DEFAULT 0, moves_contact_queue INTEGER NOT NULL DEFAULT 0, owes_profile INTEGER NOT NULL DEFAULT 0, incognito TEXT, synchronization INTEGER NOT NULL DEFAULT 0, welcome_id BLOB, address_id INTEGER, alias TEXT NOT NULL DEFAULT '', member_id INTEGER REFERENCES group_members ON DELETE CASCADE) STRICT;
INSERT INTO "connections" VALUES(1,1,1,'ready',1,NULL,'simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2F8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ%3D%40127.0.0.1%3A37193%2Fn80voGEltIsDAwVk8X7i8UddNALipmmi%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAI0_O4G6C2AoseUe9iubb2TRgPrHDzyegjW1pxKVU-gw%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkAB5MM6Ob8koF6LRxo2qT1q9J29kTeuj9I4Ns58MnC5c1fdQSitAYmmK8jbr4-0rCluVM2GTnVmrQ%3D%2CMEIwBQYDK2VvAzkA3xvoVshHLJ6QPDW9BHSJYtDnLaUkMCNvXRT7sTCv0m1sDh9tVj2TzwtRw5IOEA5gibVEYc-OLUc%3D',16,'1-16',1795290141531,1795290141757,1,1,1,'https://127.0.0.1/i#9RBknQDi8ohcRZLehNJRvkpYGILWB0AF/dXyYU3sKgJwZ29vH37r8vbf5D0EIBTy9fMdKSvk3TRw?p=37193&c=8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ',0,NULL,0,0,0,0,0,0,0,NULL,0,NULL,NULL,'',NULL);
INSERT INTO "connections" VALUES(2,1,NULL,'new',1,NULL,'simplex:/contact#/?v=2-7&smp=smp%3A%2F%2F8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ%3D%40127.0.0.1%3A37193%2FfZFNGPxWlZaYoaO-1Vk4KrYP-fHdSdnx%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEA2eITI7X1Ybym3nyE5UXjECGrFE1lDmb3GjautKv1tmY%253D%26q%3Dc',NULL,NULL,1795290142310,1795290142310,1,0,0,'https://127.0.0.1/a#oOMS93F1oFCZFls8LVK8ObODd8K54dvY08x6_3ZCLMY?p=37193&c=8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ',1,NULL,0,0,0,0,0,0,0,NULL,0,NULL,NULL,'',NULL);
INSERT INTO "connections" VALUES(3,1,2,'ready',1,NULL,'simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2FmWqFaDMHyKBZi53aR_r0hX8rAT_OTZK5iOwEkSSy2OE%3D%40127.0.0.1%3A40657%2FqPENJXKJ_M57o6j0Lf3dbRr5JlLXfSMs%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAiGRPjtITfI-m4-4Ph3ikgkvZ_9wPn1SlsGE3gYLdCUY%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkAXrwkbQf7OGHoZxcw0pjwlZTKInriyGhfPPImaudWTj_ZopYTMc-GN246DOZU5Le8IviyB3T90Lo%3D%2CMEIwBQYDK2VvAzkAv1kFy4hv52qD3iP6fke8lZThUrMNvdEfQ-STiAI7xOlsS_DCXILPONyCBgDqOfDgNbjgsUgp3KI%3D',16,'1-16',1795490957603,1795490958122,1,1,1,'https://127.0.0.1/i#TZZkzWPLGRQyIj0djaIfylxSzJr5ZJmu/iAASV9XMklT_lTSZID6wFDDE9gDPBFlD4L9iIBk2HCE?p=40657&c=mWqFaDMHyKBZi53aR_r0hX8rAT_OTZK5iOwEkSSy2OE',0,NULL,0,0,0,0,0,0,0,NULL,0,NULL,NULL,'',NULL);
INSERT INTO "connections" VALUES(4,1,NULL,'ready',1,NULL,'simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2FmWqFaDMHyKBZi53aR_r0hX8rAT_OTZK5iOwEkSSy2OE%3D%40127.0.0.1%3A40657%2FaXL8cE5PWhu2YuT7PgELAGNovhPIqBYB%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAhsKYtH2z_Rxn0D_IcMyFLeee71NFyr6etDp9YLcQyiE%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkAgzTLf472Z2E8_nk4q7d1QVQ6CMY12UqZF8SbnyPCFxQMqrfXIPg7q171kHgMsGRA_KyACPke2b8%3D%2CMEIwBQYDK2VvAzkAdn0GPNXyNKECD46YSqjYR1JrFGVVTCx6XJ9MQxHfua1niJ6Gfe8v0Vj5tawobNze55dXUfL2kqo%3D',16,'1-16',1795490961651,1795490968325,0,0,0,NULL,0,NULL,0,0,0,0,0,0,0,NULL,0,NULL,NULL,'',2);
INSERT INTO "connections" VALUES(5,1,NULL,'new',1,NULL,'simplex:/contact#/?v=2-7&smp=smp%3A%2F%2FmWqFaDMHyKBZi53aR_r0hX8rAT_OTZK5iOwEkSSy2OE%3D%40127.0.0.1%3A40657%2FWcg11kIpbHffJjdXzZd3pOWMH3xZdaK4%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAyymq43AbLhrL2z-gUT3SQmYV0xKNpTmYW2QcgRpk_hE%253D%26q%3Dc&data=%7B%22type%22%3A%22group%22%2C%22groupLinkId%22%3A%22JWZLhnV2zNXhViPUrEMu6g%3D%3D%22%7D',NULL,NULL,1795490968616,1795490968616,1,0,0,'https://127.0.0.1/g#Bvb_lPA_OOwL6-lpJKhJAbfoI0cqD6DEjtGBJzcNJ1w?p=40657&c=mWqFaDMHyKBZi53aR_r0hX8rAT_OTZK5iOwEkSSy2OE',1,NULL,0,0,0,0,0,0,0,NULL,0,NULL,NULL,'',NULL);
INSERT INTO "connections" VALUES(6,1,NULL,'ready',0,NULL,'simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2FmWqFaDMHyKBZi53aR_r0hX8rAT_OTZK5iOwEkSSy2OE%3D%40127.0.0.1%3A40657%2FeyTdBg1nVuGZaDs6adi4JToyV3DVFpVL%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEA-L3sf11VCBUQDqCwCgHEInVQPrPjiGwgDQcJxqVvIgo%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkA2Z6ZhsizBDTExBthZuANi8gQMFmaMxCCKRfFzKB_-9TZYV0bhcwWNqMRZvGNJtpB_9FeUPKJZw4%3D%2CMEIwBQYDK2VvAzkAThJwNR6hdQ3eS3toF1-OHZ-P3i4Qhsrb2h6gPK62edrXN4t0q2TUXfFq0dpSQA5aZ8zgnS87oW4%3D',16,'1-16',1795490968934,1795490969582,0,0,0,NULL,0,X'0B3315EC91025072306608480FD4409D',0,0,0,0,0,0,0,NULL,0,NULL,5,'',3);
INSERT INTO "connections" VALUES(7,1,NULL,'ready',0,NULL,'simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2FmWqFaDMHyKBZi53aR_r0hX8rAT_OTZK5iOwEkSSy2OE%3D%40127.0.0.1%3A40657%2F6IhiPuQ0WXB8EdzsS2O1OAkC4lnd3LG_%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAb8pLzb11SJsO63tKDMehQiVuuwmflluEQQr_DxZHuwQ%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkA0FMxiiXGpRM1hBrTfFVPbBFHygi56zS0ct6gnnjU6c2gl2GeMy67A7dUexgJB1cXo_rwl6X2aL4%3D%2CMEIwBQYDK2VvAzkA6DlLhhl1E0THttTFC27GvTyXyT2sAKw8OnS-TDSBFkVHq-id6iLZuiOUARzsjmSJYliZtQqVUaY%3D',16,'1-16',1795490975930,1795490977292,0,0,0,NULL,0,X'EFF79E182F5AF75444E395FB25A25F2C',0,0,0,0,0,0,0,NULL,0,NULL,5,'',4);
INSERT INTO "connections" VALUES(8,1,NULL,'deleted',0,NULL,'simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2FmWqFaDMHyKBZi53aR_r0hX8rAT_OTZK5iOwEkSSy2OE%3D%40127.0.0.1%3A40657%2F34PUXZ_T8koC64mjCiY2A-K2LnQOtjVA%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAhDq_I0AUy-ElGRD8jy3oUrNZbHW89btJJjASVeC1gws%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkAYheLBFhqOuVILzyJvpZIj7pDam2mvvrOkPqZeyL6TnBwu_9dUbaVZAcT8U6eIahsR_Bv5sZEVwU%3D%2CMEIwBQYDK2VvAzkAqMxUcPu6wrWsgjwKX6f1L6O0WgKgxwaxaOtKn8H3qJTKf9Yn1xNjpuxx8SmPlnJ_ZMP-s98PgDw%3D',16,'1-16',1795490978296,1795490978729,0,0,0,NULL,0,NULL,0,0,0,0,0,0,0,NULL,0,NULL,NULL,'',5);
CREATE TABLE contacts (
    contact_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    profile TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, sends_receipts INTEGER, is_muted INTEGER NOT NULL DEFAULT 0, is_blocked INTEGER NOT NULL DEFAULT 0, verified_code TEXT, verified_at INTEGER, code_changed_at INTEGER, alias TEXT NOT NULL DEFAULT '', preferences TEXT, presented_name TEXT, prepared TEXT, request_id INTEGER, member_invitation TEXT,
    UNIQUE (profile_id, name)
) STRICT;
INSERT INTO "contacts" VALUES(1,1,'bob','{"displayName":"bob","fullName":"","preferences":{"timedMessages":{"allow":"no"},"fullDelete":{"allow":"no"},"reactions":{"allow":"no"},"voice":{"allow":"no"},"files":{"allow":"no"},"calls":{"allow":"no"},"sessions":{"allow":"no"}}}','active',1795290141730,1795290141730,NULL,0,0,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "contacts" VALUES(2,1,'dave','{"displayName":"dave","fullName":"","preferences":{"timedMessages":{"allow":"yes"},"fullDelete":{"allow":"no"},"reactions":{"allow":"yes"},"voice":{"allow":"yes"},"files":{"allow":"always"},"calls":{"allow":"yes"},"sessions":{"allow":"no"},"commands":[]}}','active',1795490958097,1795490958097,NULL,0,0,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL);
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
CREATE TABLE early_events (
    early_event_id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
    -- Who wrote the message
    author BLOB NOT NULL,
    message_id BLOB NOT NULL,
    -- Who sent the event
    group_member_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
    event TEXT NOT NULL,
    -- When it was sent, by the clock of a relay
    time INTEGER NOT NULL,
    received_at INTEGER NOT NULL
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
CREATE TABLE file_acceptance (
    kind TEXT PRIMARY KEY,
    size INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE file_descriptions (
    file_description_id INTEGER PRIMARY KEY AUTOINCREMENT,
    file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
    is_of_sender INTEGER NOT NULL,
    description TEXT NOT NULL
) STRICT;
CREATE TABLE file_servers (
    file_server_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER REFERENCES profiles ON DELETE CASCADE,
    address TEXT NOT NULL, is_preset INTEGER NOT NULL DEFAULT 0, is_enabled INTEGER NOT NULL DEFAULT 1,
    UNIQUE (profile_id, address)
) STRICT;
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
, digest BLOB, inline_mode TEXT, content BLOB, is_revoked INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE group_deliveries (
    group_message_id INTEGER NOT NULL REFERENCES group_messages ON DELETE CASCADE,
    group_member_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
    status TEXT NOT NULL,
    PRIMARY KEY (group_message_id, group_member_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "group_deliveries" VALUES(5,2,'received');
INSERT INTO "group_deliveries" VALUES(5,3,'received');
INSERT INTO "group_deliveries" VALUES(11,5,'pending');
INSERT INTO "group_deliveries" VALUES(12,2,'new');
INSERT INTO "group_deliveries" VALUES(12,3,'new');
CREATE TABLE group_links (
    group_id INTEGER PRIMARY KEY REFERENCES groups ON DELETE CASCADE,
    connection_id INTEGER NOT NULL UNIQUE REFERENCES connections ON DELETE CASCADE,
    link_id BLOB NOT NULL,
    -- The role of those who join through it
    role TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO "group_links" VALUES(1,5,X'25664B867576CCD5E15623D4AC432EEA','member',1795490968660);
CREATE TABLE group_members (
    group_member_id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
    -- The id that all members know it by
    member_id BLOB NOT NULL,
    role TEXT NOT NULL,
    category TEXT NOT NULL,
    status TEXT NOT NULL,
    -- Unique in the profile of the user, as the names of contacts are
    name TEXT NOT NULL,
    profile TEXT NOT NULL,
    contact_id INTEGER REFERENCES contacts ON DELETE SET NULL,
    -- The member that brought it here; NULL: unknown, or the user
    invited_by INTEGER REFERENCES group_members ON DELETE SET NULL,
    is_invited_by_user INTEGER NOT NULL DEFAULT 0,
    shows_messages INTEGER NOT NULL DEFAULT 1,
    -- Whether a moderator blocked it for all
    is_blocked INTEGER NOT NULL DEFAULT 0,
    -- The chat versions that it speaks
    versions TEXT NOT NULL,
    -- Of the user: whether the group knows a profile that was made up for it
    is_incognito INTEGER NOT NULL DEFAULT 0,
    -- Its conversation with the moderators; NULL: there is none
    support_active_at INTEGER,
    support_unread INTEGER NOT NULL DEFAULT 0,
    -- How many of the unread ones wait for a moderator
    support_attention INTEGER NOT NULL DEFAULT 0,
    support_mentions INTEGER NOT NULL DEFAULT 0,
    -- When the member wrote there last
    support_member_at INTEGER,
    -- When its first message came that was not passed on, and the last time of those that were
    first_direct_at INTEGER,
    last_forwarded_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, public_key BLOB, relay_link TEXT,
    UNIQUE (group_id, member_id)
) STRICT;
INSERT INTO "group_members" VALUES(1,1,X'5255557A68514B745764594957325568','owner','user','creator','alice','{"displayName":"alice","fullName":""}',NULL,NULL,1,1,0,'1-16',0,NULL,0,0,0,NULL,NULL,NULL,1795490961531,1795490961531,NULL,NULL);
INSERT INTO "group_members" VALUES(2,1,X'714E436D44595330564D745A474C3734','moderator','invitee','connected','dave','{"displayName":"dave","fullName":"","preferences":{"timedMessages":{"allow":"yes"},"fullDelete":{"allow":"no"},"reactions":{"allow":"yes"},"voice":{"allow":"yes"},"files":{"allow":"always"},"calls":{"allow":"yes"},"sessions":{"allow":"no"},"commands":[]}}',2,NULL,1,1,0,'1-16',0,NULL,0,0,0,NULL,1795490971000,NULL,1795490961651,1795490968325,NULL,NULL);
INSERT INTO "group_members" VALUES(3,1,X'7655364143465462774E44574F647558','member','invitee','connected','erin','{"displayName":"erin","fullName":""}',NULL,NULL,1,1,0,'1-16',0,1795490973730,1,1,0,1795490973000,1795490969000,NULL,1795490968934,1795490969582,NULL,NULL);
INSERT INTO "group_members" VALUES(4,1,X'704A357063746B6D4965487236536130','member','invitee','pending_review','fred','{"displayName":"fred","fullName":""}',NULL,NULL,1,1,0,'1-16',0,1795490975931,1,0,0,NULL,NULL,NULL,1795490975930,1795490975930,NULL,NULL);
INSERT INTO "group_members" VALUES(5,2,X'33397830326856384A5247764E6B684E','owner','host','accepted','dave','{"displayName":"dave","fullName":"","preferences":{"timedMessages":{"allow":"yes"},"fullDelete":{"allow":"no"},"reactions":{"allow":"yes"},"voice":{"allow":"yes"},"files":{"allow":"always"},"calls":{"allow":"yes"},"sessions":{"allow":"no"},"commands":[]}}',2,NULL,0,1,0,'1-16',0,NULL,0,0,0,NULL,NULL,NULL,1795490977855,1795490978296,NULL,NULL);
INSERT INTO "group_members" VALUES(6,2,X'61354275547A697055536D316A695473','member','user','left','alice','{"displayName":"alice","fullName":""}',NULL,5,0,1,0,'1-16',0,NULL,0,0,0,NULL,NULL,NULL,1795490977856,1795490978729,NULL,NULL);
INSERT INTO "group_members" VALUES(7,3,X'44644A6D715A477957534370704A4A4C','owner','host','invited','dave','{"displayName":"dave","fullName":"","preferences":{"timedMessages":{"allow":"yes"},"fullDelete":{"allow":"no"},"reactions":{"allow":"yes"},"voice":{"allow":"yes"},"files":{"allow":"always"},"calls":{"allow":"yes"},"sessions":{"allow":"no"},"commands":[]}}',2,NULL,0,1,0,'1-16',0,NULL,0,0,0,NULL,NULL,NULL,1795490977891,1795490977891,NULL,NULL);
INSERT INTO "group_members" VALUES(8,3,X'37574A5338525873786274554D696F55','member','user','invited','alice','{"displayName":"alice","fullName":""}',NULL,7,0,1,0,'1-16',0,NULL,0,0,0,NULL,NULL,NULL,1795490977891,1795490977891,NULL,NULL);
CREATE TABLE group_message_items (
    item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
    group_message_id INTEGER NOT NULL REFERENCES group_messages ON DELETE CASCADE,
    PRIMARY KEY (item_id, group_message_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "group_message_items" VALUES(9,5);
INSERT INTO "group_message_items" VALUES(20,12);
CREATE TABLE group_messages (
    group_message_id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
    -- The id of its first message, by which the agent knows it
    message_id BLOB NOT NULL,
    body BLOB NOT NULL,
    notifies INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO "group_messages" VALUES(5,1,X'1CE19C87AD63AFF260F5054D',X'',1,1795490971636);
INSERT INTO "group_messages" VALUES(11,2,X'20AF0C993C2F5257BE45B16F',X'7B2276223A22312D3136222C226D73674964223A22494B384D6D547776556C652D52624676222C226576656E74223A22782E6772702E6C65617665222C22706172616D73223A7B7D7D',0,1795490978729);
INSERT INTO "group_messages" VALUES(12,1,X'D7C6F92A9C9A667BD02B5B3F',X'',1,1795490978889);
CREATE TABLE group_relays (
    group_relay_id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
    member_id INTEGER NOT NULL UNIQUE REFERENCES group_members ON DELETE CASCADE,
    chat_relay_id INTEGER NOT NULL REFERENCES chat_relays ON DELETE CASCADE,
    status TEXT NOT NULL,
    -- The link of the relay for the channel, and the domain on which it shows channels
    link TEXT,
    web_domain TEXT
) STRICT;
CREATE TABLE groups (
    group_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, profile TEXT NOT NULL DEFAULT '{"displayName":"","fullName":""}', membership_id INTEGER REFERENCES group_members ON DELETE SET NULL, alias TEXT NOT NULL DEFAULT '', business TEXT, prepared TEXT, notifications TEXT NOT NULL DEFAULT 'all', sends_receipts INTEGER, profile_sent_at INTEGER, link_id BLOB, invitation TEXT, public_id BLOB, root_key BLOB, root_private_key BLOB, member_private_key BLOB, relay_status TEXT, public_member_count INTEGER, roster_gate INTEGER, roster_version INTEGER,
    UNIQUE (profile_id, name)
) STRICT;
INSERT INTO "groups" VALUES(1,1,'team',1795490961531,1795490975645,'{"displayName":"team","fullName":"","shortDescr":"people who work","groupPreferences":{"directMessages":{"enable":"on"},"history":{"enable":"on"}},"memberAdmission":{"review":"all"}}',1,'',NULL,NULL,'all',NULL,1795490961531,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "groups" VALUES(2,1,'old',1795490977855,1795490977855,'{"displayName":"old","fullName":"","groupPreferences":{"directMessages":{"enable":"on"},"history":{"enable":"on"}}}',6,'',NULL,NULL,'all',NULL,1795490977856,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "groups" VALUES(3,1,'new',1795490977891,1795490977891,'{"displayName":"new","fullName":"","groupPreferences":{"directMessages":{"enable":"on"},"history":{"enable":"on"}}}',8,'',NULL,NULL,'all',NULL,1795490977892,NULL,'simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2FmWqFaDMHyKBZi53aR_r0hX8rAT_OTZK5iOwEkSSy2OE%3D%40127.0.0.1%3A40657%2FfZ3xwyOZuf5mL6Rnk0gePbXKS9oje8ji%23%2F%3Fv%3D1-4%26dh%3DMCowBQYDK2VuAyEAzO6FtfXNH9zLcOSn6QEdDzXn6xB4HlKAsdbTQqE_ugE%253D%26q%3Dm%26k%3Ds&e2e=v%3D2-3%26x3dh%3DMEIwBQYDK2VvAzkAXPkJZpgbvv6vzVIY3cqgGIBj_TPzVnMTGmqRgLEZLLkAfsc1VdcHzmZ3CQrZjecNte7PMunlscE%3D%2CMEIwBQYDK2VvAzkAALfPD2h-7ZoQkTqqZPNUFInY8umfSsGkzlnIyn6zTgN6c1CzmfXWCb-iX3fwEPDrsEhoziXxoCo%3D',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
CREATE TABLE introductions (
    introduction_id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Who was in the group before
    existing_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
    -- Who came
    newcomer_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
    status TEXT NOT NULL,
    -- The link that the newcomer made for the other, until it is passed on
    link TEXT,
    updated_at INTEGER NOT NULL,
    UNIQUE (newcomer_id, existing_id)
) STRICT;
INSERT INTO "introductions" VALUES(1,2,3,'connected',NULL,1795490971784);
INSERT INTO "introductions" VALUES(2,2,4,'sent',NULL,1795490977302);
CREATE TABLE item_originals (
    item_id INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    element BLOB NOT NULL
) STRICT;
CREATE TABLE item_versions (
    item_version_id INTEGER PRIMARY KEY AUTOINCREMENT,
    item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
    content TEXT NOT NULL,
    time INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO "item_versions" VALUES(1,10,'{"type":"text","text":"yes, @alice?"}',1795490973000,1795490973690);
INSERT INTO "item_versions" VALUES(2,10,'{"type":"text","text":"yes, @alice!"}',1795490974000,1795490975404);
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
, quote TEXT, is_forwarded INTEGER NOT NULL DEFAULT 0, edited_at INTEGER, deleted_at INTEGER, ttl INTEGER, delete_at INTEGER, is_live INTEGER, forwarded_from TEXT, quoted_item_id INTEGER, author_id INTEGER REFERENCES group_members ON DELETE CASCADE, support_id INTEGER REFERENCES group_members ON DELETE CASCADE, forwarded_by INTEGER REFERENCES group_members ON DELETE SET NULL, mentions TEXT, mentions_user INTEGER NOT NULL DEFAULT 0, quoted_author_id INTEGER REFERENCES group_members ON DELETE SET NULL, removal TEXT, moderator_id INTEGER REFERENCES group_members ON DELETE SET NULL, is_report INTEGER NOT NULL DEFAULT 0, is_from_group INTEGER NOT NULL DEFAULT 0, signature TEXT, signed_element BLOB) STRICT;
INSERT INTO "items" VALUES(-18,3,'sent','group-feature','{"history":{"enable":"on"}}','snd_sent complete',NULL,1795490961542,1795490961542,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-17,3,'sent','group-feature','{"reports":{"enable":"on"}}','snd_sent complete',NULL,1795490961542,1795490961542,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-16,3,'sent','group-feature','{"simplexLinks":{"enable":"on"}}','snd_sent complete',NULL,1795490961541,1795490961541,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-15,3,'sent','group-feature','{"files":{"enable":"on"}}','snd_sent complete',NULL,1795490961541,1795490961541,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-14,3,'sent','group-feature','{"voice":{"enable":"on"}}','snd_sent complete',NULL,1795490961541,1795490961541,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-13,3,'sent','group-feature','{"reactions":{"enable":"on"}}','snd_sent complete',NULL,1795490961541,1795490961541,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-12,3,'sent','group-feature','{"fullDelete":{"enable":"off"}}','snd_sent complete',NULL,1795490961541,1795490961541,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-11,3,'sent','group-feature','{"directMessages":{"enable":"on"}}','snd_sent complete',NULL,1795490961532,1795490961532,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-10,3,'sent','group-feature','{"timedMessages":{"enable":"off"}}','snd_sent complete',NULL,1795490961532,1795490961532,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-9,3,'sent','group-encryption','','snd_sent complete',NULL,1795490961532,1795490961532,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-8,3,'sent','banner','','snd_sent complete',NULL,1795490961531,1795490961531,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-7,2,'received','feature','calls true true','rcv_read',NULL,1795490958122,1795490958122,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-6,2,'received','feature','voice true true','rcv_read',NULL,1795490958122,1795490958122,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-5,2,'received','feature','reactions true true','rcv_read',NULL,1795490958122,1795490958122,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-4,2,'received','feature','fullDelete false false','rcv_read',NULL,1795490958122,1795490958122,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-3,2,'received','feature','timedMessages true true','rcv_read',NULL,1795490958122,1795490958122,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-2,2,'received','encryption','true','rcv_read',NULL,1795490958122,1795490958122,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(-1,2,'sent','banner','','snd_sent complete',NULL,1795490958122,1795490958122,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(1,1,'sent','message','{"type":"text","text":"hello from before"}','snd_rcvd ok complete',X'98EA420667FCF9868AC71186',1795290141886,1795290141886,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(2,1,'received','message','{"type":"text","text":"an answer, unread"}','rcv_new',X'E89A7851388EC429604FDEB9',1795290142000,1795290142221,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(3,1,'received','message','{"type":"text","text":"and one more"}','rcv_new',X'34B89D904B3656EF51CD7D00',1795290142000,1795290142233,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(4,1,'sent','message','{"type":"text","text":"in the outbox"}','snd_error expired',X'E157D38E16C144810625BE10',1795290142657,1795290142657,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(5,2,'sent','group-invitation','{"groupId":1,"groupMemberId":2,"localDisplayName":"dave","groupProfile":{"displayName":"team","fullName":"","shortDescr":"people who work","groupPreferences":{"directMessages":{"enable":"on"},"history":{"enable":"on"}}},"status":"accepted","memberRole":"moderator"}','snd_rcvd ok complete',X'EF73035A256EAA1ED64E0982',1795490961720,1795490961720,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(6,3,'received','group-event','{"type":"memberConnected"}','rcv_read',NULL,1795490968325,1795490968325,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,2,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(7,3,'received','group-event','{"type":"invitedViaGroupLink"}','rcv_read',NULL,1795490968935,1795490968935,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,3,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(8,3,'received','group-event','{"type":"memberConnected"}','rcv_read',NULL,1795490969582,1795490969582,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,3,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(9,3,'sent','message','{"type":"text","text":"hello @dave and @erin"}','snd_rcvd ok complete',X'1CE19C87AD63AFF260F5054D',1795490971635,1795490971635,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"dave":{"memberId":"cU5DbURZUzBWTXRaR0w3NA==","memberRef":{"groupMemberId":2,"displayName":"dave","memberRole":"moderator"}},"erin":{"memberId":"dlU2QUNGVGJ3TkRXT2R1WA==","memberRef":{"groupMemberId":3,"displayName":"erin","memberRole":"member"}}}',0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(10,3,'received','message','{"type":"text","text":"yes, @alice!"}','rcv_new',X'8F9FCBFEF9676CC62AE763B9',1795490973000,1795490973690,'{"msgRef":{"msgId":"HOGch61jr_Jg9QVN","sentAt":"2026-11-24T03:29:31.000Z","sent":false,"memberId":"UlVVemhRS3RXZFlJVzJVaA=="},"content":{"type":"text","text":"hello @dave and @erin"}}',0,1795490974000,NULL,NULL,NULL,NULL,NULL,9,2,NULL,NULL,NULL,1,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(11,3,'received','message','{"type":"text","text":"not nice"}','rcv_new',X'0E3CCF392E1BDC45818D1C2F',1795490973000,1795490973706,NULL,0,NULL,1795490975000,NULL,NULL,NULL,NULL,NULL,3,NULL,NULL,NULL,0,NULL,'moderated',2,0,0,NULL,NULL);
INSERT INTO "items" VALUES(12,3,'received','message','{"type":"text","text":"to moderators"}','rcv_new',X'DAFC81E6832E595211D5B67C',1795490973000,1795490973730,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,3,3,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(13,3,'sent','group-event','{"type":"groupUpdated","groupProfile":{"displayName":"team","fullName":"","shortDescr":"people who work","groupPreferences":{"directMessages":{"enable":"on"},"history":{"enable":"on"}},"memberAdmission":{"review":"all"}}}','snd_sent complete',X'2A4E5F2C886D30E6AF0559D5',1795490975650,1795490975650,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(14,3,'received','group-event','{"type":"invitedViaGroupLink"}','rcv_read',NULL,1795490975931,1795490975931,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,4,4,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(15,3,'received','group-event','{"type":"newMemberPendingReview"}','rcv_new',NULL,1795490975931,1795490975931,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,4,4,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(16,3,'received','group-event','{"type":"memberConnected"}','rcv_read',NULL,1795490977292,1795490977292,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,4,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(17,2,'received','group-invitation','{"groupId":2,"groupMemberId":6,"localDisplayName":"old","groupProfile":{"displayName":"old","fullName":"","groupPreferences":{"directMessages":{"enable":"on"},"history":{"enable":"on"}}},"status":"accepted","memberRole":"member"}','rcv_new',X'037A08DC394BEA401B40C56C',1795490977000,1795490977856,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(18,2,'received','group-invitation','{"groupId":3,"groupMemberId":8,"localDisplayName":"new","groupProfile":{"displayName":"new","fullName":"","groupPreferences":{"directMessages":{"enable":"on"},"history":{"enable":"on"}}},"status":"pending","memberRole":"member"}','rcv_new',X'A0615C10F958D62BEE12F958',1795490977000,1795490977892,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(19,4,'sent','group-event','{"type":"userLeft"}','snd_sent complete',X'20AF0C993C2F5257BE45B16F',1795490978729,1795490978729,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
INSERT INTO "items" VALUES(20,3,'sent','message','{"type":"text","text":"for the outbox"}','snd_new',X'D7C6F92A9C9A667BD02B5B3F',1795490978888,1795490978888,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,NULL,NULL);
CREATE TABLE kept_channels (
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- A JSON object: for each table of the official databases an array of rows, which are objects of SQL literals
    chat_rows TEXT NOT NULL,
    agent_rows TEXT NOT NULL
);
CREATE TABLE kept_events (
    kept_event_id INTEGER PRIMARY KEY AUTOINCREMENT,
    contact_id INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
    body BLOB NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;
CREATE TABLE member_messages (
    group_member_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
    message_id BLOB NOT NULL,
    -- The member through whom it came first; NULL: directly
    forwarded_by INTEGER REFERENCES group_members ON DELETE SET NULL,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (group_member_id, message_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "member_messages" VALUES(2,X'3547E3FC7FE45337E4A28097',NULL,1795490971784);
INSERT INTO "member_messages" VALUES(2,X'58B46EFCF6FA565861F0FD32',NULL,1795490975403);
INSERT INTO "member_messages" VALUES(2,X'7EDD575F19765C61301B175D',NULL,1795490975419);
INSERT INTO "member_messages" VALUES(2,X'8F9FCBFEF9676CC62AE763B9',NULL,1795490973690);
INSERT INTO "member_messages" VALUES(3,X'0E3CCF392E1BDC45818D1C2F',NULL,1795490973706);
INSERT INTO "member_messages" VALUES(3,X'6418F06BD465AE2F5498F211',NULL,1795490970155);
INSERT INTO "member_messages" VALUES(3,X'BDF5581DD64E86B130763CFA',NULL,1795490973655);
INSERT INTO "member_messages" VALUES(3,X'DAFC81E6832E595211D5B67C',NULL,1795490973730);
INSERT INTO "member_messages" VALUES(3,X'EC8EFC9DC8229C1B61132409',NULL,1795490970175);
INSERT INTO "member_messages" VALUES(3,X'FD3294E46B65F741F1870374',NULL,1795490970959);
CREATE TABLE member_reactions (
    item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
    -- Who gave it
    group_member_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
    reaction TEXT NOT NULL,
    -- 0: it was taken back, which stays known in case that it comes again
    is_given INTEGER NOT NULL,
    -- When it was given or taken back, by the clock of a relay
    created_at INTEGER NOT NULL,
    PRIMARY KEY (item_id, group_member_id, reaction)
) STRICT, WITHOUT ROWID;
INSERT INTO "member_reactions" VALUES(9,3,'{"type":"emoji","emoji":"👍"}',1,1795490973000);
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
INSERT INTO "migrations" VALUES(18,'groups and their members',X'3F0C9EDE5F80994505876E5CCDCD1825C2059271D3614C7F1E131CFF15421C1A','DELETE FROM names WHERE (profile_id, name) IN (SELECT profile_id, name FROM groups);
DELETE FROM names WHERE (profile_id, name) IN (
    SELECT groups.profile_id, group_members.name FROM group_members JOIN groups USING (group_id)
    WHERE group_members.contact_id IS NULL);
DELETE FROM connections WHERE member_id IS NOT NULL
    OR connection_id IN (SELECT connection_id FROM group_links);
DELETE FROM groups;
ALTER TABLE chats DROP COLUMN unread_mentions;
DROP TABLE received_probes;
DROP TABLE sent_checks;
DROP TABLE sent_probes;
DROP TABLE member_messages;
DROP TABLE early_events;
DROP TABLE member_reactions;
DROP INDEX items_open_quotes;
DROP INDEX items_time;
DROP INDEX items_reports;
ALTER TABLE items DROP COLUMN is_report;
DROP INDEX items_moderator;
ALTER TABLE items DROP COLUMN moderator_id;
ALTER TABLE items DROP COLUMN removal;
DROP INDEX items_quoted_author;
ALTER TABLE items DROP COLUMN quoted_author_id;
ALTER TABLE items DROP COLUMN mentions_user;
ALTER TABLE items DROP COLUMN mentions;
DROP INDEX items_forwarder;
ALTER TABLE items DROP COLUMN forwarded_by;
DROP INDEX items_support;
ALTER TABLE items DROP COLUMN support_id;
DROP INDEX items_author;
ALTER TABLE items DROP COLUMN author_id;
DROP TABLE group_message_items;
DROP TABLE group_deliveries;
DROP TABLE group_messages;
DROP TABLE group_links;
DROP INDEX connections_member;
ALTER TABLE connections DROP COLUMN member_id;
DROP TABLE introductions;
DROP INDEX groups_membership;
DROP INDEX groups_link;
ALTER TABLE groups DROP COLUMN invitation;
ALTER TABLE groups DROP COLUMN link_id;
ALTER TABLE groups DROP COLUMN profile_sent_at;
ALTER TABLE groups DROP COLUMN sends_receipts;
ALTER TABLE groups DROP COLUMN notifications;
ALTER TABLE groups DROP COLUMN prepared;
ALTER TABLE groups DROP COLUMN business;
ALTER TABLE groups DROP COLUMN alias;
ALTER TABLE groups DROP COLUMN membership_id;
ALTER TABLE groups DROP COLUMN profile;
DROP TABLE group_members;
ALTER TABLE addresses DROP COLUMN is_business;
ALTER TABLE contacts DROP COLUMN member_invitation;','groups');
INSERT INTO "migrations" VALUES(19,'files',X'23C575CB269F86017E3EDC9150CB8B75EA7AD2AEA7DFD09F974426E4BE9767F6','DROP TABLE file_acceptance;
DROP TABLE file_servers;
DROP TABLE file_descriptions;
DROP TABLE files;','the files of messages, and the file relays');
INSERT INTO "migrations" VALUES(20,'lists of chats, the form of reactions',X'C61E5F49D644B2763B068E1603688AF215A5605299D67B0AC5CE2F10BA866C02','DROP INDEX group_members_status;
DROP INDEX connections_pending;
CREATE INDEX connections_pending ON connections (connection_id) WHERE contact_id IS NULL;',NULL);
INSERT INTO "migrations" VALUES(21,'ends of files, choice of file relays',X'A75665D06ABCC5851452D13C60794F956E59467B7661571FF1A3F9BED642A9D2','DELETE FROM file_servers WHERE is_preset = 1 OR is_enabled = 0;
ALTER TABLE file_servers DROP COLUMN is_enabled;
ALTER TABLE file_servers DROP COLUMN is_preset;
DROP INDEX files_revoked;
ALTER TABLE files DROP COLUMN is_revoked;
ALTER TABLE files DROP COLUMN content;
ALTER TABLE files DROP COLUMN inline_mode;
ALTER TABLE files DROP COLUMN digest;','which file relays are switched off');
INSERT INTO "migrations" VALUES(22,'newest entries for lists of chats',X'8D44448CDAAD16D69B57308DB73402D2AFE8973748C9E896F6CD707DB258439B','DROP INDEX group_members_own;
DROP INDEX groups_listed;
DROP INDEX contacts_listed;
DROP TRIGGER newest_items_renamed;
DROP TRIGGER newest_items_removed;
DROP TRIGGER newest_items_changed;
DROP TRIGGER newest_items_other;
DROP TABLE newest_items;',NULL);
INSERT INTO "migrations" VALUES(23,'keys of group members',X'40B3C1B59DC69878E6B0598A1C7375A147588BE30BCCF511C4BAAD5D4BC60180','ALTER TABLE group_members DROP COLUMN public_key;','the keys of group members, so that their signatures are not verified');
INSERT INTO "migrations" VALUES(24,'channels of imported archives',X'C7FF3E7CC843948C0CDB61906158939A64FAD25D6D80C3FCF7A659B75D143402','DROP TABLE kept_channels;','the keys of channels that were imported from SimpleX Chat');
INSERT INTO "migrations" VALUES(25,'channels',X'44F0A75CA1D3A4C31CEB7D4F0B1D9B1445009C86847012B24BC31A21856641AC','DELETE FROM names WHERE (profile_id, name) IN
    (SELECT profile_id, name FROM groups WHERE public_id IS NOT NULL);
DELETE FROM names WHERE (profile_id, name) IN (
    SELECT groups.profile_id, group_members.name FROM group_members JOIN groups USING (group_id)
    WHERE group_members.contact_id IS NULL AND public_id IS NOT NULL);
DELETE FROM groups WHERE public_id IS NOT NULL;
DROP TABLE roster_transfers;
DROP TABLE rosters;
ALTER TABLE items DROP COLUMN signed_element;
ALTER TABLE items DROP COLUMN signature;
ALTER TABLE items DROP COLUMN is_from_group;
ALTER TABLE group_members DROP COLUMN relay_link;
DROP INDEX groups_public;
ALTER TABLE groups DROP COLUMN roster_version;
ALTER TABLE groups DROP COLUMN roster_gate;
ALTER TABLE groups DROP COLUMN public_member_count;
ALTER TABLE groups DROP COLUMN relay_status;
ALTER TABLE groups DROP COLUMN member_private_key;
ALTER TABLE groups DROP COLUMN root_private_key;
ALTER TABLE groups DROP COLUMN root_key;
ALTER TABLE groups DROP COLUMN public_id;','channels');
INSERT INTO "migrations" VALUES(26,'deliveries of a chat relay',X'285EF92B468033BB66FE44B9611BEE8BE76B26A1C9EDACA8A9E5AD0E24733FF0','DROP TABLE relay_relations;
DROP TABLE relay_jobs;
DROP TABLE relay_tasks;
DROP TABLE relay_requests;','what a chat relay has not passed on yet');
INSERT INTO "migrations" VALUES(27,'chat relays of profiles and of channels',X'25527933868AD4F451E7BDCB64466A2D88847F64CDDE5E067366334FE70CF739','DROP TABLE group_relays;
DROP TABLE chat_relays;','the chat relays of profiles and of channels');
INSERT INTO "migrations" VALUES(28,'signed originals of posts',X'EB9D4D37AC769A636295FBFCC8F99074789E4CEC8C4B345C17ED07A5DCDC45E0','DROP TABLE item_originals;','the signatures of posts that a chat relay shows to new subscribers');
CREATE TABLE names (
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (profile_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "names" VALUES(1,'alice');
INSERT INTO "names" VALUES(1,'bob');
INSERT INTO "names" VALUES(1,'carol');
INSERT INTO "names" VALUES(1,'dave');
INSERT INTO "names" VALUES(1,'erin');
INSERT INTO "names" VALUES(1,'fred');
INSERT INTO "names" VALUES(1,'new');
INSERT INTO "names" VALUES(1,'old');
INSERT INTO "names" VALUES(1,'team');
CREATE TABLE newest_items (
    chat_id INTEGER PRIMARY KEY REFERENCES chats ON DELETE CASCADE,
    item_id INTEGER NOT NULL,
    direction TEXT NOT NULL,
    status TEXT NOT NULL,
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    -- NULL: a long one, which is in items alone
    content TEXT,
    deleted_at INTEGER,
    removal TEXT,
    author_id INTEGER,
    -- The name of the author
    author TEXT
) STRICT;
INSERT INTO "newest_items" VALUES(1,4,'sent','snd_error expired',1795290142657,'message','{"type":"text","text":"in the outbox"}',NULL,NULL,NULL,NULL);
INSERT INTO "newest_items" VALUES(2,18,'received','rcv_new',1795490977000,'group-invitation','{"groupId":3,"groupMemberId":8,"localDisplayName":"new","groupProfile":{"displayName":"new","fullName":"","groupPreferences":{"directMessages":{"enable":"on"},"history":{"enable":"on"}}},"status":"pending","memberRole":"member"}',NULL,NULL,NULL,NULL);
INSERT INTO "newest_items" VALUES(3,20,'sent','snd_new',1795490978888,'message','{"type":"text","text":"for the outbox"}',NULL,NULL,NULL,NULL);
INSERT INTO "newest_items" VALUES(4,19,'sent','snd_sent complete',1795490978729,'group-event','{"type":"userLeft"}',NULL,NULL,NULL,NULL);
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
INSERT INTO "place" VALUES(1,X'F4E861CCC7582458E8631608647C93DEAD92D5CCFDA97A21148D3CF0AF1DA036',16360324,16360323);
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
CREATE TABLE received_probes (
    received_probe_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    contact_id INTEGER REFERENCES contacts ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members ON DELETE CASCADE,
    hash BLOB NOT NULL,
    -- NULL: only the hash came
    probe BLOB,
    received_at INTEGER NOT NULL
) STRICT;
INSERT INTO "received_probes" VALUES(1,1,NULL,3,X'0DB6EFAE32B1A0553284363DB422FF75BBEF5BF2845F1EDFD36B8945C5063E77',X'2F79785A4D6D2B352F70746F6F7369536171556B4651574D684C53574F685464516D5A4D30663064474A773D',1795490970155);
CREATE TABLE relay_jobs (
    relay_job_id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
    support_id INTEGER REFERENCES group_members ON DELETE CASCADE,
    -- The numbers of the members that wrote the elements, as a JSON array
    senders TEXT NOT NULL,
    -- The elements, as a payload
    body BLOB NOT NULL,
    -- What the tokens for the agent begin with
    token BLOB NOT NULL,
    -- The last member that has it; 0: none
    cursor INTEGER NOT NULL DEFAULT 0,
    is_last INTEGER NOT NULL
) STRICT;
CREATE TABLE relay_relations (
    group_member_id INTEGER PRIMARY KEY REFERENCES group_members ON DELETE CASCADE,
    -- The bit of a member has the distance of its number from that of the user's membership
    told BLOB NOT NULL DEFAULT x'',
    roster_version INTEGER
) STRICT;
CREATE TABLE relay_requests (
    relay_request_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    -- The link to the owner, its chat versions, and the JSON form of its invitation
    link TEXT NOT NULL,
    versions TEXT NOT NULL,
    invitation TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE relay_tasks (
    relay_task_id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
    -- The member whose conversation with the moderators it belongs to; NULL: it is for all members
    support_id INTEGER REFERENCES group_members ON DELETE CASCADE,
    sender_id INTEGER NOT NULL,
    element BLOB NOT NULL,
    -- 1: the user serves the channel until it is passed on
    is_last INTEGER NOT NULL
) STRICT;
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
CREATE TABLE roster_transfers (
    group_member_id INTEGER PRIMARY KEY REFERENCES group_members ON DELETE CASCADE,
    message_id BLOB NOT NULL,
    version INTEGER NOT NULL,
    author BLOB NOT NULL,
    time INTEGER NOT NULL,
    size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    element BLOB NOT NULL,
    file BLOB NOT NULL
) STRICT;
CREATE TABLE rosters (
    group_id INTEGER PRIMARY KEY REFERENCES groups ON DELETE CASCADE,
    version INTEGER NOT NULL,
    -- The id of the owner that signed it, and when, by the clock of a relay
    author BLOB NOT NULL,
    time INTEGER NOT NULL,
    element BLOB NOT NULL,
    file BLOB NOT NULL
) STRICT;
CREATE TABLE "send_keys" (
    chat_id INTEGER NOT NULL REFERENCES chats ON DELETE CASCADE,
    key TEXT NOT NULL,
    item_id INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    -- The last of several messages that were sent with the key; NULL: there was one
    last_item_id INTEGER,
    PRIMARY KEY (chat_id, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE sent_checks (
    probe_id INTEGER NOT NULL REFERENCES sent_probes ON DELETE CASCADE,
    contact_id INTEGER REFERENCES contacts ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members ON DELETE CASCADE
) STRICT;
CREATE TABLE sent_probes (
    probe_id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
    contact_id INTEGER REFERENCES contacts ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members ON DELETE CASCADE,
    probe BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO "sent_probes" VALUES(1,1,2,NULL,X'6C5A4B7A4F6C4B4B48596D6E624A59716B775348366E774172682F696F74654D7936654B77506C674C51513D',1795490958123);
CREATE TABLE servers (
    server_id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- NULL: what profiles that are made later begin with
    profile_id INTEGER REFERENCES profiles ON DELETE CASCADE,
    address TEXT NOT NULL, is_preset INTEGER NOT NULL DEFAULT 0, is_enabled INTEGER NOT NULL DEFAULT 1,
    UNIQUE (profile_id, address)
) STRICT;
INSERT INTO "servers" VALUES(1,NULL,'smp://8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ=@127.0.0.1:37193',0,1);
INSERT INTO "servers" VALUES(2,1,'smp://8B8cs5v4LHD9qgXecajtjx1FkUMyUxCrh_XfVDxPYMQ=@127.0.0.1:37193',0,0);
INSERT INTO "servers" VALUES(3,1,'smp://mWqFaDMHyKBZi53aR_r0hX8rAT_OTZK5iOwEkSSy2OE=@127.0.0.1:40657',0,1);
CREATE TABLE session_lines (
    line_id INTEGER PRIMARY KEY AUTOINCREMENT,
    line TEXT NOT NULL
) STRICT;
CREATE TABLE session_values (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "session_values" VALUES('onboarding','notifications');
CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    last_agent_event INTEGER NOT NULL
, last_notice INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "state" VALUES(1,50,18);
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
CREATE INDEX groups_link ON groups (profile_id, link_id) WHERE link_id IS NOT NULL;
CREATE INDEX group_members_contact ON group_members (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX groups_membership ON groups (membership_id);
CREATE INDEX group_members_attention ON group_members (group_id)
    WHERE status = 'pending_review' OR support_attention > 0;
CREATE INDEX group_members_inviter ON group_members (invited_by) WHERE invited_by IS NOT NULL;
CREATE INDEX introductions_existing ON introductions (existing_id);
CREATE INDEX connections_member ON connections (member_id) WHERE member_id IS NOT NULL;
CREATE INDEX group_messages_group ON group_messages (group_id);
CREATE INDEX group_messages_token ON group_messages (message_id);
CREATE INDEX group_message_items_message ON group_message_items (group_message_id);
CREATE INDEX group_deliveries_member ON group_deliveries (group_member_id);
CREATE INDEX group_deliveries_owed ON group_deliveries (group_message_id)
    WHERE status IN ('owed', 'pending', 'inactive');
CREATE INDEX items_author ON items (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX items_support ON items (support_id) WHERE support_id IS NOT NULL;
CREATE INDEX items_forwarder ON items (forwarded_by) WHERE forwarded_by IS NOT NULL;
CREATE INDEX items_quoted_author ON items (quoted_author_id) WHERE quoted_author_id IS NOT NULL;
CREATE INDEX items_moderator ON items (moderator_id) WHERE moderator_id IS NOT NULL;
CREATE INDEX items_reports ON items (chat_id) WHERE is_report = 1 AND deleted_at IS NULL;
CREATE INDEX items_time ON items (chat_id, time, item_id);
CREATE INDEX items_open_quotes ON items (chat_id) WHERE quote IS NOT NULL AND quoted_item_id IS NULL;
CREATE INDEX member_reactions_member ON member_reactions (group_member_id);
CREATE INDEX early_events_message ON early_events (group_id, message_id);
CREATE INDEX early_events_age ON early_events (received_at);
CREATE INDEX early_events_member ON early_events (group_member_id);
CREATE INDEX member_messages_age ON member_messages (received_at);
CREATE INDEX member_messages_forwarder ON member_messages (forwarded_by) WHERE forwarded_by IS NOT NULL;
CREATE INDEX sent_probes_probe ON sent_probes (probe);
CREATE INDEX sent_probes_contact ON sent_probes (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX sent_probes_member ON sent_probes (group_member_id) WHERE group_member_id IS NOT NULL;
CREATE INDEX sent_checks_probe ON sent_checks (probe_id);
CREATE INDEX sent_checks_contact ON sent_checks (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX sent_checks_member ON sent_checks (group_member_id) WHERE group_member_id IS NOT NULL;
CREATE INDEX received_probes_hash ON received_probes (profile_id, hash);
CREATE INDEX received_probes_contact ON received_probes (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX received_probes_member ON received_probes (group_member_id) WHERE group_member_id IS NOT NULL;
CREATE INDEX files_profile ON files (profile_id);
CREATE INDEX files_orphans ON files (file_id)
    WHERE profile_id IS NULL OR (is_of_item = 1 AND item_id IS NULL);
CREATE INDEX files_open ON files (file_id) WHERE state IN ('sndStored', 'sndTransfer', 'sndWarning',
    'rcvAccepted', 'rcvTransfer', 'rcvWarning');
CREATE INDEX files_token ON files (description_token) WHERE description_token IS NOT NULL;
CREATE INDEX file_descriptions_file ON file_descriptions (file_id);
CREATE INDEX connections_pending ON connections (profile_id)
    WHERE contact_id IS NULL AND member_id IS NULL;
CREATE INDEX group_members_status ON group_members (group_id, status);
CREATE INDEX files_revoked ON files (file_id) WHERE is_revoked = 1;
CREATE TRIGGER newest_items_other AFTER UPDATE OF last_item_id ON chats
    WHEN NEW.last_item_id IS NOT OLD.last_item_id
BEGIN
    DELETE FROM newest_items WHERE chat_id = NEW.chat_id;
    INSERT INTO newest_items SELECT items.chat_id, items.item_id, items.direction, items.status, items.time, items.kind,
        iif(length(items.content) <= 500, items.content, NULL), items.deleted_at, items.removal,
        items.author_id, authors.name
    FROM items LEFT JOIN group_members AS authors ON authors.group_member_id = items.author_id WHERE items.item_id = NEW.last_item_id;
END;
CREATE TRIGGER newest_items_changed
    AFTER UPDATE OF direction, status, time, kind, content, deleted_at, removal, author_id ON items
    WHEN EXISTS (SELECT 1 FROM newest_items WHERE chat_id = NEW.chat_id AND item_id = NEW.item_id)
BEGIN
    DELETE FROM newest_items WHERE chat_id = NEW.chat_id;
    INSERT INTO newest_items SELECT items.chat_id, items.item_id, items.direction, items.status, items.time, items.kind,
        iif(length(items.content) <= 500, items.content, NULL), items.deleted_at, items.removal,
        items.author_id, authors.name
    FROM items LEFT JOIN group_members AS authors ON authors.group_member_id = items.author_id WHERE items.item_id = NEW.item_id;
END;
CREATE TRIGGER newest_items_removed AFTER DELETE ON items
BEGIN
    DELETE FROM newest_items WHERE chat_id = OLD.chat_id AND item_id = OLD.item_id;
END;
CREATE TRIGGER newest_items_renamed AFTER UPDATE OF name ON group_members
BEGIN
    UPDATE newest_items SET author = NEW.name
    WHERE author_id = NEW.group_member_id
        AND chat_id = (SELECT chat_id FROM chats WHERE group_id = NEW.group_id);
END;
CREATE INDEX contacts_listed ON contacts (contact_id, name, status, is_muted);
CREATE INDEX groups_listed ON groups (group_id, name, notifications, membership_id, prepared);
CREATE INDEX group_members_own ON group_members (group_member_id, category, status) WHERE category = 'user';
CREATE INDEX groups_public ON groups (profile_id, public_id) WHERE public_id IS NOT NULL;
CREATE INDEX relay_tasks_group ON relay_tasks (group_id);
CREATE INDEX relay_tasks_support ON relay_tasks (support_id);
CREATE INDEX relay_jobs_group ON relay_jobs (group_id);
CREATE INDEX relay_jobs_support ON relay_jobs (support_id);
CREATE INDEX group_relays_group ON group_relays (group_id);
CREATE INDEX group_relays_chat_relay ON group_relays (chat_relay_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('servers',3);
INSERT INTO "sqlite_sequence" VALUES('profiles',1);
INSERT INTO "sqlite_sequence" VALUES('connections',8);
INSERT INTO "sqlite_sequence" VALUES('contacts',2);
INSERT INTO "sqlite_sequence" VALUES('chats',5);
INSERT INTO "sqlite_sequence" VALUES('items',20);
INSERT INTO "sqlite_sequence" VALUES('requests',1);
INSERT INTO "sqlite_sequence" VALUES('owed_events',2);
INSERT INTO "sqlite_sequence" VALUES('sent_probes',1);
INSERT INTO "sqlite_sequence" VALUES('groups',3);
INSERT INTO "sqlite_sequence" VALUES('group_members',8);
INSERT INTO "sqlite_sequence" VALUES('group_messages',12);
INSERT INTO "sqlite_sequence" VALUES('introductions',2);
INSERT INTO "sqlite_sequence" VALUES('received_probes',1);
INSERT INTO "sqlite_sequence" VALUES('item_versions',2);
INSERT INTO "sqlite_sequence" VALUES('chat_relays',0);
COMMIT;
