package import Store

extension OfficialChatSchema {
    /// The chat database of version 7.0.0.6: the tables of 6.4.5 with checked types, and the later changes (network-7.md 18).
    package static let today = ForeignSchema(
        migrations: schema.migrations + migrationsOfToday, later: laterMigrations, oldest: schema.oldest,
        triggers: triggerNames, script: scriptOfToday, completion: completionOfToday)

    private static let scriptOfToday =
        schema.strictScript([
            "local_alias DEFAULT '' CHECK(local_alias NOT NULL),":
                "local_alias TEXT DEFAULT '' CHECK(local_alias NOT NULL),",
            "call_state BLOB NOT NULL,": "call_state TEXT NOT NULL,",
            "user_id INTEGER REFERENCES users,": "user_id INTEGER REFERENCES users ON DELETE CASCADE,",
        ])
        + addedColumns.map { table, columns in
            columns.map { "ALTER TABLE \(table) ADD COLUMN \($0);\n" }.joined()
        }.joined() + changes

    /// The columns that were added, by table.
    private static let addedColumns: [(String, [String])] = [
        (
            "contact_profiles",
            [
                "badge_proof BLOB", "badge_pres_header BLOB", "badge_expiry TEXT", "badge_type TEXT",
                "badge_verified INTEGER", "badge_extra TEXT", "badge_master_key BLOB", "badge_signature BLOB",
                "badge_key_idx INTEGER", "contact_domain TEXT", "contact_domain_proof TEXT",
                "contact_domain_verified INTEGER",
            ]
        ),
        (
            "users",
            [
                "is_user_chat_relay INTEGER NOT NULL DEFAULT 0", "client_service INTEGER NOT NULL DEFAULT 0",
            ]
        ),
        (
            "group_profiles",
            [
                "group_type TEXT", "group_link BLOB", "public_group_id BLOB", "group_web_page TEXT",
                "group_domain TEXT", "domain_web_page INTEGER", "allow_embedding INTEGER",
                "group_domain_proof TEXT",
            ]
        ),
        (
            "groups",
            [
                "summary_current_members_count INTEGER NOT NULL DEFAULT 0",
                "member_index INTEGER NOT NULL DEFAULT 0", "use_relays INTEGER NOT NULL DEFAULT 0",
                "creating_in_progress INTEGER NOT NULL DEFAULT 0", "relay_own_status TEXT",
                "relay_request_inv_id BLOB", "relay_request_group_link BLOB",
                "relay_request_peer_chat_min_version INTEGER", "relay_request_peer_chat_max_version INTEGER",
                "relay_request_failed INTEGER DEFAULT 0", "relay_request_err_reason TEXT", "root_priv_key BLOB",
                "root_pub_key BLOB", "member_priv_key BLOB", "public_member_count INTEGER",
                "relay_request_retries INTEGER NOT NULL DEFAULT 0",
                "relay_request_delay INTEGER NOT NULL DEFAULT 0",
                "relay_request_execute_at TEXT NOT NULL DEFAULT '1970-01-01 00:00:00'",
                "relay_inactive_at TEXT", "relay_sent_web_domain TEXT", "roster_version INTEGER",
                "roster_msg_body BLOB", "roster_msg_chat_binding TEXT", "roster_msg_signatures BLOB",
                "roster_sending_owner_gm_id INTEGER", "roster_broker_ts TEXT", "roster_blob BLOB",
                "group_domain_verified INTEGER", "stored_roster_version INTEGER",
                "applied_complete_roster_version INTEGER",
            ]
        ),
        (
            "group_members",
            [
                "index_in_group INTEGER NOT NULL DEFAULT 0", "member_relations_vector BLOB", "relay_link BLOB",
                "member_pub_key BLOB", "removed_at TEXT", "roster_served_version INTEGER",
            ]
        ),
        (
            "files",
            [
                "shared_msg_id BLOB", "file_type TEXT NOT NULL DEFAULT 'normal'", "roster_transfer_id INTEGER",
            ]
        ),
        (
            "connections",
            [
                "relay_test INTEGER NOT NULL DEFAULT 0"
            ]
        ),
        (
            "user_contact_links",
            [
                "link_priv_sig_key BLOB"
            ]
        ),
        (
            "messages",
            [
                "broker_ts TEXT", "msg_chat_binding TEXT", "msg_signatures BLOB",
            ]
        ),
        (
            "chat_items",
            [
                "has_link INTEGER NOT NULL DEFAULT 0", "msg_signed TEXT",
                "item_viewed INTEGER NOT NULL DEFAULT 0",
            ]
        ),
        (
            "server_operators",
            [
                "smp_role_names INTEGER NOT NULL DEFAULT 0"
            ]
        ),
    ]

