import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Store

extension OfficialChatExport {
    /// The settings of a chat, which contacts, groups and notes have there.
    struct ChatRow {
        let activeAt: Timestamp
        let isFavorite: Bool
        let isUnread: Bool
        let isDeleted: Bool
        let retention: Int64?
        let customData: String?
        let themes: String?
    }

    /// The columns of ``ChatRow``.
    static let chatColumns =
        "chats.active_at, chats.is_favorite, chats.is_unread, chats.is_deleted, chats.retention, chats.custom_data, chats.themes"

    // MARK: - Contacts

    func writeContacts() throws {
        let rows = try database.rows(
            """
            SELECT contacts.contact_id, contacts.profile_id, contacts.name, contacts.profile, contacts.status,
                contacts.created_at, contacts.updated_at, contacts.sends_receipts, contacts.is_muted, contacts.alias,
                contacts.preferences, contacts.prepared, \(OfficialChatExport.chatColumns)
            FROM contacts JOIN chats ON chats.contact_id = contacts.contact_id ORDER BY contacts.contact_id
            """
        ) { row throws(StoreError) in try row.contactToExport() }
        for row in rows {
            let profile = StoredProfile(text: row.profileText).profile
            let name = try takeName(row.name, of: profile.displayName, in: row.profile, at: row.createdAt)
            let number = try writeProfile(profile, of: row.profile, alias: row.alias, at: row.createdAt)
            contactProfiles[row.id] = number
            contactNames[row.id] = name
            // One key for a request that the contact made through an address.
            let requestKey = try database.first(
                """
                SELECT request_key FROM connections WHERE contact_id = ? AND address_id IS NOT NULL
                    AND request_key IS NOT NULL ORDER BY connection_id DESC LIMIT 1
                """, row.id
            ) { row throws(StoreError) in try row.bytes() }
            // A contact that comes with the apps has its link in the profile alone.
            let isCard = row.prepared.map { $0.isCard(of: profile) } ?? false
            let prepared = isCard ? nil : row.prepared
            if let prepared, prepared.isInvitation, let link = prepared.link.short.flatMap({ try? ShortLink(text: $0) })
            {
                try agent.addOpenedLink(
                    link, leadingTo: try? ConnectionRequest(text: prepared.link.full), of: ProfileID(row.profile))
            }
            try official.insert(
                into: "contacts",
                [
                    "contact_id": row.id, "contact_profile_id": number, "user_id": row.profile,
                    "local_display_name": name, "is_user": false, "created_at": text(row.createdAt),
                    "updated_at": text(row.updatedAt), "xcontact_id": requestKey, "enable_ntfs": row.isMuted ? 0 : 1,
                    "unread_chat": row.chat.isUnread, "contact_used": true,
                    "user_preferences": OfficialContent.preferences(row.preferences) ?? "{}",
                    "chat_ts": text(row.chat.activeAt), "favorite": row.chat.isFavorite,
                    "send_rcpts": row.sendsReceipts,
                    "contact_status": row.status, "custom_data": row.chat.customData.map(blob),
                    "ui_themes": row.chat.themes, "chat_deleted": row.chat.isDeleted,
                    "chat_item_ttl": row.chat.retention,
                    "conn_full_link_to_connect": prepared.map { blob($0.link.full) },
                    "conn_short_link_to_connect": prepared?.link.short.map(blob),
                    "welcome_shared_msg_id": prepared?.welcomeID?.bytes,
                    "request_shared_msg_id": prepared?.requestID?.bytes,
                ])
        }
    }

    // MARK: - Notes

