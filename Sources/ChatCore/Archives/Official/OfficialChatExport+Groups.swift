import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension OfficialChatExport {
    // MARK: - Groups

    func writeGroups() throws {
        let rows = try database.rows(
            """
            SELECT groups.group_id, groups.profile_id, groups.name, groups.created_at, groups.updated_at, groups.profile,
                groups.alias, groups.business, groups.prepared, groups.notifications, groups.sends_receipts,
                groups.profile_sent_at, groups.invitation,
                (SELECT count(*) FROM group_members WHERE group_members.group_id = groups.group_id
                    AND category <> 'user' AND (status = 'pending_review' OR support_attention > 0)),
                \(OfficialChatExport.chatColumns)
            FROM groups JOIN chats ON chats.group_id = groups.group_id ORDER BY groups.group_id
            """
        ) { row throws(StoreError) in try row.groupToExport() }
        for row in rows {
            let profile = row.content
            let name = try takeName(row.name, of: profile.displayName, in: row.profile, at: row.createdAt)
            try official.insert(
                into: "group_profiles",
                [
                    "group_profile_id": row.id, "display_name": profile.displayName, "full_name": profile.fullName,
                    "created_at": text(row.createdAt), "updated_at": text(row.updatedAt), "image": profile.image,
                    "user_id": row.profile, "preferences": OfficialContent.groupPreferences(profile.preferences?.json),
                    "description": profile.welcome,
                    "member_admission": profile.admission.map { admission in
                        admission.requiresReview ? #"{"review":"all"}"# : "{}"
                    }, "short_descr": profile.shortDescription,
                ])
            try official.insert(
                into: "groups",
                [
                    "group_id": row.id, "user_id": row.profile, "local_display_name": name, "group_profile_id": row.id,
                    "inv_queue_info": row.invitation.map(blob), "created_at": text(row.createdAt),
                    "updated_at": text(row.updatedAt), "enable_ntfs": row.notifications.officialNumber,
                    "unread_chat": row.chat.isUnread, "chat_ts": text(row.chat.activeAt),
                    "favorite": row.chat.isFavorite, "send_rcpts": row.sendsReceipts,
                    "user_member_profile_sent_at": text(row.profileSentAt),
                    "custom_data": row.chat.customData.map(blob), "ui_themes": row.chat.themes,
                    "business_member_id": row.business?.businessID.bytes, "business_chat": row.business?.side.rawValue,
                    "customer_member_id": row.business?.customerID.bytes, "chat_item_ttl": row.chat.retention,
                    "local_alias": row.alias, "members_require_attention": row.attention,
                    "conn_full_link_to_connect": row.prepared.map { blob($0.link.full) },
                    "conn_short_link_to_connect": row.prepared?.link.short.map(blob),
                    "conn_link_started_connection": row.prepared?.isStarted ?? false,
                    "welcome_shared_msg_id": row.prepared?.welcomeID?.bytes,
                    "request_shared_msg_id": row.prepared?.requestID?.bytes,
                    "conn_link_prepared_connection": row.prepared?.isStarted ?? false,
                ])
        }
    }

    // MARK: - Members

    func writeMembers() throws {
        let rows = try database.rows(
            """
            SELECT group_member_id, group_members.group_id, groups.profile_id, member_id, role, category, status,
                group_members.name, group_members.profile, contact_id, invited_by, is_invited_by_user, shows_messages,
                is_blocked, versions, is_incognito, support_active_at, support_unread, support_attention,
                support_mentions, support_member_at, group_members.created_at, group_members.updated_at,
                (SELECT link FROM connections WHERE connections.member_id = group_members.group_member_id
                    ORDER BY connection_id DESC LIMIT 1)
            FROM group_members JOIN groups USING (group_id) ORDER BY group_member_id
            """
        ) { row throws(StoreError) in try row.memberToExport() }
        for row in rows {
            guard let owner = owners[row.profile] else { throw StoreError(.damaged) }
            let isUser = row.category == .user
            var name = owner.name, profile = owner.profileID, made: Int64?
            if isUser {
                if row.isIncognito {
                    made = try incognitoProfile(row.profileText, of: row.profile, at: row.createdAt)
                    name = try takeFreeName(row.name, in: row.profile, at: row.createdAt)
                }
                memberships[row.group] = row.id
            } else if let contact = row.contact, let known = contactProfiles[contact] {
                profile = known
                name = contactNames[contact] ?? row.name
            } else {
                let content = StoredProfile(text: row.profileText).profile
                name = try takeName(row.name, of: content.displayName, in: row.profile, at: row.createdAt)
                profile = try writeProfile(content, of: row.profile, at: row.createdAt)
            }
            members[row.id] = Member(id: row.memberID, group: row.group, profile: row.profile, isUser: isUser)
            let invitation = row.link.flatMap { text -> Bytes? in
                guard row.category == .invitee, row.status == .invited, let link = try? ConnectionRequest(text: text),
                    case .invitation = link
                else { return nil }
                return blob(text)
            }
            try official.insert(
                into: "group_members",
                [
                    "group_member_id": row.id, "group_id": row.group, "member_id": row.memberID,
                    "member_role": word(OfficialContent.role(row.role) ?? GroupRole.observer.rawValue),
                    "member_category": row.category.rawValue, "member_status": row.status.rawValue,
                    "invited_by": row.isInvitedByUser ? owner.contactID : nil, "sent_inv_queue_info": invitation,
                    "user_id": row.profile, "local_display_name": name, "contact_profile_id": profile,
                    "contact_id": isUser ? owner.contactID : row.contact, "created_at": text(row.createdAt),
                    "updated_at": text(row.updatedAt), "member_profile_id": made, "show_messages": row.showsMessages,
                    "invited_by_group_member_id": row.inviter, "peer_chat_min_version": row.versions.min,
                    "peer_chat_max_version": row.versions.max, "member_restriction": row.isBlocked ? "blocked" : nil,
                    "support_chat_ts": text(row.supportAt), "support_chat_items_unread": row.supportUnread,
                    "support_chat_items_member_attention": row.supportAttention,
                    "support_chat_items_mentions": row.supportMentions,
                    "support_chat_last_msg_from_member_ts": text(row.supportMemberAt),
                ])
        }
        try writeIntroductions()
    }

    /// Writes what version 7.0 knows of members: their keys, and the vectors of who was introduced to whom.
    func writeRelations() throws {
        let keys = try database.rows(
            "SELECT group_member_id, public_key FROM group_members WHERE public_key IS NOT NULL"
        ) { row throws(StoreError) in (try row.int64(), try row.bytes()) }
        for (member, key) in keys {
            try official.run("UPDATE group_members SET member_pub_key = ? WHERE group_member_id = ?", key, member)
        }
        let indexes = Dictionary(
            try official.rows("SELECT group_member_id, index_in_group FROM group_members") { row throws(StoreError) in
                (try row.int64(), try row.int())
            }, uniquingKeysWith: { first, _ in first })
        let rows = try database.rows("SELECT existing_id, newcomer_id, status FROM introductions") {
            row throws(StoreError) in
            (
                existing: try row.int64(), newcomer: try row.int64(),
                status: Introduction.Status(rawValue: try row.text())
            )
        }
        var vectors: [Int64: Bytes] = [:]
        func set(_ relation: MemberRelation, of owner: Int64, to other: Int64) {
            guard let index = indexes[other] else { return }
            var vector = vectors[owner] ?? []
            if vector.count <= index { vector += Bytes(repeating: 0, count: index + 1 - vector.count) }
            vector[index] = relation.byte
            vectors[owner] = vector
        }
        for row in rows {
            guard let status = row.status else { throw StoreError(.damaged) }
            set(MemberRelation(status, isOwnerFirst: true), of: row.existing, to: row.newcomer)
            set(MemberRelation(status, isOwnerFirst: false), of: row.newcomer, to: row.existing)
        }
        for (member, vector) in vectors {
            try official.run(
                "UPDATE group_members SET member_relations_vector = ? WHERE group_member_id = ?", vector, member)
        }
    }

    private func writeIntroductions() throws {
        let rows = try database.rows(
            "SELECT existing_id, newcomer_id, status, link, updated_at FROM introductions ORDER BY introduction_id"
        ) { row throws(StoreError) in
            (
                existing: try row.int64(), newcomer: try row.int64(),
                status: Introduction.Status(rawValue: try row.text()), link: try row.optionalText(),
                updatedAt: try row.timestamp()
            )
        }
        for row in rows {
            guard let status = row.status else { throw StoreError(.damaged) }
            try official.insert(
                into: "group_member_intros",
                [
                    "re_group_member_id": row.existing, "to_group_member_id": row.newcomer,
                    "group_queue_info": row.link.map(blob),
                    "intro_status": status.officialWord(hasLink: row.link != nil),
                    "created_at": text(row.updatedAt), "updated_at": text(row.updatedAt),
                ])
        }
    }

    // MARK: - Messages to members

    /// Writes what the agent and the members know of messages: those that were sent, and those that wait.
    func writeMessages() throws {
        try writeSentMessages()
        try writeGroupMessages()
        try writeMemberMessages()
    }

    /// Writes the messages of entries in conversations with contacts that the agent may still report about.
    private func writeSentMessages() throws {
        let rows = try database.rows(
            """
            SELECT item_id, shared_id, contact_id, kind, time FROM items JOIN chats USING (chat_id)
            WHERE direction = 'sent' AND shared_id IS NOT NULL AND contact_id IS NOT NULL ORDER BY item_id
            """
        ) { row throws(StoreError) in
            (
                item: try row.int64(), id: try row.bytes(), contact: try row.int64(), kind: try row.text(),
                time: try row.timestamp()
            )
        }
        for row in rows where items.contains(row.item) {
            guard let connection = contactConnections[row.contact],
                let sequence = try agent.messageNumber(row.id, in: ConnectionID(connection))
            else { continue }
            let message = try writeMessage(
                isSent: true, event: row.kind == "call" ? "x.call.inv" : "x.msg.new", id: row.id,
                connection: connection, at: row.time)
            try link(message, to: number(of: row.item), at: row.time)
            try writeDelivery(of: message, through: connection, sequence, at: row.time)
        }
    }

    private func link(_ message: Int64, to item: Int64, at time: Timestamp) throws {
        try official.insert(
            into: "chat_item_messages",
            ["chat_item_id": item, "message_id": message, "created_at": text(time), "updated_at": text(time)])
        try official.run("UPDATE chat_items SET created_by_msg_id = ? WHERE chat_item_id = ?", message, item)
    }

    private func writeDelivery(
        of message: Int64, through connection: Int64, _ sequence: Int64, at time: Timestamp
    ) throws {
        try official.insert(
            into: "msg_deliveries",
            [
                "message_id": message, "connection_id": connection, "agent_msg_id": sequence, "chat_ts": text(time),
                "created_at": text(time), "updated_at": text(time), "delivery_status": "snd_agent",
            ])
    }

    private func writeGroupMessages() throws {
        let rows = try database.rows(
            "SELECT group_message_id, group_id, message_id, body, created_at FROM group_messages ORDER BY group_message_id"
        ) { row throws(StoreError) in
            (
                number: try row.int64(), group: try row.int64(), token: try row.bytes(), body: try row.bytes(),
                time: try row.timestamp()
            )
        }
        for row in rows {
            let deliveries = try database.rows(
                "SELECT group_member_id, status FROM group_deliveries WHERE group_message_id = ?", row.number
            ) { row throws(StoreError) in
                (member: try row.int64(), delivery: MemberDelivery(rawValue: try row.text()) ?? .error)
            }
            let entries = try database.rows(
                """
                SELECT item_id, shared_id FROM group_message_items JOIN items USING (item_id)
                WHERE group_message_id = ? ORDER BY item_id
                """, row.number
            ) { row throws(StoreError) in (item: try row.int64(), id: try row.optionalBytes()) }
            var written: [Bytes: Int64] = [:]
            for entry in entries where items.contains(entry.item) {
                guard let id = entry.id else { continue }
                let message = try writeMessage(
                    isSent: true, event: "x.msg.new", id: id, group: row.group, at: row.time)
                written[id] = message
                try link(message, to: number(of: entry.item), at: row.time)
                for (member, delivery) in deliveries where members[member] != nil {
                    try official.insert(
                        into: "group_snd_item_statuses",
                        [
                            "chat_item_id": number(of: entry.item), "group_member_id": member,
                            "group_snd_item_status": OfficialContent.text(delivery), "created_at": text(row.time),
                            "updated_at": text(row.time),
                        ])
                    guard let connection = memberConnections[member],
                        let sequence = try agent.messageNumber(row.token, in: ConnectionID(connection))
                    else { continue }
                    try writeDelivery(of: message, through: connection, sequence, at: row.time)
                }
            }
            let waiting = deliveries.filter { [.owed, .pending, .inactive].contains($0.delivery) }
            if !waiting.isEmpty {
                try writePending(row.body, row.token, in: row.group, to: waiting, &written, at: row.time)
            }
        }
    }

    /// Writes messages that wait for members, each on its own.
    private func writePending(
        _ body: Bytes, _ token: Bytes, in group: Int64, to deliveries: [(member: Int64, delivery: MemberDelivery)],
        _ written: inout [Bytes: Int64], at time: Timestamp
    ) throws {
        // The app sends them when the member is connected, or when its relay has room again.
        let waiting = deliveries.filter { delivery in
            members[delivery.member] != nil && memberConnections[delivery.member] != nil
        }
        note(.unsentMessages, deliveries.count - waiting.count)
        var elements = ChatPayload.elements(of: body)[...]
        let first = elements.first
        while let element = elements.popFirst() {
            guard case .success(.message(let message)) = element.content else {
                note(.unsentMessages, waiting.count)
                continue
            }
            let id = message.id?.bytes ?? (element.bytes == first?.bytes ? token : randomID())
            let number: Int64
            if let known = written[id] {
                number = known
                try official.run("UPDATE messages SET msg_body = ? WHERE message_id = ?", element.bytes, known)
            } else {
                number = try writeMessage(
                    isSent: true, event: message.event.name, body: element.bytes, id: id, group: group, at: time)
                written[id] = number
            }
            for delivery in waiting {
                try official.insert(
                    into: "pending_group_messages",
                    [
                        "group_member_id": delivery.member, "message_id": number, "created_at": text(time),
                        "updated_at": text(time),
                    ])
            }
        }
    }

    // MARK: - What members have sent

    /// Writes the ids of received messages, by which those that come twice are known.
    private func writeMemberMessages() throws {
        let rows = try database.rows(
            "SELECT group_member_id, message_id, forwarded_by, received_at FROM member_messages"
        ) { row throws(StoreError) in
            (
                member: try row.int64(), id: try row.bytes(), forwarder: try row.optionalInteger(),
                time: try row.timestamp()
            )
        }
        for row in rows {
            guard let member = members[row.member] else { continue }
            _ = try writeMessage(
                isSent: false, event: "x.msg.new", id: row.id, group: member.group, author: row.member,
                forwarder: row.forwarder, at: row.time)
        }
    }
}