    /// What was removed, and the tables and indexes that were added.
    private static let changes = """
        DROP INDEX idx_contacts_via_group;
        DROP INDEX idx_pending_group_messages_group_member_intro_id;
        DROP INDEX idx_connections_contact_id;
        DROP INDEX idx_connections_group_member_id;
        DROP INDEX idx_connections_to_subscribe;
        DROP TABLE snd_file_chunks;
        ALTER TABLE contacts DROP COLUMN via_group;
        ALTER TABLE pending_group_messages DROP COLUMN group_member_intro_id;

        CREATE TABLE delivery_tasks (
            delivery_task_id INTEGER PRIMARY KEY AUTOINCREMENT,
            group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
            worker_scope TEXT NOT NULL,
            job_scope_spec_tag TEXT,
            job_scope_include_pending INTEGER,
            job_scope_support_gm_id INTEGER REFERENCES group_members(group_member_id) ON DELETE CASCADE,
            sender_group_member_id INTEGER NOT NULL REFERENCES group_members(group_member_id) ON DELETE CASCADE,
            message_id INTEGER REFERENCES messages ON DELETE CASCADE,
            message_from_channel INTEGER NOT NULL DEFAULT 0,
            task_status TEXT NOT NULL,
            task_err_reason TEXT,
            failed INTEGER DEFAULT 0,
            created_at TEXT NOT NULL DEFAULT(datetime('now')),
            updated_at TEXT NOT NULL DEFAULT(datetime('now'))
        ) STRICT;

        CREATE TABLE delivery_jobs (
            delivery_job_id INTEGER PRIMARY KEY AUTOINCREMENT,
            group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
            worker_scope TEXT NOT NULL,
            job_scope_spec_tag TEXT,
            job_scope_include_pending INTEGER,
            job_scope_support_gm_id INTEGER REFERENCES group_members(group_member_id) ON DELETE CASCADE,
            body BLOB,
            cursor_group_member_id INTEGER,
            job_status TEXT NOT NULL,
            job_err_reason TEXT,
            failed INTEGER DEFAULT 0,
            created_at TEXT NOT NULL DEFAULT(datetime('now')),
            updated_at TEXT NOT NULL DEFAULT(datetime('now')),
            sender_group_member_ids TEXT
        ) STRICT;

        CREATE TABLE group_member_status_predicates (
            member_status TEXT NOT NULL PRIMARY KEY,
            current_member INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE connections_sync (
            connections_sync_id INTEGER PRIMARY KEY AUTOINCREMENT,
            should_sync INTEGER NOT NULL DEFAULT 0,
            last_sync_ts TEXT
        ) STRICT;

        CREATE TABLE chat_relays (
            chat_relay_id INTEGER PRIMARY KEY,
            address BLOB NOT NULL,
            display_name TEXT NOT NULL,
            full_name TEXT NOT NULL DEFAULT '',
            short_descr TEXT,
            image TEXT,
            domains TEXT NOT NULL,
            preset INTEGER NOT NULL DEFAULT 0,
            tested INTEGER,
            enabled INTEGER NOT NULL DEFAULT 1,
            user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
            deleted INTEGER NOT NULL DEFAULT 0,
            created_at TEXT NOT NULL DEFAULT(datetime('now')),
            updated_at TEXT NOT NULL DEFAULT(datetime('now'))
        ) STRICT;

        CREATE TABLE group_relays (
            group_relay_id INTEGER PRIMARY KEY,
            group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
            group_member_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
            chat_relay_id INTEGER NOT NULL REFERENCES chat_relays ON DELETE CASCADE,
            relay_status TEXT NOT NULL,
            relay_link BLOB,
            conf_id BLOB,
            created_at TEXT NOT NULL DEFAULT(datetime('now')),
            updated_at TEXT NOT NULL DEFAULT(datetime('now')),
            base_web_url TEXT
        ) STRICT;

        CREATE TABLE rcv_roster_transfers (
            roster_transfer_id INTEGER PRIMARY KEY,
            group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
            from_member_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
            roster_version INTEGER NOT NULL,
            roster_digest BLOB NOT NULL,
            sending_owner_gm_id INTEGER NOT NULL,
            broker_ts TEXT NOT NULL,
            roster_msg_body BLOB,
            roster_msg_chat_binding TEXT,
            roster_msg_signatures BLOB,
            created_at TEXT NOT NULL DEFAULT(datetime('now')),
            updated_at TEXT NOT NULL DEFAULT(datetime('now'))
        ) STRICT;

        CREATE UNIQUE INDEX idx_connections_contact_id ON connections (contact_id);
        CREATE UNIQUE INDEX idx_connections_group_member_id ON connections (group_member_id);
        CREATE INDEX idx_connections_to_subscribe ON connections (user_id, to_subscribe);
        CREATE INDEX idx_delivery_tasks_group_id ON delivery_tasks (group_id);
        CREATE INDEX idx_delivery_tasks_job_scope_support_gm_id ON delivery_tasks (job_scope_support_gm_id);
        CREATE INDEX idx_delivery_tasks_sender_group_member_id ON delivery_tasks (sender_group_member_id);
        CREATE INDEX idx_delivery_tasks_message_id ON delivery_tasks (message_id);
        CREATE INDEX idx_delivery_tasks_next ON delivery_tasks (group_id, worker_scope, failed, task_status);
        CREATE INDEX idx_delivery_tasks_next_for_job_scope
            ON delivery_tasks (group_id, worker_scope, job_scope_spec_tag, job_scope_include_pending,
                job_scope_support_gm_id, failed, task_status);
        CREATE INDEX idx_delivery_tasks_next_for_job_scope_sender
            ON delivery_tasks (group_id, worker_scope, job_scope_spec_tag, job_scope_include_pending,
                job_scope_support_gm_id, sender_group_member_id, failed, task_status);
        CREATE INDEX idx_delivery_tasks_created_at ON delivery_tasks (created_at);
        CREATE INDEX idx_delivery_jobs_group_id ON delivery_jobs (group_id);
        CREATE INDEX idx_delivery_jobs_job_scope_support_gm_id ON delivery_jobs (job_scope_support_gm_id);
        CREATE INDEX idx_delivery_jobs_next ON delivery_jobs (group_id, worker_scope, failed, job_status);
        CREATE INDEX idx_delivery_jobs_created_at ON delivery_jobs (created_at);
        CREATE INDEX idx_groups_summary_current_members_count ON groups (summary_current_members_count);
        CREATE INDEX idx_chat_items_contacts_msg_content_tag_created_at
            ON chat_items (user_id, contact_id, msg_content_tag, created_at);
        CREATE INDEX idx_chat_items_note_folder_msg_content_tag_created_at
            ON chat_items (user_id, note_folder_id, msg_content_tag, created_at);
        CREATE INDEX idx_chat_items_groups_has_link_item_ts ON chat_items (user_id, group_id, has_link, item_ts);
        CREATE INDEX idx_chat_items_contacts_has_link_created_at
            ON chat_items (user_id, contact_id, has_link, created_at);
        CREATE INDEX idx_chat_items_note_folder_has_link_created_at
            ON chat_items (user_id, note_folder_id, has_link, created_at);
        CREATE INDEX idx_chat_relays_user_id ON chat_relays (user_id);
        CREATE UNIQUE INDEX idx_chat_relays_user_id_address ON chat_relays (user_id, address);
        CREATE INDEX idx_group_relays_group_id ON group_relays (group_id);
        CREATE UNIQUE INDEX idx_group_relays_group_member_id ON group_relays (group_member_id);
        CREATE INDEX idx_group_relays_chat_relay_id ON group_relays (chat_relay_id);
        CREATE INDEX idx_chat_items_contacts_item_viewed ON chat_items (user_id, contact_id, item_viewed, created_at);
        CREATE INDEX idx_chat_items_groups_item_viewed ON chat_items (user_id, group_id, item_viewed, item_ts);
        CREATE INDEX idx_groups_relay_request_group_link
            ON groups (user_id, relay_request_group_link) WHERE relay_request_group_link IS NOT NULL;
        CREATE UNIQUE INDEX idx_rcv_roster_transfers_group_id_from_member_id
            ON rcv_roster_transfers (group_id, from_member_id);
        CREATE INDEX idx_rcv_roster_transfers_from_member_id ON rcv_roster_transfers (from_member_id);
        CREATE INDEX idx_files_group_id_shared_msg_id ON files (group_id, shared_msg_id);
        CREATE INDEX idx_files_roster_transfer_id ON files (roster_transfer_id);

        INSERT INTO connections_sync (connections_sync_id, should_sync) VALUES (1, 1);
        INSERT INTO group_member_status_predicates (member_status, current_member) VALUES
            ('rejected', 0), ('removed', 0), ('left', 0), ('deleted', 0), ('unknown', 0), ('invited', 0),
            ('pending_approval', 0), ('pending_review', 0), ('introduced', 1), ('intro-inv', 1), ('accepted', 1),
            ('announced', 1), ('connected', 1), ('complete', 1), ('creator', 1);
        """