    func writeNotes() throws {
        let rows = try database.rows(
            """
            SELECT note_folders.note_folder_id, note_folders.profile_id, note_folders.created_at, note_folders.updated_at,
                \(OfficialChatExport.chatColumns)
            FROM note_folders JOIN chats ON chats.note_folder_id = note_folders.note_folder_id
            """
        ) { row throws(StoreError) in
            (
                id: try row.int64(), profile: try row.int64(), createdAt: try row.timestamp(),
                updatedAt: try row.timestamp(), chat: try row.chatToExport()
            )
        }
        for row in rows {
            try official.insert(
                into: "note_folders",
                [
                    "note_folder_id": row.id, "user_id": row.profile, "created_at": text(row.createdAt),
                    "updated_at": text(row.updatedAt), "chat_ts": text(row.chat.activeAt),
                    "favorite": row.chat.isFavorite, "unread_chat": row.chat.isUnread,
                ])
        }
        // Every profile has notes there.
        for (profile, _) in owners.sorted(by: { $0.key < $1.key })
        where !rows.contains(where: { $0.profile == profile }) {
            try official.insert(
                into: "note_folders",
                [
                    "user_id": profile, "created_at": text(now), "updated_at": text(now), "chat_ts": text(now),
                ])
        }
    }

    // MARK: - Requests

    func writeRequests() throws {
        let rows = try database.rows(
            """
            SELECT request_id, requests.profile_id, name, profile, versions, link, request_key, welcome_id, message_id,
                message, is_accepted OR requests.connection_id IS NOT NULL, requests.created_at, requests.updated_at,
                addresses.connection_id
            FROM requests LEFT JOIN addresses ON addresses.profile_id = requests.profile_id ORDER BY request_id
            """
        ) { row throws(StoreError) in
            (
                id: try row.int64(), profile: try row.int64(), name: try row.text(), content: try row.profile(),
                versions: try row.text(), link: try row.text(), key: try row.optionalBytes(),
                welcomeID: try row.optionalBytes(), messageID: try row.optionalBytes(), message: try row.optionalText(),
                isAccepted: try row.bool(), createdAt: try row.timestamp(), updatedAt: try row.timestamp(),
                address: try row.optionalInteger()
            )
        }
        for row in rows {
            // The contact of a request that is being accepted is there already.
            guard !row.isAccepted else { continue }
            guard let address = row.address, let contactLink = contactLinks[address],
                let link = try? ConnectionRequest(text: row.link), case .invitation = link,
                let range = try? VersionRange(text: row.versions)
            else {
                note(.requests)
                continue
            }
            let invitation = try agent.addRequest(
                OfficialAgent.Request(
                    link: link, information: try information(of: row.key, row.content, row.versions)),
                at: ConnectionID(address))
            let name = try takeName(row.name, of: row.content.displayName, in: row.profile, at: row.createdAt)
            let number = try writeProfile(row.content, of: row.profile, at: row.createdAt)
            let contact = nextContact
            nextContact += 1
            try official.insert(
                into: "contact_requests",
                [
                    "contact_request_id": row.id, "user_contact_link_id": contactLink,
                    "agent_invitation_id": invitation, "contact_profile_id": number, "local_display_name": name,
                    "created_at": text(row.createdAt), "user_id": row.profile, "updated_at": text(row.updatedAt),
                    "xcontact_id": row.key, "peer_chat_min_version": range.min, "peer_chat_max_version": range.max,
                    "pq_support": true, "contact_id": contact, "welcome_shared_msg_id": row.welcomeID,
                    "request_shared_msg_id": row.messageID,
                ])
            try official.insert(
                into: "contacts",
                [
                    "contact_id": contact, "contact_profile_id": number, "user_id": row.profile,
                    "local_display_name": name, "created_at": text(row.createdAt), "updated_at": text(row.updatedAt),
                    "chat_ts": text(row.updatedAt), "contact_used": true, "contact_request_id": row.id,
                    "request_shared_msg_id": row.messageID,
                ])
            guard let message = row.message, let content = try? MessageContent(decoding: Bytes(message.utf8)) else {
                continue
            }
            let item = nextItem
            nextItem += 1
            try official.insert(
                into: "chat_items",
                [
                    "chat_item_id": item, "user_id": row.profile, "contact_id": contact, "item_sent": false,
                    "item_ts": text(row.createdAt),
                    "item_content": OfficialContent.text(.message(content), .received)?.text, "item_text": content.text,
                    "created_at": text(row.createdAt), "updated_at": text(row.createdAt), "item_status": "rcv_new",
                    "shared_msg_id": row.messageID, "item_content_tag": "rcvMsgContent",
                    "msg_content_tag": OfficialContent.tag(of: content),
                ])
        }
    }