/// A group of this program, on its way out.
private struct GroupToExport {
    let id: Int64
    let profile: Int64
    let name: String
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let content: GroupProfile
    let alias: String
    let business: BusinessChatInfo?
    let prepared: PreparedGroup?
    let notifications: Group.Notifications
    let sendsReceipts: Bool?
    let profileSentAt: Timestamp?
    let invitation: String?
    let attention: Int64
    let chat: OfficialChatExport.ChatRow
}

/// A member of this program, on its way out.
private struct MemberToExport {
    let id: Int64
    let group: Int64
    let profile: Int64
    let memberID: Bytes
    let role: String
    let category: GroupMember.Category
    let status: GroupMember.Status
    let name: String
    let profileText: String
    let contact: Int64?
    let inviter: Int64?
    let isInvitedByUser: Bool
    let showsMessages: Bool
    let isBlocked: Bool
    let versions: VersionRange
    let isIncognito: Bool
    let supportAt: Timestamp?
    let supportUnread: Int64
    let supportAttention: Int64
    let supportMentions: Int64
    let supportMemberAt: Timestamp?
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let link: String?
}

extension Row {
    fileprivate mutating func groupToExport() throws(StoreError) -> GroupToExport {
        let id = try int64(), profile = try int64(), name = try text(), createdAt = try timestamp()
        let updatedAt = try timestamp(), content = StoredGroupProfile(text: try text()).profile, alias = try text()
        let business = try optionalText().flatMap { try? BusinessChatInfo(decoding: Bytes($0.utf8)) }
        let prepared = try optionalText().flatMap { try? PreparedGroup(decoding: Bytes($0.utf8)) }
        return GroupToExport(
            id: id, profile: profile, name: name, createdAt: createdAt, updatedAt: updatedAt, content: content,
            alias: alias, business: business, prepared: prepared,
            notifications: Group.Notifications(rawValue: try text()) ?? .all, sendsReceipts: try optionalBool(),
            profileSentAt: try optionalTime(), invitation: try optionalText(), attention: try int64(),
            chat: try chatToExport())
    }

