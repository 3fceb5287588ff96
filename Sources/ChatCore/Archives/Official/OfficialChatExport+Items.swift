import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension OfficialChatExport {
    // MARK: - Entries

    /// The number of an entry there: notices have negative numbers here.
    func number(of item: Int64) -> Int64 { notices[item] ?? item }

    func writeItems() throws {
        try numberNotices()
        // One after the other: a store may have millions.
        var last = Int64.min
        while true {
            let rows = try database.rows(
                """
                SELECT item_id, chats.profile_id, contact_id, group_id, note_folder_id, direction, kind, content, status,
                    shared_id, time, created_at, quote, is_forwarded, edited_at, deleted_at, ttl, delete_at, is_live,
                    forwarded_from, author_id, support_id, forwarded_by, mentions, mentions_user, removal, moderator_id,
                    is_from_group
                FROM items JOIN chats USING (chat_id) WHERE item_id > ? ORDER BY item_id LIMIT 1000
                """, last
            ) { row throws(StoreError) in try row.itemToExport() }
            guard let end = rows.last?.id else { break }
            last = end
            for row in rows { try write(row) }
        }
        try writeVersions()
        try writeReactions()
    }

    /// Notices get numbers behind those of all other entries, in their order. Conversations are sorted by time there.
    private func numberNotices() throws {
        let ids = try database.rows("SELECT item_id FROM items WHERE item_id <= 0 ORDER BY item_id DESC") {
            row throws(StoreError) in try row.int64()
        }
        for id in ids {
            notices[id] = nextItem
            nextItem += 1
        }
    }

    private func write(_ row: ItemToExport) throws {
        guard let content = ChatItem.Content(kind: row.kind, text: row.contentText) else { throw StoreError(.damaged) }
        guard let official = OfficialContent.text(content, row.direction, for: version),
            row.group == nil || row.direction == .sent || row.author != nil || row.isFromGroup
        else {
            // The settings of a group are in its profile too.
            if content.isForPeople { note(.entries) }
            return
        }
        let membership = row.group.flatMap { memberships[$0] }
        var message: MessageContent?
        if case .message(let known) = content { message = known }
        let status = try status(of: row, isMessage: message != nil)
        let deletion: Int64 =
            switch row.removal {
            case .blocked?: 2
            case .blockedForAll?: 3
            case .moderated?, nil: row.deletedAt == nil ? 0 : 1
            }
        let quote = row.quote.map { quoted($0, row, membership) }
        let isSupport = row.support != nil
        let updatedAt = row.deletedAt ?? row.editedAt ?? row.createdAt
        let isInHistory = row.group != nil && !isSupport && message != nil && !content.isReport
        try self.official.insert(
            into: "chat_items",
            [
                "chat_item_id": number(of: row.id), "user_id": row.profile, "contact_id": row.contact,
                "group_id": row.group, "group_member_id": row.direction == .received ? row.author : nil,
                "item_sent": row.direction == .sent, "item_ts": text(row.time), "item_deleted": deletion,
                "item_content": official.text, "item_text": content.itemText(row.direction),
                "created_at": text(row.createdAt),
                "updated_at": text(updatedAt), "item_status": status,
                "shared_msg_id": try freeID(of: row), "quoted_shared_msg_id": quote?.id, "quoted_sent_at": quote?.time,
                "quoted_content": quote?.content, "quoted_sent": quote?.isOwn, "quoted_member_id": quote?.member,
                "item_edited": row.editedAt == nil ? nil : true, "timed_ttl": row.ttl,
                "timed_delete_at": text(row.expiresAt), "item_live": row.isLive == true ? true : nil,
                "item_deleted_by_group_member_id": row.removal == .moderated ? row.moderator ?? membership : nil,
                "item_deleted_ts": text(row.deletedAt), "forwarded_by_group_member_id": row.forwarder,
                "item_content_tag": official.tag, "note_folder_id": row.notes,
                "fwd_from_tag": row.source?.tag ?? (row.isForwarded ? "unknown" : nil),
                "fwd_from_chat_name": row.source?.chatName,
                "fwd_from_msg_dir": row.source.map { $0.direction == .sent },
                "fwd_from_contact_id": try row.source?.contact.flatMap { try existing($0, in: "contacts") },
                "fwd_from_group_id": try row.source?.group.flatMap { try existing($0, in: "groups") },
                "fwd_from_chat_item_id": try row.source.flatMap { try existing($0.item.number, in: "chat_items") },
                "msg_content_tag": message.map { OfficialContent.tag(of: $0) }, "include_in_history": isInHistory,
                "user_mention": row.mentionsUser, "group_scope_tag": isSupport ? "member_support" : nil,
                // Without a member it is the conversation of the user.
                "group_scope_group_member_id": row.support == membership ? nil : row.support,
            ])
        items.insert(row.id)
        if let group = row.group { try writeMentions(row.mentions, of: number(of: row.id), in: group) }
    }

    /// The id of a message. SECURITY: others choose ids, and may choose one twice; there the first message alone has it.
    private func freeID(of row: ItemToExport) throws -> Bytes? {
        guard let id = row.sharedID else { return nil }
        let known = try official.first(
            """
            SELECT 1 FROM chat_items WHERE user_id = ? AND shared_msg_id = ?
                AND (contact_id = ? OR group_id = ? AND group_member_id = ?)
            """, row.profile, id, row.contact, row.group, row.direction == .received ? row.author : nil
        ) { _ throws(StoreError) in true }
        return known == nil ? id : nil
    }

    private func existing(_ number: Int64, in table: String) throws -> Int64? {
        let column = ["contacts": "contact_id", "groups": "group_id"][table] ?? "chat_item_id"
        return try official.first("SELECT 1 FROM \(table) WHERE \(column) = ?", number) { _ throws(StoreError) in number
        }
    }

    /// The state of an entry. The app has none for messages that the agent did not get.
    private func status(of row: ItemToExport, isMessage: Bool) throws -> String {
        guard let status = ChatItem.Status(text: row.status), status.isReceived == (row.direction == .received) else {
            return row.direction == .received ? "rcv_read" : "snd_sent complete"
        }
        guard row.direction == .sent else { return status.text }
        // Notes and notices are never sent.
        guard row.notes == nil, isMessage || ["call", "group-invitation"].contains(row.kind) else { return "snd_new" }
        if row.group == nil, status == .sendNew || row.status.hasPrefix("snd_warning") {
            let isQueued = try row.sharedID.flatMap { id in
                try row.contact.flatMap { contactConnections[$0] }.flatMap { connection in
                    try agent.messageNumber(id, in: ConnectionID(connection))
                }
            }
            if isQueued == nil {
                note(.unsentMessages)
                return "snd_error other not sent"
            }
        }
        return OfficialContent.text(status)
    }

    /// The columns of an answered message.
    private func quoted(
        _ quote: Quote, _ row: ItemToExport, _ membership: Int64?
    ) -> (id: Bytes?, time: String, content: String, isOwn: Bool, member: Bytes?) {
        let id = quote.reference.id?.bytes, time = text(quote.reference.sentAt.timestamp)
        let content = quote.content.json.line
        guard row.group != nil else {
            return (id, time, content, quote.reference.isOwn == (row.direction == .sent), nil)
        }
        let member = quote.reference.memberID?.bytes
        let isOwn = member != nil && member == membership.flatMap { members[$0]?.id }
        return (
            id, time, content, isOwn || member == nil && row.direction == .sent && quote.reference.isOwn,
            isOwn ? nil : member
        )
    }

    private func writeMentions(_ text: String?, of item: Int64, in group: Int64) throws {
        guard let text, let object = try? JSONValue(decoding: Bytes(text.utf8)).object,
            let mentions = try? [String: GroupEntry.Mention](object)
        else { return }
        for (name, mention) in mentions.sorted(by: { $0.key < $1.key }) {
            try official.run(
                """
                INSERT OR IGNORE INTO chat_item_mentions (group_id, member_id, chat_item_id, display_name)
                VALUES (?, ?, ?, ?)
                """, group, mention.memberID.bytes, item, name)
        }
    }

    private func writeVersions() throws {
        let rows = try database.rows(
            "SELECT item_id, content, time, created_at FROM item_versions ORDER BY item_version_id"
        ) { row throws(StoreError) in
            (item: try row.int64(), content: try row.text(), time: try row.timestamp(), createdAt: try row.timestamp())
        }
        for row in rows where items.contains(row.item) {
            try official.insert(
                into: "chat_item_versions",
                [
                    "chat_item_id": number(of: row.item), "msg_content": row.content, "item_version_ts": text(row.time),
                    "created_at": text(row.createdAt), "updated_at": text(row.createdAt),
                ])
        }
    }

    private func writeReactions() throws {
        let own = try database.rows(
            """
            SELECT items.item_id, shared_id, contact_id, group_id, author_id, reactions.direction, reaction, time
            FROM reactions JOIN items USING (item_id) JOIN chats USING (chat_id) ORDER BY items.item_id
            """
        ) { row throws(StoreError) in
            (
                item: try row.int64(), id: try row.optionalBytes(), contact: try row.optionalInteger(),
                group: try row.optionalInteger(), author: try row.optionalInteger(), isSent: try row.text() == "sent",
                reaction: try row.text(), time: try row.timestamp()
            )
        }
        for row in own where items.contains(row.item) {
            guard let id = row.id else { continue }
            try writeReaction(
                row.reaction, to: id, by: nil, isSent: row.isSent, row.contact, row.group, row.author, at: row.time)
        }
        let members = try database.rows(
            """
            SELECT items.item_id, shared_id, group_id, author_id, group_member_id, reaction, member_reactions.created_at
            FROM member_reactions JOIN items USING (item_id) JOIN chats USING (chat_id)
            WHERE is_given = 1 ORDER BY member_reactions.created_at
            """
        ) { row throws(StoreError) in
            (
                item: try row.int64(), id: try row.optionalBytes(), group: try row.optionalInteger(),
                author: try row.optionalInteger(), member: try row.int64(), reaction: try row.text(),
                time: try row.timestamp()
            )
        }
        for row in members where items.contains(row.item) {
            guard let id = row.id else { continue }
            try writeReaction(
                row.reaction, to: id, by: row.member, isSent: false, nil, row.group, row.author, at: row.time)
        }
    }

    private func writeReaction(
        _ reaction: String, to id: Bytes, by member: Int64?, isSent: Bool, _ contact: Int64?, _ group: Int64?,
        _ author: Int64?, at time: Timestamp
    ) throws {
        let writer = author ?? group.flatMap { memberships[$0] }
        try official.insert(
            into: "chat_item_reactions",
            [
                "item_member_id": group == nil ? nil : writer.flatMap { members[$0]?.id }, "shared_msg_id": id,
                "contact_id": contact, "group_id": group, "group_member_id": member, "reaction": reaction,
                "reaction_sent": isSent, "reaction_ts": text(time), "created_at": text(time), "updated_at": text(time),
            ])
    }
}