    /// The message of a request, as the sender wrote it.
    private func information(of key: Bytes?, _ profile: Profile, _ versions: String) throws -> Bytes {
        var parameters: JSONObject = ["profile": profile.json]
        if let key, !key.isEmpty, key.count <= UInt8.max { parameters["contactReqId"] = SharedMessageID(key).json }
        return JSONValue.object([
            "v": .string(versions), "event": "x.contact", "params": .object(parameters),
        ]).encoded
    }

    // MARK: - Connections

    func writeConnections() throws {
        let rows = try database.rows(
            """
            SELECT connection_id, profile_id, contact_id, member_id, status, is_address, wished_name, link, short_link,
                chat_version, peer_versions, created_at, updated_at, pq_wanted, pq_sent, pq_received, request_key,
                auth_errors, quota_errors, incognito, address_id, alias
            FROM connections ORDER BY connection_id
            """
        ) { row throws(StoreError) in try row.connectionToExport() }
        let prepared = Set(
            try database.rows("SELECT contact_id FROM contacts WHERE prepared IS NOT NULL") { row throws(StoreError) in
                try row.int64()
            })
        // Since version 6.5 a contact or a member has one connection.
        var newest: [Int64: Int64] = [:], newestOfMember: [Int64: Int64] = [:]
        for row in rows {
            if let contact = row.contact { newest[contact] = row.id }
            if let member = row.member { newestOfMember[member] = row.id }
        }
        for row in rows {
            if version != .version6 {
                if let contact = row.contact, newest[contact] != row.id { continue }
                if let member = row.member, newestOfMember[member] != row.id { continue }
            }
            var status = row.status
            var agentID = status == .deleted ? nil : agent.connectionID(ConnectionID(row.id))
            if status == .failed || agentID == nil && status != .deleted {
                // The number of connections that the agent does not have is in its own list.
                if status == .failed { note(.failedConnections) }
                agentID = nil
                status = .deleted
            }
            if agentID == nil {
                // A prepared contact can be connected again. A connection without a contact shows nothing.
                if row.contact == nil && row.member == nil { continue }
                if let contact = row.contact, prepared.contains(contact) { continue }
            }
            guard !row.isAddress || contactLinks[row.id] != nil else {
                note(.addresses)
                continue
            }
            try write(row, status, agentID ?? randomID())
        }
        let muted = try database.rows(
            "SELECT connection_id FROM connections JOIN contacts USING (contact_id) WHERE is_muted = 1"
        ) { row throws(StoreError) in try row.int64() }
        for id in muted { try agent.disableNotifications(of: ConnectionID(id)) }
    }