    private static let triggerNames = [
        "on_group_members_insert_update_summary", "on_group_members_delete_update_summary",
        "on_group_members_update_update_summary",
    ]

    /// The numbers of members in their groups, the columns that follow from others, and the triggers that keep the number
    /// of current members.
    private static let completionOfToday = """
        UPDATE group_members SET index_in_group = numbered.number FROM (
            SELECT group_member_id AS member, row_number() OVER (PARTITION BY group_id ORDER BY group_member_id) - 1 AS number
            FROM group_members) AS numbered
            WHERE group_members.group_member_id = numbered.member;
        CREATE UNIQUE INDEX idx_group_members_group_id_index_in_group ON group_members (group_id, index_in_group);
        UPDATE groups SET
            member_index = (SELECT count(*) FROM group_members WHERE group_members.group_id = groups.group_id),
            summary_current_members_count = (
                SELECT count(*) FROM group_members JOIN group_member_status_predicates USING (member_status)
                WHERE group_members.group_id = groups.group_id AND current_member = 1);
        UPDATE chat_items SET has_link = 1 WHERE msg_content_tag = 'link' OR item_text LIKE '%https://%';
        UPDATE server_operators SET smp_role_names = 1 WHERE server_operator_tag IN ('simplex', 'flux');

        CREATE TRIGGER on_group_members_insert_update_summary AFTER INSERT ON group_members FOR EACH ROW
        WHEN EXISTS (\(isCurrent("NEW")))
        BEGIN
            UPDATE groups SET summary_current_members_count = summary_current_members_count + 1
            WHERE group_id = NEW.group_id;
        END;
        CREATE TRIGGER on_group_members_delete_update_summary AFTER DELETE ON group_members FOR EACH ROW
        WHEN EXISTS (\(isCurrent("OLD")))
        BEGIN
            UPDATE groups SET summary_current_members_count = summary_current_members_count - 1
            WHERE group_id = OLD.group_id;
        END;
        CREATE TRIGGER on_group_members_update_update_summary AFTER UPDATE ON group_members FOR EACH ROW
        WHEN EXISTS (\(isCurrent("OLD"))) != EXISTS (\(isCurrent("NEW")))
        BEGIN
            UPDATE groups SET summary_current_members_count = summary_current_members_count
                + (CASE WHEN EXISTS (\(isCurrent("NEW"))) THEN 1 ELSE -1 END)
            WHERE group_id = NEW.group_id;
        END;
        """