/// An entry of this program, on its way out.
private struct ItemToExport {
    let id: Int64
    let profile: Int64
    let contact: Int64?
    let group: Int64?
    let notes: Int64?
    let direction: ChatItem.Direction
    let kind: String
    let contentText: String
    let status: String
    let sharedID: Bytes?
    let time: Timestamp
    let createdAt: Timestamp
    let quote: Quote?
    let isForwarded: Bool
    let editedAt: Timestamp?
    let deletedAt: Timestamp?
    let ttl: Int64?
    let expiresAt: Timestamp?
    let isLive: Bool?
    let source: ForwardSource?
    let author: Int64?
    let support: Int64?
    let forwarder: Int64?
    let mentions: String?
    let mentionsUser: Bool
    let removal: GroupEntry.Removal?
    let moderator: Int64?
    /// True for what is written as a channel.
    let isFromGroup: Bool
}

extension Row {
    fileprivate mutating func itemToExport() throws(StoreError) -> ItemToExport {
        let id = try int64(), profile = try int64(), contact = try optionalInteger(), group = try optionalInteger()
        let notes = try optionalInteger()
        guard let direction = ChatItem.Direction(rawValue: try text()) else { throw StoreError(.damaged) }
        let kind = try text(), content = try text(), status = try text(), sharedID = try optionalBytes()
        let time = try timestamp(), createdAt = try timestamp()
        let quote = try optionalText().flatMap { try? Quote(decoding: Bytes($0.utf8)) }
        let isForwarded = try bool(), editedAt = try optionalTime(), deletedAt = try optionalTime()
        let ttl = try optionalInteger(), expiresAt = try optionalTime(), isLive = try optionalBool()
        let source = try optionalText().flatMap { try? ForwardSource(decoding: Bytes($0.utf8)) }
        let author = try optionalInteger(), support = try optionalInteger(), forwarder = try optionalInteger()
        let mentions = try optionalText(), mentionsUser = try bool()
        return ItemToExport(
            id: id, profile: profile, contact: contact, group: group, notes: notes, direction: direction, kind: kind,
            contentText: content, status: status, sharedID: sharedID, time: time, createdAt: createdAt, quote: quote,
            isForwarded: isForwarded, editedAt: editedAt, deletedAt: deletedAt, ttl: ttl, expiresAt: expiresAt,
            isLive: isLive, source: source, author: author, support: support, forwarder: forwarder,
            mentions: mentions, mentionsUser: mentionsUser,
            removal: try optionalText().flatMap(GroupEntry.Removal.init(rawValue:)), moderator: try optionalInteger(),
            isFromGroup: try bool())
    }
}

extension ForwardSource {
    fileprivate var tag: String { group == nil ? "contact" : "group" }

    fileprivate var contact: Int64? {
        if case .direct(let id) = chat { id.number } else { nil }
    }

    fileprivate var group: Int64? {
        if case .group(let id) = chat { id.number } else { nil }
    }
}
