import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol
import Store

extension OfficialChatExport {
    // MARK: - Profiles

    func writeProfiles() throws {
        let rows = try database.rows(
            """
            SELECT profile_id, name, profile, is_active, created_at, sends_receipts, is_muted, hidden_salt, hidden_hash,
                retention, sends_group_receipts, accepts_members, changed_at FROM profiles ORDER BY profile_id
            """
        ) { row throws(StoreError) in
            (
                id: try row.int64(), name: try row.text(), profile: try row.profile(), isActive: try row.bool(),
                createdAt: try row.timestamp(), receipts: try row.bool(), isMuted: try row.bool(),
                salt: try row.optionalBytes(), hash: try row.optionalBytes(), retention: try row.optionalInteger(),
                groupReceipts: try row.bool(), acceptsMembers: try row.bool(), changedAt: try row.optionalTime()
            )
        }
        for row in rows {
            let name = try takeName(row.name, of: row.profile.displayName, in: row.id, at: row.createdAt)
            let profileID = try writeProfile(row.profile, of: row.id, at: row.createdAt)
            let owner = Owner(contactID: nextContact, profileID: profileID, name: name)
            nextContact += 1
            owners[row.id] = owner
            try official.insert(
                into: "users",
                [
                    "user_id": row.id, "contact_id": owner.contactID, "local_display_name": name,
                    "active_user": row.isActive, "created_at": text(row.createdAt), "updated_at": text(row.createdAt),
                    "agent_user_id": row.id, "view_pwd_hash": row.hash, "view_pwd_salt": row.salt,
                    "show_ntfs": !row.isMuted, "send_rcpts_contacts": row.receipts,
                    "send_rcpts_small_groups": row.groupReceipts,
                    "user_member_profile_updated_at": text(row.changedAt),
                    // The apps use the profile with the highest number first.
                    "active_order": row.isActive ? Int64(rows.count) : 0,
                    "auto_accept_member_contacts": row.acceptsMembers,
                ])
            try official.insert(
                into: "contacts",
                [
                    "contact_id": owner.contactID, "contact_profile_id": profileID, "user_id": row.id,
                    "local_display_name": name, "is_user": true, "created_at": text(row.createdAt),
                    "updated_at": text(row.createdAt), "chat_ts": text(row.createdAt),
                ])
            if let seconds = row.retention, seconds > 0 {
                try official.insert(into: "settings", ["chat_item_ttl": seconds, "user_id": row.id])
            }
        }
    }

    // MARK: - Relays

    func writeServers() throws {
        for scheme in [ServerScheme.smp, .xftp] {
            let rows = try database.rows(
                """
                SELECT profile_id, address, is_preset, is_enabled FROM \(scheme == .smp ? "servers" : "file_servers")
                WHERE profile_id IS NOT NULL ORDER BY profile_id, rowid
                """
            ) { row throws(StoreError) in
                (profile: try row.int64(), text: try row.text(), isPreset: try row.bool(), isEnabled: try row.bool())
            }
            for row in rows where owners[row.profile] != nil {
                guard let server = try? ConfiguredServer(text: row.text, scheme: scheme) else {
                    note(.servers)
                    continue
                }
                let (hosts, port) = server.address.officialPlace
                let known = try official.first(
                    "SELECT 1 FROM protocol_servers WHERE user_id = ? AND host = ? AND port = ?", row.profile, hosts,
                    port
                ) { _ throws(StoreError) in true }
                // One place has one entry there.
                guard known == nil else {
                    note(.servers)
                    continue
                }
                try official.insert(
                    into: "protocol_servers",
                    [
                        "host": hosts, "port": port, "key_hash": blob(Base64URL.encode(server.address.fingerprint)),
                        "basic_auth": server.password?.text, "preset": row.isPreset, "enabled": row.isEnabled,
                        "user_id": row.profile, "created_at": text(now), "updated_at": text(now),
                        "protocol": scheme.rawValue,
                    ])
            }
        }
    }

