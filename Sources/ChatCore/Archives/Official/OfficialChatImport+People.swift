import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension OfficialChatImport {
    /// The settings of a chat that contacts, groups and notes share.
    struct ChatRow {
        var activeAt: Timestamp
        var isFavorite: Bool
        var isUnread: Bool
        var isDeleted = false
        var retention: Int64?
        var customData: String?
        var themes: String?
    }

    func insertChat(_ column: String, _ id: Int64, _ profile: Int64, _ chat: ChatRow) throws {
        try database.run(
            """
            INSERT INTO chats (profile_id, \(column), active_at, is_favorite, is_unread, is_deleted, retention, custom_data,
                themes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, profile, id, chat.activeAt, chat.isFavorite, chat.isUnread, chat.isDeleted, chat.retention,
            chat.customData, chat.themes)
    }

    // MARK: - Contacts

    func takeContacts() throws {
        let rows = try tables.rows(
            """
            contact_id, contact_profile_id, user_id, local_display_name, created_at, updated_at, enable_ntfs, unread_chat,
            user_preferences, chat_ts, deleted, favorite, send_rcpts, contact_status, custom_data, ui_themes, chat_deleted,
            chat_item_ttl, conn_full_link_to_connect, conn_short_link_to_connect, welcome_shared_msg_id,
            request_shared_msg_id, contact_request_id, contact_group_member_id, contact_grp_inv_sent, grp_direct_inv_link,
            grp_direct_inv_from_group_id, grp_direct_inv_from_group_member_id, grp_direct_inv_started_connection
            """, from: "contacts", "WHERE is_user = 0 ORDER BY contact_id"
        ) { row throws(StoreError) in try row.officialContact() }
        for row in rows {
            guard profiles[row.profile] != nil, !row.isDeleted else { continue }
            // A contact that is not accepted yet is a request here.
            if try row.requestID != nil && !hasConnection(contact: row.id) { continue }
            try take(row)
        }
    }

    private func hasConnection(contact id: Int64) throws -> Bool {
        try tables.count("connections", where: "contact_id = \(id)") > 0
    }

    private func take(_ row: OfficialContactRow) throws {
        guard let profileID = row.contactProfile, let found = try profile(profileID) else { throw StoreError(.damaged) }
        let name = try takeName(row.name, in: row.profile)
        var prepared = row.prepared
        // The contacts that come with the apps are links to connect with.
        if prepared == nil, let link = found.profile.contactLink, let full = try? ConnectionRequest(text: link),
            try !hasConnection(contact: row.id), row.status == .active
        {
            prepared = PreparedContact(
                link: LinkText(full: full.description, short: nil), isInvitation: false, welcomeID: nil, requestID: nil)
        }
        try database.run(
            """
            INSERT INTO contacts (contact_id, profile_id, name, profile, status, created_at, updated_at, sends_receipts,
                is_muted, alias, preferences, prepared) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, row.id, row.profile, name, found.profile.json.line, row.status.rawValue, row.createdAt,
            row.updatedAt, row.sendsReceipts, row.notifications == 0, found.alias, row.preferences,
            prepared?.json.line)
        if row.notifications == 2 { note(.appSettings) }
        contacts.insert(row.id)
        try insertChat("contact_id", row.id, row.profile, row.chat)
    }

    /// Connects contacts with the groups that they come from, once the members are here.
    func takeMemberContacts() throws {
        let rows = try tables.rows(
            """
            contact_id, contact_group_member_id, contact_grp_inv_sent, grp_direct_inv_link, grp_direct_inv_from_group_id,
            grp_direct_inv_from_group_member_id, grp_direct_inv_started_connection
            """, from: "contacts", "WHERE is_user = 0"
        ) { row throws(StoreError) in
            (
                id: try row.foreignID(), ownMember: try row.optionalForeignID(), isSent: try row.foreignBool(),
                link: try row.optionalForeignText(), group: try row.optionalForeignID(),
                member: try row.optionalForeignID(), isStarted: try row.foreignBool()
            )
        }
        for row in rows where contacts.contains(row.id) {
            var invitation: MemberInvitation?
            if let link = row.link, let group = row.group, let member = row.member, members[member] == group {
                invitation = MemberInvitation(
                    groupID: GroupID(group), memberID: GroupMemberID(member), link: OfficialChatImport.link(link),
                    isOwn: false, isSent: row.isStarted)
            } else if let member = row.ownMember, let group = members[member] {
                let link = try tables.first(
                    "conn_req_inv", from: "connections", "WHERE contact_id = ? AND conn_req_inv IS NOT NULL", row.id
                ) { row throws(StoreError) in try row.foreignText() }
                guard let link else { continue }
                invitation = MemberInvitation(
                    groupID: GroupID(group), memberID: GroupMemberID(member), link: OfficialChatImport.link(link),
                    isOwn: true, isSent: row.isSent)
            }
            if let invitation { try store.setMemberInvitation(invitation, ContactID(row.id)) }
        }
    }

    // MARK: - Notes

    func takeNotes() throws {
        let rows = try tables.rows(
            "note_folder_id, user_id, created_at, updated_at, chat_ts, favorite, unread_chat", from: "note_folders",
            "ORDER BY note_folder_id"
        ) { row throws(StoreError) in
            let id = try row.foreignID(), profile = try row.foreignID(), createdAt = try row.foreignTime()
            let updatedAt = try row.foreignTime(), activeAt = try row.foreignTime()
            let isFavorite = try row.foreignBool()
            return (
                id: id, profile: profile, createdAt: createdAt, updatedAt: updatedAt,
                chat: ChatRow(activeAt: activeAt, isFavorite: isFavorite, isUnread: try row.foreignBool())
            )
        }
        // A contact and notes never have one number.
        var number =
            try tables.first("max(contact_id)", from: "contacts") { row throws(StoreError) in
                try row.optionalForeignID() ?? 0
            } ?? 0
        for row in rows where profiles[row.profile] != nil {
            let known = try database.first("SELECT 1 FROM note_folders WHERE profile_id = ?", row.profile) { _ in true }
            guard known == nil else { continue }
            number += 1
            try database.run(
                """
                INSERT INTO note_folders (note_folder_id, profile_id, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
                """, number, row.profile, try takeName("notes", in: row.profile), row.createdAt, row.updatedAt)
            try insertChat("note_folder_id", number, row.profile, row.chat)
            notes[row.id] = number
        }
        try database.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'contacts'", number)
        if database.changes == 0 {
            try database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('contacts', ?)", number)
        }
    }

    // MARK: - Requests

    func takeRequests() throws {
        let rows = try tables.rows(
            """
            contact_request_id, user_contact_link_id, agent_invitation_id, contact_profile_id, local_display_name,
            created_at, user_id, updated_at, xcontact_id, peer_chat_min_version, peer_chat_max_version, contact_id,
            business_group_id, welcome_shared_msg_id, request_shared_msg_id
            """, from: "contact_requests", "ORDER BY contact_request_id"
        ) { row throws(StoreError) in try row.officialRequest() }
        for row in rows where profiles[row.profile] != nil {
            if let group = row.businessGroup {
                let isAccepted = try tables.first(
                    "count(*)", from: "connections",
                    "WHERE group_member_id IN (SELECT group_member_id FROM group_members WHERE group_id = ?)", group
                ) { row throws(StoreError) in try row.count() > 0 }
                if isAccepted != true { note(.businessRequests) }
                continue
            }
            // An accepted request is a contact already.
            if let contact = row.contact, contacts.contains(contact) { continue }
            guard let number = row.contactProfile, let found = try profile(number) else { throw StoreError(.damaged) }
            guard let request = try agent.request(row.invitation) else {
                note(.requests)
                continue
            }
            let content = try row.messageID.flatMap { id in try requestMessage(id, row.contact) }
            let name = try takeName(row.name, in: row.profile)
            try database.run(
                """
                INSERT INTO requests (request_id, profile_id, name, profile, versions, link, request_key, knows_welcome,
                    welcome_id, message_id, message, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, row.id, row.profile, name, found.profile.json.line, row.versions, request.link.description,
                row.key, row.welcomeID != nil, row.welcomeID, content == nil ? nil : row.messageID,
                content?.json.line, row.createdAt, row.updatedAt)
        }
    }

    /// What the sender of a request said with it: an entry of the chat that the official program shows for it.
    private func requestMessage(_ id: Bytes, _ contact: Int64?) throws -> MessageContent? {
        guard let contact else { return nil }
        let text = try tables.first(
            "item_content", from: "chat_items", "WHERE contact_id = ? AND shared_msg_id = ? AND item_sent = 0", contact,
            id
        ) { row throws(StoreError) in try row.foreignText() }
        guard let text, case .message(let content)? = try? OfficialContent.content(text, .received) else { return nil }
        return content
    }

    // MARK: - Connections

    func takeConnections() throws {
        let rows = try tables.rows(
            """
            connection_id, agent_conn_id, conn_status, conn_type, user_contact_link_id, contact_id, group_member_id,
            created_at, user_id, updated_at, xcontact_id, via_user_contact_link, custom_user_profile_id, conn_req_inv,
            local_alias, security_code, security_code_verified_at, auth_err_counter, peer_chat_min_version,
            peer_chat_max_version, contact_conn_initiated, conn_chat_version, pq_support, pq_snd_enabled, pq_rcv_enabled,
            quota_err_counter, short_link_inv, via_contact_uri, via_short_link_contact
            """, from: "connections", "ORDER BY connection_id"
        ) { row throws(StoreError) in try row.officialConnection() }
        let addresses = Dictionary(
            rows.compactMap { row in row.contactLink.map { ($0, row.id) } }, uniquingKeysWith: { first, _ in first })
        let channelLinks = Set(
            try tables.rows(
                "user_contact_link_id, group_id", from: "user_contact_links", "WHERE group_id IS NOT NULL"
            ) { row throws(StoreError) in (link: try row.foreignID(), group: try row.foreignID()) }
            .filter { channels[$0.group] != nil }.map(\.link))
        for row in rows where profiles[row.profile] != nil {
            guard ["contact", "member", "user_contact"].contains(row.kind) else {
                note(.oldFiles)
                continue
            }
            // What belongs to a contact or a member that is gone is deleted at its relays.
            if let contact = row.contact, !contacts.contains(contact) { continue }
            if let member = row.member, members[member] == nil { continue }
            if row.kind == "member" && row.member == nil { continue }
            if row.status == .deleted && row.contact == nil && row.member == nil { continue }
            if let link = row.contactLink, channelLinks.contains(link) { continue }
            try take(row, address: row.viaLink.flatMap { addresses[$0] })
        }
        try takeMemberContacts()
    }

    private func take(_ row: OfficialConnectionRow, address: Int64?) throws {
        var incognito: Profile?
        if let number = row.incognito {
            guard let found = try profile(number) else { throw StoreError(.damaged) }
            incognito = found.profile
        }
        try database.run(
            """
            INSERT INTO connections (connection_id, profile_id, contact_id, status, is_initiated, link, short_link,
                chat_version, peer_versions, created_at, updated_at, pq_wanted, pq_sent, pq_received, is_address,
                request_key, auth_errors, quota_errors, incognito, address_id, alias, member_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, row.id, row.profile, row.contact, row.status.rawValue, row.isInitiated, row.link, row.shortLink,
            row.version, row.versions, row.createdAt, row.updatedAt, row.wantsPostQuantum, row.sendsPostQuantum,
            row.receivesPostQuantum, row.kind == "user_contact", row.requestKey, row.authErrors, row.quotaErrors,
            incognito?.json.line, address, row.alias, row.member)
        connections.insert(row.id)
        if let contact = row.contact, let code = row.code, let time = row.verifiedAt {
            try database.run(
                "UPDATE contacts SET verified_code = ?, verified_at = ? WHERE contact_id = ?", code, time, contact)
        }
        if row.member != nil, let code = row.code, row.verifiedAt != nil {
            try store.setVerifiedCode(code, of: ConnectionID(row.id))
        }
        guard row.status != .deleted else { return }
        targets[row.agentID] = OfficialAgentImport.Target(
            id: ConnectionID(row.id), profileID: ProfileID(row.profile),
            isReady: row.status != .accepted && row.status != .sendReady)
    }

    // MARK: - Addresses and group links

    func takeLinks() throws {
        let rows = try tables.rows(
            """
            user_contact_link_id, conn_req_contact, local_display_name, created_at, user_id, auto_accept,
            auto_reply_msg_content, group_id, auto_accept_incognito, group_link_id, group_link_member_role,
            business_address, short_link_contact
            """, from: "user_contact_links", "ORDER BY user_contact_link_id"
        ) { row throws(StoreError) in
            (
                id: try row.foreignID(), link: try row.foreignText(), name: try row.foreignText(),
                createdAt: try row.foreignTime(), profile: try row.foreignID(), accepts: try row.foreignBool(),
                welcome: try row.optionalForeignText(), group: try row.optionalForeignID(),
                isIncognito: try row.foreignBool(), linkID: try row.optionalSharedID(),
                role: try row.optionalForeignText(), isBusiness: try row.foreignBool(),
                shortLink: try row.optionalForeignText()
            )
        }
        for row in rows where profiles[row.profile] != nil {
            if let group = row.group, channels[group] != nil { continue }
            let connection = try tables.first(
                "connection_id", from: "connections", "WHERE user_contact_link_id = ? ORDER BY connection_id DESC",
                row.id
            ) { row throws(StoreError) in try row.foreignID() }
            guard let connection, connections.contains(connection) else {
                note(.addresses)
                continue
            }
            try database.run(
                "UPDATE connections SET link = ?, short_link = ? WHERE connection_id = ?",
                OfficialChatImport.link(row.link), row.shortLink, connection)
            if let group = row.group {
                guard let linkID = row.linkID, memberships[group] != nil else {
                    note(.addresses)
                    continue
                }
                try database.run(
                    """
                    INSERT OR IGNORE INTO group_links (group_id, connection_id, link_id, role, created_at)
                    VALUES (?, ?, ?, ?, ?)
                    """, group, connection, linkID, row.role ?? GroupRole.member.rawValue, row.createdAt)
                continue
            }
            guard row.name.isEmpty else {
                note(.addresses)
                continue
            }
            var welcome: MessageContent?
            if let text = row.welcome {
                guard let content = try? MessageContent(decoding: Bytes(text.utf8)) else { throw StoreError(.damaged) }
                welcome = content
            }
            try database.run(
                """
                INSERT INTO addresses (profile_id, connection_id, accepts, welcome, created_at, is_business)
                VALUES (?, ?, ?, ?, ?, ?)
                """, row.profile, connection, row.accepts, welcome?.json.line, row.createdAt, row.isBusiness)
            if row.isIncognito { note(.incognitoAddresses) }
        }
    }
}

/// A contact as the official database has it.
struct OfficialContactRow {
    let id: Int64
    let contactProfile: Int64?
    let profile: Int64
    let name: String
    let createdAt: Timestamp
    let updatedAt: Timestamp
    /// 0: none, 1: all, 2: of messages that mention the user.
    let notifications: Int64
    let preferences: String?
    let isDeleted: Bool
    let sendsReceipts: Bool?
    let status: Contact.Status
    let chat: OfficialChatImport.ChatRow
    let prepared: PreparedContact?
    let requestID: Int64?
}

/// A request as the official database has it.
struct OfficialRequestRow {
    let id: Int64
    let invitation: Bytes
    let contactProfile: Int64?
    let name: String
    let createdAt: Timestamp
    let profile: Int64
    let updatedAt: Timestamp
    let key: Bytes?
    let versions: String
    let contact: Int64?
    let businessGroup: Int64?
    let welcomeID: Bytes?
    let messageID: Bytes?
}

/// A connection as the official database has it.
struct OfficialConnectionRow {
    let id: Int64
    let agentID: Bytes
    let status: ContactConnection.Status
    let kind: String
    let contactLink: Int64?
    let contact: Int64?
    let member: Int64?
    let createdAt: Timestamp
    let profile: Int64
    let updatedAt: Timestamp
    let requestKey: Bytes?
    let viaLink: Int64?
    let incognito: Int64?
    let link: String?
    let alias: String
    let code: String?
    let verifiedAt: Timestamp?
    let authErrors: Int
    let versions: String
    let isInitiated: Bool
    let version: UInt16?
    let wantsPostQuantum: Bool
    let sendsPostQuantum: Bool
    let receivesPostQuantum: Bool
    let quotaErrors: Int
    let shortLink: String?
}

extension Row {
    fileprivate mutating func officialContact() throws(StoreError) -> OfficialContactRow {
        let id = try foreignID(), contactProfile = try optionalForeignID(), profile = try foreignID()
        let name = try foreignText(), createdAt = try foreignTime(), updatedAt = try foreignTime()
        let notifications = try optional { row throws(StoreError) in try row.int64() } ?? 1
        let isUnread = try foreignBool()
        let preferences = try optional { row throws(StoreError) in try row.foreignJSON() }
        let activeAt = try optionalForeignTime() ?? updatedAt
        let isDeleted = try foreignBool(), isFavorite = try foreignBool()
        let sendsReceipts = try optional { row throws(StoreError) in try row.bool() }
        let status: Contact.Status = try foreignWord()
        let customData = try optionalForeignText(), themes = try optionalForeignText()
        let isHidden = try foreignBool()
        let retention = try optional { row throws(StoreError) in try row.int64(in: 0...Int64(Int32.max)) }
        let full = try optionalForeignText(), short = try optionalForeignText()
        let welcomeID = try optionalSharedID().map { SharedMessageID($0) }
        let requestMessageID = try optionalSharedID().map { SharedMessageID($0) }
        var prepared: PreparedContact?
        if let full {
            guard let request = try? ConnectionRequest(text: full) else { throw StoreError(.damaged) }
            let isInvitation = if case .invitation = request { true } else { false }
            prepared = PreparedContact(
                link: LinkText(full: request.description, short: short), isInvitation: isInvitation,
                welcomeID: welcomeID, requestID: requestMessageID)
        }
        let object = preferences?.object ?? [:]
        return OfficialContactRow(
            id: id, contactProfile: contactProfile, profile: profile, name: name, createdAt: createdAt,
            updatedAt: updatedAt, notifications: notifications, preferences: object.isEmpty ? nil : object.line,
            isDeleted: isDeleted, sendsReceipts: sendsReceipts, status: status,
            chat: OfficialChatImport.ChatRow(
                activeAt: activeAt, isFavorite: isFavorite, isUnread: isUnread, isDeleted: isHidden,
                retention: retention, customData: customData, themes: themes),
            prepared: prepared, requestID: try optionalForeignID())
    }

    fileprivate mutating func officialRequest() throws(StoreError) -> OfficialRequestRow {
        let id = try foreignID()
        skip(1)
        let invitation = try bytes(), contactProfile = try optionalForeignID(), name = try foreignText()
        let createdAt = try foreignTime(), profile = try foreignID(), updatedAt = try foreignTime()
        let key = try optionalSharedID()
        let minimum = try int64(), maximum = try int64()
        let contact = try optionalForeignID(), businessGroup = try optionalForeignID()
        let welcomeID = try optionalSharedID()
        return OfficialRequestRow(
            id: id, invitation: invitation, contactProfile: contactProfile, name: name, createdAt: createdAt,
            profile: profile, updatedAt: updatedAt, key: key,
            versions: try OfficialChatImport.versions(minimum, maximum), contact: contact,
            businessGroup: businessGroup, welcomeID: welcomeID, messageID: try optionalSharedID())
    }

    fileprivate mutating func officialConnection() throws(StoreError) -> OfficialConnectionRow {
        let id = try foreignID(), agentID = try bytes()
        let status: ContactConnection.Status = try foreignWord()
        let kind = try foreignText()
        let contactLink = try optionalForeignID(), contact = try optionalForeignID(), member = try optionalForeignID()
        let createdAt = try foreignTime(), profile = try foreignID(), updatedAt = try foreignTime()
        let requestKey = try optionalSharedID(), viaLink = try optionalForeignID(), incognito = try optionalForeignID()
        let ownLink = try optionalForeignText(), alias = try optionalForeignText() ?? ""
        let code = try optionalForeignText(), verifiedAt = try optionalForeignTime()
        let authErrors = try count()
        let minimum = try int64(), maximum = try int64()
        let isInitiator = try foreignBool()
        let version = try optional { row throws(StoreError) in try row.uint16() }
        let wants = try foreignBool(), sends = try foreignBool(), receives = try foreignBool()
        let quotaErrors = try count()
        let ownShortLink = try optionalForeignText(), usedLink = try optionalForeignText()
        let usedShortLink = try optionalForeignText()
        return OfficialConnectionRow(
            id: id, agentID: agentID, status: status, kind: kind, contactLink: contactLink, contact: contact,
            member: member, createdAt: createdAt, profile: profile, updatedAt: updatedAt, requestKey: requestKey,
            viaLink: viaLink, incognito: incognito, link: (ownLink ?? usedLink).map(OfficialChatImport.link),
            alias: alias, code: code, verifiedAt: verifiedAt, authErrors: authErrors,
            versions: try OfficialChatImport.versions(minimum, maximum), isInitiated: isInitiator || ownLink != nil,
            version: version, wantsPostQuantum: wants, sendsPostQuantum: sends, receivesPostQuantum: receives,
            quotaErrors: quotaErrors, shortLink: ownShortLink ?? usedShortLink)
    }
}
