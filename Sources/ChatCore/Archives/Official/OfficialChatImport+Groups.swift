import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension OfficialChatImport {
    // MARK: - Groups

    func takeGroups() throws {
        let rows = try tables.rows(
            """
            group_id, user_id, local_display_name, group_profile_id, inv_queue_info, created_at, updated_at, enable_ntfs,
            unread_chat, chat_ts, favorite, send_rcpts, user_member_profile_sent_at, custom_data, ui_themes,
            business_member_id, business_chat, customer_member_id, chat_item_ttl, local_alias, conn_full_link_to_connect,
            conn_short_link_to_connect, conn_link_started_connection, welcome_shared_msg_id, request_shared_msg_id,
            use_relays, relay_own_status, group_domain_verified
            """, from: "groups", "ORDER BY group_id"
        ) { row throws(StoreError) in try row.officialGroup() }
        for row in rows where profiles[row.profile] != nil {
            guard let number = row.groupProfile, let profile = try groupProfile(number) else {
                throw StoreError(.damaged)
            }
            // The first versions with channels gave them no ids.
            if row.isServed || row.usesRelays && profile.publicGroup == nil {
                channels[row.id] = OfficialChannelRow(profile: row.profile, name: row.name, details: number)
                continue
            }
            let linkID =
                try tables.first(
                    "group_link_id", from: "connections",
                    """
                    WHERE via_group_link = 1 AND group_link_id IS NOT NULL AND group_member_id IN
                    (SELECT group_member_id FROM group_members WHERE group_id = ?) ORDER BY connection_id DESC
                    """, row.id
                ) { row throws(StoreError) in try row.optionalSharedID() } ?? nil
            try database.run(
                """
                INSERT INTO groups (group_id, profile_id, name, created_at, updated_at, profile, alias, business, prepared,
                    notifications, sends_receipts, profile_sent_at, link_id, invitation)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, row.id, row.profile, try takeName(row.name, in: row.profile), row.createdAt, row.updatedAt,
                profile.json.line, row.alias, row.business?.json.line,
                row.prepared.map { prepared in
                    var prepared = prepared
                    if row.isNameVerified, let claim = profile.publicGroup?.access?.claim {
                        prepared.name = NameCheck(claim.domain)
                    }
                    return prepared.json.line
                },
                row.notifications.rawValue, row.sendsReceipts, row.profileSentAt, linkID, row.invitation)
            try insertChat("group_id", row.id, row.profile, row.chat)
            // The members follow, and the user among them.
            memberships[row.id] = 0
        }
    }

    // MARK: - Members

    func takeMembers() throws {
        let rows = try tables.rows(
            """
            group_member_id, group_id, member_id, member_role, member_category, member_status, invited_by, user_id,
            local_display_name, contact_profile_id, contact_id, created_at, updated_at, member_profile_id, show_messages,
            invited_by_group_member_id, peer_chat_min_version, peer_chat_max_version, member_restriction, support_chat_ts,
            support_chat_items_unread, support_chat_items_member_attention, support_chat_items_mentions,
            support_chat_last_msg_from_member_ts, member_pub_key, relay_link
            """, from: "group_members", "ORDER BY group_member_id"
        ) { row throws(StoreError) in try row.officialMember() }
        for row in rows where memberships[row.group] != nil {
            try take(row)
        }
        for row in rows {
            guard let inviter = row.inviter, members[row.id] != nil, members[inviter] == row.group else { continue }
            try database.run(
                "UPDATE group_members SET invited_by = ? WHERE group_member_id = ?", inviter, row.id)
        }
        // Everything about a group begins with the user as its member.
        guard memberships.values.allSatisfy({ $0 != 0 }) else { throw StoreError(.damaged) }
        try takeChannels()
        try takeIntroductions()
    }

    private func take(_ row: OfficialMemberRow) throws {
        guard let owner = profiles[row.profile], let found = try profile(row.contactProfile) else {
            throw StoreError(.damaged)
        }
        let isUser = row.category == .user
        var profile = found.profile, isIncognito = false
        if isUser, let number = row.memberProfile {
            guard let made = try self.profile(number) else { throw StoreError(.damaged) }
            profile = made.profile
            isIncognito = true
        }
        let contact = row.contact.flatMap { contacts.contains($0) ? $0 : nil }
        let name: String
        if isUser {
            name = profile.displayName
        } else if let contact {
            let known = try database.first("SELECT name FROM contacts WHERE contact_id = ?", contact) {
                row throws(StoreError) in try row.text()
            }
            guard let known else { throw StoreError(.damaged) }
            name = known
        } else {
            name = try takeName(row.name, in: row.profile)
        }
        try database.run(
            """
            INSERT INTO group_members (group_member_id, group_id, member_id, role, category, status, name, profile,
                contact_id, is_invited_by_user, shows_messages, is_blocked, versions, is_incognito, support_active_at,
                support_unread, support_attention, support_mentions, support_member_at, created_at, updated_at, public_key,
                relay_link)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, row.id, row.group, row.memberID, row.role, row.category.rawValue, row.status.rawValue, name,
            profile.forMembers().json.line, isUser ? nil : contact, row.invitedBy == owner.contactID,
            row.showsMessages, row.isBlocked, row.versions, isIncognito, row.supportAt, row.supportUnread,
            row.supportAttention, row.supportMentions, row.supportMemberAt, row.createdAt, row.updatedAt, row.publicKey,
            row.relayLink.flatMap { try? ShortLink(text: $0).keptText })
        members[row.id] = row.group
        memberIDs[row.group, default: [:]][row.memberID] = row.id
        memberKeys[row.id] = row.memberID
        if isUser {
            guard memberships[row.group] == 0 else { throw StoreError(.damaged) }
            memberships[row.group] = row.id
            try store.setMembership(GroupMemberID(row.id), of: GroupID(row.group))
        }
    }

    private func takeIntroductions() throws {
        if try tables.has("member_relations_vector", in: "group_members") { return try takeRelations() }
        let rows = try tables.rows(
            "re_group_member_id, to_group_member_id, group_queue_info, intro_status, updated_at",
            from: "group_member_intros", "ORDER BY group_member_intro_id"
        ) { row throws(StoreError) in
            (
                existing: try row.foreignID(), newcomer: try row.foreignID(), link: try row.optionalForeignText(),
                status: try row.foreignText(), updatedAt: try row.foreignTime()
            )
        }
        for row in rows where members[row.existing] != nil && members[row.existing] == members[row.newcomer] {
            guard let status = Introduction.Status(official: row.status) else { throw StoreError(.damaged) }
            try database.run(
                """
                INSERT OR IGNORE INTO introductions (existing_id, newcomer_id, status, link, updated_at)
                VALUES (?, ?, ?, ?, ?)
                """, row.existing, row.newcomer, status.rawValue, row.status == "rcv" ? row.link : nil, row.updatedAt)
        }
    }

    /// Reads the vectors that replaced the table of introductions: each member has one with a byte for each other member of
    /// the group (network-7.md 9.9).
    private func takeRelations() throws {
        let rows = try tables.rows(
            "group_member_id, group_id, index_in_group, member_relations_vector, updated_at", from: "group_members",
            "ORDER BY group_member_id"
        ) { row throws(StoreError) in
            (
                id: try row.foreignID(), group: try row.foreignID(), index: try row.count(),
                vector: try row.optionalForeignBytes() ?? [], updatedAt: try row.foreignTime()
            )
        }
        let groups = Dictionary(grouping: rows.filter { members[$0.id] != nil }, by: \.group)
        for group in groups.values {
            let byIndex = Dictionary(group.map { ($0.index, $0.id) }, uniquingKeysWith: { first, _ in first })
            for row in group {
                for (index, byte) in row.vector.enumerated() {
                    guard let status = MemberRelation(byte)?.introduction, let newcomer = byIndex[index] else {
                        continue
                    }
                    try database.run(
                        """
                        INSERT OR IGNORE INTO introductions (existing_id, newcomer_id, status, updated_at)
                        VALUES (?, ?, ?, ?)
                        """, row.id, newcomer, status.rawValue, row.updatedAt)
                }
            }
        }
    }

    // MARK: - Messages to members

    /// What became of own messages at each member, and those that wait for a member.
    func takeGroupMessages() throws {
        let rows = try tables.rows(
            "chat_item_id, group_member_id, group_snd_item_status", from: "group_snd_item_statuses",
            "ORDER BY chat_item_id"
        ) { row throws(StoreError) in
            (item: try row.foreignID(), member: try row.foreignID(), status: try row.foreignText())
        }
        var messages: [Int64: Int64] = [:]
        for row in rows {
            guard let group = members[row.member] else { continue }
            guard let message = try messages[row.item] ?? insertMessage(of: row.item, in: group) else { continue }
            messages[row.item] = message
            let delivery = OfficialContent.delivery(row.status)
            try database.run(
                """
                INSERT OR IGNORE INTO group_deliveries (group_message_id, group_member_id, status) VALUES (?, ?, ?)
                """, message, row.member, delivery.rawValue)
        }
        try takePendingMessages(&messages)
        // A message without waiting members needs no body.
        try database.run(
            """
            UPDATE group_messages SET body = x'' WHERE NOT EXISTS (
                SELECT 1 FROM group_deliveries WHERE group_deliveries.group_message_id = group_messages.group_message_id
                    AND status IN ('owed', 'pending', 'inactive'))
            """)
    }

    /// The message of an own entry; nil if it was none.
    private func insertMessage(of item: Int64, in group: Int64) throws -> Int64? {
        let sharedID =
            try database.first(
                "SELECT shared_id FROM items JOIN chats USING (chat_id) WHERE item_id = ? AND group_id = ?", item, group
            ) { row throws(StoreError) in try row.optional { row throws(StoreError) in try row.bytes() } } ?? nil
        guard let sharedID else { return nil }
        let body = try tables.first(
            "msg_body, created_at", from: "messages",
            "WHERE group_id = ? AND shared_msg_id = ? AND msg_sent = 1 ORDER BY message_id DESC", group, sharedID
        ) { row throws(StoreError) in (try row.optionalForeignBytes() ?? [], try row.foreignTime()) }
        let message = try insertMessage(sharedID, body?.0 ?? [], in: group, at: body?.1 ?? now)
        try database.run(
            "INSERT OR IGNORE INTO group_message_items (item_id, group_message_id) VALUES (?, ?)", item, message)
        return message
    }

    private func insertMessage(_ id: Bytes, _ body: Bytes, in group: Int64, at time: Timestamp) throws -> Int64 {
        try database.run(
            "INSERT INTO group_messages (group_id, message_id, body, notifies, created_at) VALUES (?, ?, ?, 1, ?)",
            group, id, body, time)
        return database.lastInsertedID
    }

    private func takePendingMessages(_ messages: inout [Int64: Int64]) throws {
        let rows = try tables.rows(
            "group_member_id, message_id", from: "pending_group_messages", "ORDER BY pending_group_message_id"
        ) { row throws(StoreError) in (member: try row.foreignID(), message: try row.foreignID()) }
        for row in rows {
            guard let group = members[row.member] else { continue }
            let found = try tables.first(
                "shared_msg_id, msg_body, created_at", from: "messages", "WHERE message_id = ? AND group_id = ?",
                row.message, group
            ) { row throws(StoreError) in
                (id: try row.optionalSharedID(), body: try row.optionalForeignBytes(), time: try row.foreignTime())
            }
            guard let found, let id = found.id, let body = found.body, !body.isEmpty else {
                note(.emptyMessages)
                continue
            }
            let known = try database.first(
                "SELECT group_message_id FROM group_messages WHERE group_id = ? AND message_id = ?", group, id
            ) { row throws(StoreError) in try row.int64() }
            let message = try known ?? insertMessage(id, body, in: group, at: found.time)
            try database.run("UPDATE group_messages SET body = ? WHERE group_message_id = ?", body, message)
            try database.run(
                """
                INSERT INTO group_deliveries (group_message_id, group_member_id, status) VALUES (?, ?, 'pending')
                ON CONFLICT DO UPDATE SET status = 'pending'
                """, message, row.member)
        }
    }

    // MARK: - What members have sent

    /// The ids of received messages, by which those that come twice are known.
    func takeMemberMessages() throws {
        let rows = try tables.rows(
            "author_group_member_id, shared_msg_id, forwarded_by_group_member_id, created_at", from: "messages",
            "WHERE msg_sent = 0 AND author_group_member_id IS NOT NULL AND shared_msg_id IS NOT NULL"
        ) { row throws(StoreError) in
            (
                member: try row.foreignID(), id: try row.optionalSharedID(), forwarder: try row.optionalForeignID(),
                time: try row.foreignTime()
            )
        }
        for row in rows {
            guard let id = row.id, members[row.member] != nil else { continue }
            let forwarder = row.forwarder.flatMap { members[$0] == nil ? nil : $0 }
            try database.run(
                """
                INSERT OR IGNORE INTO member_messages (group_member_id, message_id, forwarded_by, received_at)
                VALUES (?, ?, ?, ?)
                """, row.member, id, forwarder, row.time)
        }
    }

    // MARK: - Probes

    func takeProbes() throws {
        try takeMemberMessages()
        let sent = try tables.rows(
            "sent_probe_id, contact_id, group_member_id, probe, user_id, created_at", from: "sent_probes"
        ) { row throws(StoreError) in
            (
                id: try row.foreignID(), contact: try row.optionalForeignID(), member: try row.optionalForeignID(),
                probe: try row.bytes(), profile: try row.foreignID(), time: try row.foreignTime()
            )
        }
        var probes: Set<Int64> = []
        for row in sent where profiles[row.profile] != nil && isKnown(row.contact, row.member) {
            try database.run(
                """
                INSERT INTO sent_probes (probe_id, profile_id, contact_id, group_member_id, probe, created_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """, row.id, row.profile, row.contact, row.member, row.probe, row.time)
            probes.insert(row.id)
        }
        let checks = try tables.rows("sent_probe_id, contact_id, group_member_id", from: "sent_probe_hashes") {
            row throws(StoreError) in
            (probe: try row.foreignID(), contact: try row.optionalForeignID(), member: try row.optionalForeignID())
        }
        for row in checks where probes.contains(row.probe) && isKnown(row.contact, row.member) {
            try database.run(
                "INSERT INTO sent_checks (probe_id, contact_id, group_member_id) VALUES (?, ?, ?)", row.probe,
                row.contact, row.member)
        }
        let received = try tables.rows(
            "contact_id, group_member_id, probe, probe_hash, user_id, created_at", from: "received_probes"
        ) { row throws(StoreError) in
            (
                contact: try row.optionalForeignID(), member: try row.optionalForeignID(),
                probe: try row.optionalForeignBytes(), hash: try row.bytes(), profile: try row.foreignID(),
                time: try row.foreignTime()
            )
        }
        for row in received where profiles[row.profile] != nil && isKnown(row.contact, row.member) {
            try database.run(
                """
                INSERT INTO received_probes (profile_id, contact_id, group_member_id, hash, probe, received_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """, row.profile, row.contact, row.member, row.hash, row.probe, row.time)
        }
    }

    private func isKnown(_ contact: Int64?, _ member: Int64?) -> Bool {
        if let contact { return contacts.contains(contact) && member == nil }
        return member.map { members[$0] != nil } ?? false
    }
}

/// A group as the official database has it.
private struct OfficialGroupRow {
    let id: Int64
    let profile: Int64
    let name: String
    let groupProfile: Int64?
    let invitation: String?
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let notifications: Group.Notifications
    let chat: OfficialChatImport.ChatRow
    let sendsReceipts: Bool?
    let profileSentAt: Timestamp?
    let business: BusinessChatInfo?
    let alias: String
    let prepared: PreparedGroup?
    /// True for a channel.
    let usesRelays: Bool
    /// True for a channel that the user serves as a relay.
    let isServed: Bool
    let isNameVerified: Bool
}

/// A member as the official database has it.
private struct OfficialMemberRow {
    let id: Int64
    let group: Int64
    let memberID: Bytes
    let role: String
    let category: GroupMember.Category
    let status: GroupMember.Status
    let invitedBy: Int64?
    let profile: Int64
    let name: String
    let contactProfile: Int64
    let contact: Int64?
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let memberProfile: Int64?
    let showsMessages: Bool
    let inviter: Int64?
    let versions: String
    let isBlocked: Bool
    let supportAt: Timestamp?
    let supportUnread: Int
    let supportAttention: Int
    let supportMentions: Int
    let supportMemberAt: Timestamp?
    let publicKey: Bytes?
    let relayLink: String?
}

extension Row {
    fileprivate mutating func officialGroup() throws(StoreError) -> OfficialGroupRow {
        let id = try foreignID(), profile = try foreignID(), name = try foreignText()
        let groupProfile = try optionalForeignID(), invitation = try optionalForeignText()
        let createdAt = try foreignTime(), updatedAt = try foreignTime()
        let notifications: Group.Notifications =
            switch try optional({ row throws(StoreError) in try row.int64() }) {
            case 0: .none
            case 2: .mentions
            default: .all
            }
        let isUnread = try foreignBool(), activeAt = try optionalForeignTime() ?? updatedAt
        let isFavorite = try foreignBool()
        let sendsReceipts = try optional { row throws(StoreError) in try row.bool() }
        let profileSentAt = try optionalForeignTime()
        let customData = try optionalForeignText(), themes = try optionalForeignText()
        let businessID = try optionalSharedID(), side = try optionalForeignText(), customerID = try optionalSharedID()
        var business: BusinessChatInfo?
        if let side {
            guard let businessID = businessID.flatMap({ MemberID($0) }),
                let customerID = customerID.flatMap({ MemberID($0) }), let side = BusinessChatInfo.Side(rawValue: side)
            else { throw StoreError(.damaged) }
            business = BusinessChatInfo(side, businessID: businessID, customerID: customerID)
        }
        let retention = try optional { row throws(StoreError) in try row.int64(in: 0...Int64(Int32.max)) }
        let alias = try optionalForeignText() ?? ""
        let full = try optionalForeignText(), short = try optionalForeignText(), isStarted = try foreignBool()
        let welcomeID = try optionalSharedID().map { SharedMessageID($0) }
        let requestID = try optionalSharedID().map { SharedMessageID($0) }
        var prepared: PreparedGroup?
        if let full {
            prepared = PreparedGroup(
                link: LinkText(full: OfficialChatImport.link(full), short: short), isStarted: isStarted,
                welcomeID: welcomeID, requestID: requestID)
        }
        return OfficialGroupRow(
            id: id, profile: profile, name: name, groupProfile: groupProfile,
            invitation: invitation.map(OfficialChatImport.link), createdAt: createdAt, updatedAt: updatedAt,
            notifications: notifications,
            chat: OfficialChatImport.ChatRow(
                activeAt: activeAt, isFavorite: isFavorite, isUnread: isUnread, retention: retention,
                customData: customData, themes: themes),
            sendsReceipts: sendsReceipts, profileSentAt: profileSentAt, business: business, alias: alias,
            prepared: prepared, usesRelays: try foreignBool(), isServed: try optionalForeignText() != nil,
            isNameVerified: try optional { row throws(StoreError) in try row.bool() } ?? false)
    }

    fileprivate mutating func officialMember() throws(StoreError) -> OfficialMemberRow {
        let id = try foreignID(), group = try foreignID()
        guard let memberID = try optionalSharedID() else { throw StoreError(.damaged) }
        let role = try foreignText()
        let category: GroupMember.Category = try foreignWord()
        let status: GroupMember.Status = try foreignWord()
        let invitedBy = try optionalForeignID(), profile = try foreignID(), name = try foreignText()
        let contactProfile = try foreignID(), contact = try optionalForeignID()
        let createdAt = try foreignTime(), updatedAt = try foreignTime()
        let memberProfile = try optionalForeignID(), showsMessages = try foreignBool()
        let inviter = try optionalForeignID()
        let minimum = try int64(), maximum = try int64()
        let restriction = try optionalForeignText()
        let supportAt = try optionalForeignTime()
        let unread = try optional { row throws(StoreError) in try row.count() } ?? 0
        let attention = try optional { row throws(StoreError) in try row.count() } ?? 0
        let mentions = try optional { row throws(StoreError) in try row.count() } ?? 0
        return OfficialMemberRow(
            id: id, group: group, memberID: memberID, role: role, category: category, status: status,
            invitedBy: invitedBy, profile: profile, name: name, contactProfile: contactProfile, contact: contact,
            createdAt: createdAt, updatedAt: updatedAt, memberProfile: memberProfile, showsMessages: showsMessages,
            inviter: inviter, versions: try OfficialChatImport.versions(minimum, maximum),
            isBlocked: restriction == "blocked", supportAt: supportAt, supportUnread: unread,
            supportAttention: attention, supportMentions: mentions, supportMemberAt: try optionalForeignTime(),
            publicKey: try optionalForeignBytes(), relayLink: try optionalForeignText())
    }
}

extension Introduction.Status {
    /// Reads the word of the official programs.
    fileprivate init?(official word: String) {
        switch word {
        case "new", "sent", "rcv": self = .sent
        case "fwd": self = .forwarded
        case "re-con": self = .existingConnected
        case "to-con": self = .newcomerConnected
        case "con": self = .connected
        default: return nil
        }
    }
}