    func writeOperators() throws {
        let operators = try store.operators()
        var versions: [String: Timestamp] = [:]
        for known in operators {
            try official.insert(
                into: "server_operators",
                [
                    "server_operator_id": known.tag.number, "server_operator_tag": known.tag.rawValue,
                    "trade_name": known.tag.tradeName, "legal_name": known.tag.legalName,
                    "server_domains": known.tag.domains.joined(separator: ","), "enabled": known.isEnabled,
                    "smp_role_storage": known.roles.storesMessages, "smp_role_proxy": known.roles.forwardsMessages,
                    "xftp_role_storage": known.roles.storesMessages, "xftp_role_proxy": known.roles.forwardsMessages,
                    "created_at": text(now), "updated_at": text(now),
                ])
            guard let acceptance = known.acceptance else { continue }
            versions[acceptance.version] = min(versions[acceptance.version] ?? acceptance.time, acceptance.time)
            try official.insert(
                into: "operator_usage_conditions",
                [
                    "server_operator_id": known.tag.number, "server_operator_tag": known.tag.rawValue,
                    "conditions_commit": acceptance.version, "accepted_at": text(acceptance.time),
                    "created_at": text(acceptance.time),
                ])
        }
        for (version, time) in versions.sorted(by: { $0.value < $1.value }) {
            try official.insert(
                into: "usage_conditions",
                [
                    "conditions_commit": version, "notified_at": text(time), "created_at": text(time),
                    "updated_at": text(time),
                ])
        }
    }

    // MARK: - Tags

    func writeTags() throws {
        let tags = try database.rows("SELECT tag_id, profile_id, text, emoji, position FROM tags ORDER BY tag_id") {
            row throws(StoreError) in
            (
                id: try row.int64(), profile: try row.int64(), text: try row.text(), emoji: try row.optionalText(),
                position: try row.int64()
            )
        }
        var symbols: [Int64: Set<String>] = [:]
        for tag in tags {
            // One profile has each symbol once there.
            let isFree = tag.emoji.map { symbols[tag.profile, default: []].insert($0).inserted } ?? false
            try official.insert(
                into: "chat_tags",
                [
                    "chat_tag_id": tag.id, "user_id": tag.profile, "chat_tag_text": tag.text,
                    "chat_tag_emoji": isFree ? tag.emoji : nil, "tag_order": tag.position,
                ])
        }
        let uses = try database.rows("SELECT contact_id, group_id, tag_id FROM chat_tags JOIN chats USING (chat_id)") {
            row throws(StoreError) in
            (contact: try row.optionalInteger(), group: try row.optionalInteger(), tag: try row.int64())
        }
        for use in uses where use.contact != nil || use.group != nil {
            try official.insert(
                into: "chat_tags_chats", ["contact_id": use.contact, "group_id": use.group, "chat_tag_id": use.tag])
        }
    }

    // MARK: - Probes

    func writeProbes() throws {
        let sent = try database.rows(
            "SELECT probe_id, profile_id, contact_id, group_member_id, probe, created_at FROM sent_probes"
        ) { row throws(StoreError) in
            (
                id: try row.int64(), profile: try row.int64(), contact: try row.optionalInteger(),
                member: try row.optionalInteger(), probe: try row.bytes(), time: try row.timestamp()
            )
        }
        var owner: [Int64: (profile: Int64, time: Timestamp)] = [:]
        for row in sent {
            owner[row.id] = (row.profile, row.time)
            try official.insert(
                into: "sent_probes",
                [
                    "sent_probe_id": row.id, "contact_id": row.contact, "group_member_id": row.member,
                    "probe": row.probe, "user_id": row.profile, "created_at": text(row.time),
                    "updated_at": text(row.time),
                ])
        }
        let checks = try database.rows("SELECT probe_id, contact_id, group_member_id FROM sent_checks") {
            row throws(StoreError) in
            (probe: try row.int64(), contact: try row.optionalInteger(), member: try row.optionalInteger())
        }
        for row in checks {
            guard let (profile, time) = owner[row.probe] else { continue }
            try official.insert(
                into: "sent_probe_hashes",
                [
                    "sent_probe_id": row.probe, "contact_id": row.contact, "group_member_id": row.member,
                    "user_id": profile, "created_at": text(time), "updated_at": text(time),
                ])
        }
        let received = try database.rows(
            "SELECT profile_id, contact_id, group_member_id, hash, probe, received_at FROM received_probes"
        ) { row throws(StoreError) in
            (
                profile: try row.int64(), contact: try row.optionalInteger(), member: try row.optionalInteger(),
                hash: try row.bytes(), probe: try row.optionalBytes(), time: try row.timestamp()
            )
        }
        for row in received {
            try official.insert(
                into: "received_probes",
                [
                    "contact_id": row.contact, "group_member_id": row.member, "probe": row.probe,
                    "probe_hash": row.hash, "user_id": row.profile, "created_at": text(row.time),
                    "updated_at": text(row.time),
                ])
        }
    }
}