    private func write(_ row: ConnectionToExport, _ status: ContactConnection.Status, _ agentID: Bytes) throws {
        let kind = row.isAddress ? "user_contact" : row.member == nil ? "contact" : "member"
        let link = row.link.flatMap { try? ConnectionRequest(text: $0) }
        var invitation: Bytes?, address: Bytes?
        if !row.isAddress {
            switch link {
            case .invitation?: invitation = row.link.map(blob)
            case .contact?: address = row.link.map(blob)
            case nil: break
            }
        }
        let member = row.member.flatMap { members[$0] }
        let isReady = status == .ready
        let range = row.versions.flatMap { try? VersionRange(text: $0) }
        var code: (text: String, time: Timestamp)?
        if let contact = row.contact {
            code =
                try database.first(
                    "SELECT verified_code, verified_at FROM contacts WHERE contact_id = ?", contact
                ) { row throws(StoreError) in (try row.optionalText(), try row.optionalTime()) }
                .flatMap { text, time in text.flatMap { text in time.map { (text, $0) } } }
        } else if row.member != nil {
            // When the code of a member was compared is not stored.
            code = try store.verifiedCode(of: ConnectionID(row.id)).map { ($0, row.updatedAt) }
        }
        let groupLink = try member.flatMap { member in
            try address.flatMap { _ in
                try database.first("SELECT link_id FROM groups WHERE group_id = ?", member.group) {
                    row throws(StoreError) in try row.optionalBytes()
                } ?? nil
            }
        }
        let viaLink = row.address.flatMap { contactLinks[$0] }
        let viaGroup = try row.address.map { id in
            try database.first("SELECT 1 FROM group_links WHERE connection_id = ?", id) { _ throws(StoreError) in true }
                ?? false
        }
        let isOwnOffer = !isReady && !row.isAddress && (status == .new || address != nil)
        try official.insert(
            into: "connections",
            [
                "connection_id": row.id, "agent_conn_id": agentID, "conn_level": 0, "conn_status": status.rawValue,
                "conn_type": kind, "user_contact_link_id": row.isAddress ? contactLinks[row.id] : nil,
                "contact_id": row.contact, "group_member_id": row.member, "created_at": text(row.createdAt),
                "user_id": row.profile, "updated_at": text(row.updatedAt),
                "via_contact_uri_hash": address.map { SHA256.hash($0) },
                "xcontact_id": address == nil ? nil : row.requestKey, "via_user_contact_link": viaLink,
                "custom_user_profile_id": try row.incognito.map {
                    try incognitoProfile($0, of: row.profile, at: row.createdAt)
                },
                "conn_req_inv": invitation, "local_alias": row.alias.isEmpty ? row.requestedName ?? "" : row.alias,
                "via_group_link": viaGroup == true || member != nil && address != nil, "group_link_id": groupLink,
                "security_code": code?.text, "security_code_verified_at": text(code?.time),
                "auth_err_counter": row.authErrors, "peer_chat_min_version": range?.min ?? 1,
                "peer_chat_max_version": range?.max ?? 1, "contact_conn_initiated": isOwnOffer,
                "conn_chat_version": row.version, "pq_support": row.wantsPostQuantum,
                "pq_encryption": row.wantsPostQuantum,
                "pq_snd_enabled": isReady && row.contact != nil ? row.sendsPostQuantum : nil,
                "pq_rcv_enabled": isReady && row.contact != nil ? row.receivesPostQuantum : nil,
                "quota_err_counter": row.quotaErrors,
                "short_link_inv": invitation == nil ? nil : row.shortLink.map(blob),
                "via_short_link_contact": address == nil ? nil : row.shortLink.map(blob), "via_contact_uri": address,
            ])
        connections.insert(row.id)
        if let contact = row.contact { contactConnections[contact] = row.id }
        if let member = row.member { memberConnections[member] = row.id }
    }

