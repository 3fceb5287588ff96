import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol
import Store

extension OfficialChatImport {
    // MARK: - Profiles

    func takeProfiles() throws {
        let rows = try tables.rows(
            """
            user_id, contact_id, local_display_name, active_user, created_at, view_pwd_hash, view_pwd_salt, show_ntfs,
            send_rcpts_contacts, send_rcpts_small_groups, user_member_profile_updated_at, auto_accept_member_contacts
            """, from: "users", "ORDER BY user_id"
        ) { row throws(StoreError) in
            (
                id: try row.foreignID(), contactID: try row.foreignID(), name: try row.foreignText(),
                isActive: try row.foreignBool(), createdAt: try row.foreignTime(),
                hash: try row.optionalForeignBytes(), salt: try row.optionalForeignBytes(),
                isLoud: try row.foreignBool(), receipts: try row.foreignBool(), groupReceipts: try row.foreignBool(),
                changedAt: try row.optionalForeignTime(), acceptsMembers: try row.foreignBool()
            )
        }
        guard !rows.isEmpty else { throw StoreError(.otherSchema) }
        var hasActive = false
        for row in rows {
            let profileID = try tables.first(
                "contact_profile_id", from: "contacts", "WHERE contact_id = ?", row.contactID
            ) {
                row throws(StoreError) in try row.foreignID()
            }
            guard let profileID, let found = try profile(profileID) else { throw StoreError(.damaged) }
            if row.hash != nil || row.salt != nil {
                guard let hash = row.hash, let salt = row.salt, ProfilePassword(stored: salt, hash) != nil else {
                    throw StoreError(.damaged)
                }
            }
            let isActive = row.isActive && !hasActive
            hasActive = hasActive || isActive
            try database.run(
                """
                INSERT INTO profiles (profile_id, name, profile, is_active, created_at, sends_receipts, is_muted,
                    hidden_salt, hidden_hash, sends_group_receipts, accepts_members, changed_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, row.id, row.name, found.profile.json.line, isActive, row.createdAt, row.receipts, !row.isLoud,
                row.salt, row.hash, row.groupReceipts, row.acceptsMembers, row.changedAt)
            profiles[row.id] = OwnRow(contactID: row.contactID, profile: found.profile)
            _ = try takeName(row.name, in: row.id)
        }
        // One profile must be active: the first that is not hidden.
        if !hasActive {
            try database.run(
                """
                UPDATE profiles SET is_active = 1 WHERE profile_id =
                    (SELECT coalesce(min(iif(hidden_hash IS NULL, profile_id, NULL)), min(profile_id)) FROM profiles)
                """)
        }
    }

    // MARK: - Settings

    func takeSettings() throws {
        let lifetimes = try tables.rows("user_id, chat_item_ttl", from: "settings") { row throws(StoreError) in
            (try row.foreignID(), try row.optional { row throws(StoreError) in try row.int64() })
        }
        for (id, seconds) in lifetimes {
            guard let seconds, seconds > 0 else { continue }
            try database.run("UPDATE profiles SET retention = ? WHERE profile_id = ?", seconds, id)
        }
        try takeServers()
        try takeOperators()
    }

    private func takeServers() throws {
        let rows = try tables.rows(
            "user_id, host, port, key_hash, basic_auth, preset, enabled, protocol", from: "protocol_servers",
            "ORDER BY smp_server_id"
        ) { row throws(StoreError) in
            (
                profile: try row.foreignID(), host: try row.foreignText(), port: try row.foreignText(),
                hash: try row.foreignText(), password: try row.optionalForeignText(), isPreset: try row.foreignBool(),
                isEnabled: try row.foreignBool(), kind: try row.foreignText()
            )
        }
        var served: Set<Int64> = []
        for row in rows where profiles[row.profile] != nil {
            guard let scheme = ServerScheme(rawValue: row.kind) else {
                note(.servers)
                continue
            }
            let password = row.password.map { ":\($0)" } ?? "", port = row.port.isEmpty ? "" : ":\(row.port)"
            let text = "\(row.kind)://\(row.hash)\(password)@\(row.host)\(port)"
            guard let server = try? ConfiguredServer(text: text, scheme: scheme) else {
                note(.servers)
                continue
            }
            switch scheme {
            case .smp:
                let known = ProfileServer(server, isPreset: row.isPreset, isEnabled: row.isEnabled)
                try store.insert(known, of: ProfileID(row.profile))
                served.insert(row.profile)
            case .xftp:
                try database.run(
                    """
                    INSERT OR IGNORE INTO file_servers (profile_id, address, is_preset, is_enabled) VALUES (?, ?, ?, ?)
                    """, row.profile, server.text(scheme: .xftp), row.isPreset, row.isEnabled)
            }
        }
        // Versions without a list of relays used those of the program.
        var generator = SystemRandomNumberGenerator()
        for id in profiles.keys.sorted() where !served.contains(id) {
            for tag in ServerOperator.Tag.allCases {
                for server in PresetServers.selection(of: tag, using: &generator) {
                    try store.insert(server, of: ProfileID(id))
                }
            }
        }
    }

    private func takeOperators() throws {
        let rows = try tables.rows(
            "server_operator_id, server_operator_tag, enabled, smp_role_storage, smp_role_proxy",
            from: "server_operators"
        ) { row throws(StoreError) in
            (
                id: try row.foreignID(), tag: try row.optionalForeignText(), isEnabled: try row.foreignBool(),
                stores: try row.foreignBool(), forwards: try row.foreignBool()
            )
        }
        for row in rows {
            guard let tag = row.tag.flatMap(ServerOperator.Tag.init(rawValue:)) else {
                note(.operators)
                continue
            }
            try store.update(
                ServerOperator(
                    tag, isEnabled: row.isEnabled,
                    roles: ServerRoles(storesMessages: row.stores, forwardsMessages: row.forwards)))
        }
        let accepted = try tables.rows(
            "server_operator_tag, conditions_commit, accepted_at", from: "operator_usage_conditions"
        ) { row throws(StoreError) in
            (tag: try row.optionalForeignText(), version: try row.foreignText(), time: try row.optionalForeignTime())
        }
        for row in accepted {
            guard let tag = row.tag.flatMap(ServerOperator.Tag.init(rawValue:)), let time = row.time else { continue }
            try store.accept(UsageConditions(number: 0, version: row.version), of: tag, at: time)
        }
    }

    // MARK: - Tags

    func takeTags() throws {
        let rows = try tables.rows(
            "chat_tag_id, user_id, chat_tag_text, chat_tag_emoji, tag_order", from: "chat_tags", "ORDER BY chat_tag_id"
        ) { row throws(StoreError) in
            (
                id: try row.foreignID(), profile: try row.optionalForeignID(), text: try row.foreignText(),
                emoji: try row.optionalForeignText(), position: try row.int64()
            )
        }
        for row in rows {
            guard let profile = row.profile, profiles[profile] != nil else { continue }
            try database.run(
                "INSERT OR IGNORE INTO tags (tag_id, profile_id, text, emoji, position) VALUES (?, ?, ?, ?, ?)",
                row.id, profile, row.text, row.emoji, row.position)
        }
        let uses = try tables.rows("contact_id, group_id, chat_tag_id", from: "chat_tags_chats") {
            row throws(StoreError) in
            (try row.optionalForeignID(), try row.optionalForeignID(), try row.foreignID())
        }
        for (contact, group, tag) in uses {
            try database.run(
                """
                INSERT OR IGNORE INTO chat_tags (chat_id, tag_id) SELECT chat_id, tag_id FROM chats JOIN tags USING (profile_id)
                WHERE (contact_id = ? OR group_id = ?) AND tag_id = ?
                """, contact, group, tag)
        }
    }
}