    fileprivate mutating func memberToExport() throws(StoreError) -> MemberToExport {
        let id = try int64(), group = try int64(), profile = try int64(), memberID = try bytes(), role = try text()
        guard let category = GroupMember.Category(rawValue: try text()),
            let status = GroupMember.Status(rawValue: try text())
        else { throw StoreError(.damaged) }
        let name = try text(), profileText = try text(), contact = try optionalInteger()
        let inviter = try optionalInteger(), isInvitedByUser = try bool(), showsMessages = try bool()
        let isBlocked = try bool()
        return MemberToExport(
            id: id, group: group, profile: profile, memberID: memberID, role: role, category: category, status: status,
            name: name, profileText: profileText, contact: contact, inviter: inviter, isInvitedByUser: isInvitedByUser,
            showsMessages: showsMessages, isBlocked: isBlocked, versions: try versions(), isIncognito: try bool(),
            supportAt: try optionalTime(), supportUnread: try int64(), supportAttention: try int64(),
            supportMentions: try int64(), supportMemberAt: try optionalTime(), createdAt: try timestamp(),
            updatedAt: try timestamp(), link: try optionalText())
    }
}

extension Group.Notifications {
    /// The number of the official programs.
    fileprivate var officialNumber: Int64 {
        switch self {
        case .none: 0
        case .all: 1
        case .mentions: 2
        }
    }
}

extension Introduction.Status {
    /// The word of the official programs.
    fileprivate func officialWord(hasLink: Bool) -> String {
        switch self {
        case .sent: hasLink ? "rcv" : "sent"
        case .forwarded: "fwd"
        case .existingConnected: "re-con"
        case .newcomerConnected: "to-con"
        case .connected: "con"
        }
    }
}