    /// Connects contacts and groups with the members and connections that they came through.
    func linkConnections() throws {
        let invitations = try database.rows(
            "SELECT contact_id, member_invitation FROM contacts WHERE member_invitation IS NOT NULL"
        ) { row throws(StoreError) in (contact: try row.int64(), text: try row.text()) }
        for row in invitations {
            guard let invitation = try? MemberInvitation(decoding: Bytes(row.text.utf8)),
                members[invitation.memberID.number] != nil
            else { continue }
            let member = invitation.memberID.number
            if invitation.isOwn {
                try official.run(
                    "UPDATE contacts SET contact_group_member_id = ?, contact_grp_inv_sent = ? WHERE contact_id = ?",
                    member, invitation.isSent, row.contact)
                try official.run(
                    "UPDATE connections SET conn_req_inv = ? WHERE connection_id = ?", blob(invitation.link),
                    contactConnections[row.contact])
            } else {
                try official.run(
                    """
                    UPDATE contacts SET grp_direct_inv_link = ?, grp_direct_inv_from_group_id = ?,
                        grp_direct_inv_from_group_member_id = ?, grp_direct_inv_from_member_conn_id = ?,
                        grp_direct_inv_started_connection = ?
                    WHERE contact_id = ?
                    """, blob(invitation.link), invitation.groupID.number, member, memberConnections[member],
                    invitation.isSent, row.contact)
            }
        }
        // A group that was joined through a link knows that link.
        try official.run(
            """
            UPDATE groups SET (via_group_link_uri, via_group_link_uri_hash) = (
                SELECT via_contact_uri, via_contact_uri_hash FROM connections JOIN group_members USING (group_member_id)
                WHERE group_members.group_id = groups.group_id AND via_contact_uri IS NOT NULL
                ORDER BY connection_id DESC LIMIT 1)
            """)
        // Members that joined through the own link, and customers of a business, are known by the key of their request.
        try official.run("UPDATE group_members SET xgrplinkmem_received = 1 WHERE member_category = 'host'")
        let keys = try database.rows(
            """
            SELECT member_id, request_key FROM connections
            WHERE member_id IS NOT NULL AND address_id IS NOT NULL AND request_key IS NOT NULL
            """
        ) { row throws(StoreError) in (member: try row.int64(), key: try row.bytes()) }
        for row in keys {
            try official.run(
                "UPDATE group_members SET member_xcontact_id = ? WHERE group_member_id = ?", row.key, row.member)
            try official.run(
                "UPDATE groups SET business_xcontact_id = ? WHERE group_id = ? AND business_chat IS NOT NULL", row.key,
                members[row.member]?.group)
        }
    }

    // MARK: - Addresses and group links

    func writeLinks() throws {
        let addresses = try database.rows(
            """
            SELECT connections.connection_id, link, short_link, addresses.profile_id, accepts, welcome,
                addresses.created_at, is_business
            FROM addresses JOIN connections USING (connection_id) ORDER BY addresses.profile_id
            """
        ) { row throws(StoreError) in
            (
                connection: try row.int64(), link: try row.optionalText(), shortLink: try row.optionalText(),
                profile: try row.int64(), accepts: try row.bool(), welcome: try row.optionalText(),
                createdAt: try row.timestamp(), isBusiness: try row.bool()
            )
        }
        for row in addresses {
            guard let link = row.link, agent.connectionID(ConnectionID(row.connection)) != nil else {
                note(.addresses)
                continue
            }
            let number = Int64(contactLinks.count + 1)
            contactLinks[row.connection] = number
            try official.insert(
                into: "user_contact_links",
                [
                    "user_contact_link_id": number, "conn_req_contact": blob(link), "local_display_name": "",
                    "created_at": text(row.createdAt), "user_id": row.profile, "updated_at": text(row.createdAt),
                    "auto_accept": row.accepts, "auto_reply_msg_content": row.welcome,
                    "business_address": row.isBusiness, "short_link_contact": row.shortLink.map(blob),
                    "short_link_data_set": row.shortLink != nil, "short_link_large_data_set": row.shortLink != nil,
                ])
        }
        let links = try database.rows(
            """
            SELECT connections.connection_id, link, short_link, groups.profile_id, groups.group_id, groups.name,
                group_links.link_id, role, group_links.created_at
            FROM group_links JOIN connections USING (connection_id) JOIN groups USING (group_id) ORDER BY groups.group_id
            """
        ) { row throws(StoreError) in
            (
                connection: try row.int64(), link: try row.optionalText(), shortLink: try row.optionalText(),
                profile: try row.int64(), group: try row.int64(), name: try row.text(), id: try row.bytes(),
                role: try row.text(), createdAt: try row.timestamp()
            )
        }
        for row in links {
            guard let link = row.link, agent.connectionID(ConnectionID(row.connection)) != nil else {
                note(.addresses)
                continue
            }
            let number = Int64(contactLinks.count + 1)
            contactLinks[row.connection] = number
            let suffix = String(decoding: randomID(), as: UTF8.self)
            try official.insert(
                into: "user_contact_links",
                [
                    "user_contact_link_id": number, "conn_req_contact": blob(link),
                    "local_display_name": "group_link_\(row.name)_\(suffix)", "created_at": text(row.createdAt),
                    "user_id": row.profile, "updated_at": text(row.createdAt), "auto_accept": true,
                    "group_id": row.group, "group_link_id": row.id,
                    "group_link_member_role": OfficialContent.role(row.role).map(word),
                    "short_link_contact": row.shortLink.map(blob),
                    "short_link_data_set": row.shortLink != nil, "short_link_large_data_set": row.shortLink != nil,
                ])
        }
    }
}

