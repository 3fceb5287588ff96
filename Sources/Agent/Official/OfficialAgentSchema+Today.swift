package import Store

extension OfficialAgentSchema {
    /// The agent database of version 7.0.0.6: the tables of 6.4.5 with checked types, and the later changes (network-7.md 18).
    package static let today = ForeignSchema(
        migrations: schema.migrations + migrationsOfToday, oldest: schema.oldest, triggers: triggerNames,
        script: schema.strictScript(["device_token TEXT NOT NULL,": "device_token BLOB NOT NULL,"]) + changes,
        completion: completionOfToday)

    /// The tables, columns and indexes that were added.
    private static let changes = """
        CREATE TABLE client_notices (
            client_notice_id INTEGER PRIMARY KEY AUTOINCREMENT,
            protocol TEXT NOT NULL,
            host TEXT NOT NULL,
            port TEXT NOT NULL,
            entity_id BLOB NOT NULL,
            server_key_hash BLOB,
            notice_ttl INTEGER,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE client_services (
            user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
            host TEXT NOT NULL,
            port TEXT NOT NULL,
            server_key_hash BLOB,
            service_cert BLOB NOT NULL,
            service_cert_hash BLOB NOT NULL,
            service_priv_key BLOB NOT NULL,
            service_id BLOB,
            service_queue_count INTEGER NOT NULL DEFAULT 0,
            service_queue_ids_hash BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
            FOREIGN KEY(host, port) REFERENCES servers ON UPDATE CASCADE ON DELETE RESTRICT
        ) STRICT;

        ALTER TABLE rcv_queues ADD COLUMN to_subscribe INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE rcv_queues ADD COLUMN client_notice_id INTEGER
            REFERENCES client_notices ON UPDATE RESTRICT ON DELETE SET NULL;
        ALTER TABLE rcv_queues ADD COLUMN rcv_service_assoc INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE rcv_messages ADD COLUMN receive_attempts INTEGER NOT NULL DEFAULT 0;

        CREATE INDEX idx_rcv_queues_to_subscribe ON rcv_queues (to_subscribe);
        CREATE UNIQUE INDEX idx_client_notices_entity ON client_notices (protocol, host, port, entity_id);
        CREATE INDEX idx_rcv_queues_client_notice_id ON rcv_queues (client_notice_id);
        CREATE UNIQUE INDEX idx_server_certs_user_id_host_port
            ON client_services (user_id, host, port, server_key_hash);
        CREATE INDEX idx_server_certs_host_port ON client_services (host, port);
        """

    private static let triggerNames = [
        "tr_rcv_queue_insert", "tr_rcv_queue_delete", "tr_rcv_queue_update_remove", "tr_rcv_queue_update_add",
    ]

    /// The triggers, which count the queues of a service and combine the hashes of their ids. They call a function of the
    /// apps, so they come after all rows.
    private static let completionOfToday = """
        CREATE TRIGGER tr_rcv_queue_insert AFTER INSERT ON rcv_queues FOR EACH ROW
        WHEN \(isOfService("NEW"))
        BEGIN
            \(count("+", "NEW"))
        END;
        CREATE TRIGGER tr_rcv_queue_delete AFTER DELETE ON rcv_queues FOR EACH ROW
        WHEN \(isOfService("OLD"))
        BEGIN
            \(count("-", "OLD"))
        END;
        CREATE TRIGGER tr_rcv_queue_update_remove AFTER UPDATE ON rcv_queues FOR EACH ROW
        WHEN \(isOfService("OLD")) AND NOT (\(isOfService("NEW")))
        BEGIN
            \(count("-", "OLD"))
        END;
        CREATE TRIGGER tr_rcv_queue_update_add AFTER UPDATE ON rcv_queues FOR EACH ROW
        WHEN \(isOfService("NEW")) AND NOT (\(isOfService("OLD")))
        BEGIN
            \(count("+", "NEW"))
        END;
        """

    private static func isOfService(_ row: String) -> String {
        "\(row).rcv_service_assoc != 0 AND \(row).deleted = 0"
    }

    private static func count(_ sign: String, _ row: String) -> String {
        """
        UPDATE client_services SET service_queue_count = service_queue_count \(sign) 1,
            service_queue_ids_hash = simplex_xor_md5_combine(service_queue_ids_hash, \(row).rcv_id)
        WHERE user_id = (SELECT user_id FROM connections WHERE conn_id = \(row).conn_id)
            AND host = \(row).host AND port = \(row).port;
        """
    }

    /// The migrations of 6.5 to 7.0.0.6.
    private static let migrationsOfToday = [
        "m20251009_queue_to_subscribe", "m20251010_client_notices", "m20251230_strict_tables",
        "m20260410_receive_attempts", "m20260411_service_certs",
    ]
}