    private static func isCurrent(_ row: String) -> String {
        """
        SELECT 1 FROM group_member_status_predicates
            WHERE member_status = \(row).member_status AND current_member = 1
        """
    }

    /// The migrations of 6.5 to 7.0.0.6.
    private static let migrationsOfToday = [
        "20250813_delivery_tasks", "20250919_group_summary", "20250922_remove_unused_connections",
        "20251007_connections_sync", "20251017_chat_tags_cascade", "20251117_member_relations_vector",
        "20251128_migrate_member_relations", "20251230_strict_tables", "20260108_chat_indices",
        "20260122_has_link", "20260222_chat_relays", "20260403_item_viewed", "20260429_relay_request_retries",
        "20260507_relay_inactive_at", "20260514_relay_request_group_link_index", "20260515_public_group_access",
        "20260516_supporter_badges", "20260529_delivery_job_senders", "20260530_client_services",
        "20260531_member_removed_at", "20260601_relay_sent_web_domain", "20260602_group_roster",
        "20260603_simplex_name", "20260629_roster_catchup",
    ]

    /// The migrations between 7.0.0.6 and 7.0.0.11.
    private static let laterMigrations = [
        "20260707_file_digest", "20260714_member_security_code", "20260715_profile_description",
        "20260716_signed_history", "20260720_server_roles",
    ]
}