extension PreparedContact {
    /// True if nothing was prepared but the address that is in the profile.
    fileprivate func isCard(of profile: Profile) -> Bool {
        guard welcomeID == nil, requestID == nil, link.short == nil, let address = profile.contactLink else {
            return false
        }
        return OfficialChatImport.link(address) == link.full
    }
}

/// A contact of this program, on its way out.
private struct ContactToExport {
    let id: Int64
    let profile: Int64
    let name: String
    let profileText: String
    let status: String
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let sendsReceipts: Bool?
    let isMuted: Bool
    let alias: String
    let preferences: JSONValue?
    let prepared: PreparedContact?
    let chat: OfficialChatExport.ChatRow
}

/// A connection of this program, on its way out.
private struct ConnectionToExport {
    let id: Int64
    let profile: Int64
    let contact: Int64?
    let member: Int64?
    let status: ContactConnection.Status
    let isAddress: Bool
    let requestedName: String?
    let link: String?
    let shortLink: String?
    let version: Int64?
    let versions: String?
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let wantsPostQuantum: Bool
    let sendsPostQuantum: Bool
    let receivesPostQuantum: Bool
    let requestKey: Bytes?
    let authErrors: Int64
    let quotaErrors: Int64
    let incognito: String?
    let address: Int64?
    let alias: String
}

extension Row {
    /// Reads the columns of ``OfficialChatExport/chatColumns``.
    mutating func chatToExport() throws(StoreError) -> OfficialChatExport.ChatRow {
        OfficialChatExport.ChatRow(
            activeAt: try timestamp(), isFavorite: try bool(), isUnread: try bool(), isDeleted: try bool(),
            retention: try optionalInteger(), customData: try optionalText(), themes: try optionalText())
    }

    fileprivate mutating func contactToExport() throws(StoreError) -> ContactToExport {
        let id = try int64(), profile = try int64(), name = try text(), profileText = try text()
        let status = try text(), createdAt = try timestamp(), updatedAt = try timestamp()
        let sendsReceipts = try optionalBool(), isMuted = try bool(), alias = try text()
        let preferences = try optionalText().flatMap { try? JSONValue(decoding: Bytes($0.utf8)) }
        let prepared = try optionalText().flatMap { try? PreparedContact(decoding: Bytes($0.utf8)) }
        return ContactToExport(
            id: id, profile: profile, name: name, profileText: profileText, status: status, createdAt: createdAt,
            updatedAt: updatedAt, sendsReceipts: sendsReceipts, isMuted: isMuted, alias: alias,
            preferences: preferences, prepared: prepared, chat: try chatToExport())
    }

    fileprivate mutating func connectionToExport() throws(StoreError) -> ConnectionToExport {
        let id = try int64(), profile = try int64(), contact = try optionalInteger(), member = try optionalInteger()
        guard let status = ContactConnection.Status(rawValue: try text()) else { throw StoreError(.damaged) }
        return ConnectionToExport(
            id: id, profile: profile, contact: contact, member: member, status: status, isAddress: try bool(),
            requestedName: try optionalText(), link: try optionalText(), shortLink: try optionalText(),
            version: try optionalInteger(), versions: try optionalText(), createdAt: try timestamp(),
            updatedAt: try timestamp(), wantsPostQuantum: try bool(), sendsPostQuantum: try bool(),
            receivesPostQuantum: try bool(), requestKey: try optionalBytes(), authErrors: try int64(),
            quotaErrors: try int64(), incognito: try optionalText(), address: try optionalInteger(),
            alias: try text())
    }
}
