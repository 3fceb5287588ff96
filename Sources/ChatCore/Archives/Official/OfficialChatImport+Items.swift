import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension OfficialChatImport {
    // MARK: - Entries

    func takeItems() throws {
        let chats = try chatNumbers()
        let edited = try editTimes()
        var notices: Int64 = 0
        // One after the other: a store may have millions.
        var last: Int64 = 0
        while true {
            let rows = try tables.rows(
                OfficialItemRow.columns, from: "chat_items", "WHERE chat_item_id > ? ORDER BY chat_item_id LIMIT 1000",
                last
            ) { row throws(StoreError) in try row.officialItem() }
            guard let end = rows.last?.id else { break }
            last = end
            for row in rows {
                guard profiles[row.profile] != nil, let chat = row.chat, let place = chats[chat] else { continue }
                guard let content = try row.content() ?? call(row) else {
                    note(.entries)
                    continue
                }
                var id = row.id
                if !content.isForPeople {
                    notices += 1
                    id = -notices
                }
                try insert(row, content, as: id, in: place, editedAt: edited[row.id])
                items[row.id] = id
            }
        }
        try database.run("UPDATE state SET last_notice = ?", notices)
        try resolveQuotes()
        try takeMentions()
        try takeVersions()
        try takeReactions()
        if try tables.has("moderated_at", in: "chat_item_moderations") {
            note(.changes, try tables.count("chat_item_moderations"))
        }
    }

    private func call(_ row: OfficialItemRow) throws -> ChatItem.Content? {
        guard OfficialContent.call(row.contentText, message: nil) != nil else { return nil }
        let message = try tables.first(
            "msg_body", from: "messages",
            """
            WHERE chat_msg_event = 'x.call.inv'
            AND message_id IN (SELECT message_id FROM chat_item_messages WHERE chat_item_id = ?)
            """, row.id
        ) { row throws(StoreError) in try row.foreignBytes() }
        return OfficialContent.call(row.contentText, message: message).map(ChatItem.Content.call)
    }

    /// The numbers of the chats.
    private func chatNumbers() throws -> [ChatReference: Int64] {
        let rows = try database.rows("SELECT chat_id, contact_id, group_id, note_folder_id FROM chats") {
            row throws(StoreError) in
            (
                try row.int64(), try row.optional { row throws(StoreError) in try row.int64() },
                try row.optional { row throws(StoreError) in try row.int64() },
                try row.optional { row throws(StoreError) in try row.int64() }
            )
        }
        let folders = Dictionary(notes.map { ($1, $0) }) { first, _ in first }
        return rows.reduce(into: [:]) { numbers, row in
            if let contact = row.1 { numbers[.direct(ContactID(contact))] = row.0 }
            if let group = row.2 { numbers[.group(GroupID(group))] = row.0 }
            if let folder = row.3.flatMap({ folders[$0] }) { numbers[.notes(NoteFolderID(folder))] = row.0 }
        }
    }

    /// When messages were changed last.
    private func editTimes() throws -> [Int64: Timestamp] {
        let rows = try tables.rows(
            "chat_item_id, max(item_version_ts)", from: "chat_item_versions", "GROUP BY chat_item_id"
        ) { row throws(StoreError) in (try row.foreignID(), try row.foreignTime()) }
        return Dictionary(rows) { first, _ in first }
    }

    private func insert(
        _ row: OfficialItemRow, _ content: ChatItem.Content, as id: Int64, in chat: Int64, editedAt: Timestamp?
    ) throws {
        var membership: Int64?
        if case .group(let group)? = row.chat { membership = memberships[group.number] }
        let author = row.direction == .received ? try known(row.author, row.group) : nil
        var removal: GroupEntry.Removal?
        switch (row.deletion, membership) {
        case (1, .some) where row.moderator != nil: removal = .moderated
        case (2, .some): removal = .blocked
        case (3, .some): removal = .blockedForAll
        default: break
        }
        let support: Int64? =
            row.isSupport ? try known(row.support, row.group) ?? membership : nil
        var status = OfficialContent.status(row.status, row.direction)
        // What people do not see is read from the beginning.
        if id < 0, status == .receivedNew { status = .receivedRead }
        // The agent has the messages of groups, and notes arrive at once.
        if status == .sendNew, membership != nil || !content.isMessage { status = .sendSent }
        if row.isNote, row.direction == .sent { status = .sendReceived(isIntact: true) }
        if status == .sendNew, try isInBatch(row) { status = .sendSent }
        let moderator = row.moderator.flatMap { $0 == membership ? nil : $0 }
        let quote = row.quote(
            author: row.author.flatMap { memberKeys[$0] }, user: membership.flatMap { memberKeys[$0] })
        try database.run(
            """
            INSERT INTO items (item_id, chat_id, direction, kind, content, status, shared_id, time, created_at, quote,
                is_forwarded, edited_at, deleted_at, ttl, delete_at, is_live, forwarded_from, author_id, support_id,
                forwarded_by, mentions_user, quoted_author_id, removal, moderator_id, is_report, is_from_group, signature)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, id, chat, row.direction.rawValue, content.kind, content.text, status.text, row.sharedID, row.time,
            row.createdAt, quote?.json.line, row.isForwarded, row.isEdited ? editedAt ?? row.updatedAt : nil,
            row.deletion == 0 ? nil : row.deletedAt ?? row.updatedAt, row.ttl, row.expiresAt, row.isLive,
            row.source?.json.line, author, support, try known(row.forwarder, row.group), row.mentionsUser,
            try quotedAuthor(row, membership), removal?.rawValue, try known(moderator, row.group),
            row.direction == .received && membership != nil && content.isReport,
            membership != nil && row.isFromGroup, membership == nil ? nil : row.signature?.rawValue)
    }

    /// A member of the group of an entry; nil if it is none.
    private func known(_ member: Int64?, _ group: Int64?) throws -> Int64? {
        guard let member, let group, members[member] == group else { return nil }
        return member
    }

    private func quotedAuthor(_ row: OfficialItemRow, _ membership: Int64?) throws -> Int64? {
        guard let group = row.group, let id = row.quotedMember, let member = memberIDs[group]?[id] else { return nil }
        return member == membership ? nil : member
    }

    /// True if an own message went to the agent together with an earlier one: it cannot be handed over alone.
    private func isInBatch(_ row: OfficialItemRow) throws -> Bool {
        guard case .direct? = row.chat, let sharedID = row.sharedID else { return false }
        return try tables.first(
            "msg_delivery_id", from: "msg_deliveries",
            """
            WHERE message_id IN (SELECT message_id FROM messages WHERE shared_msg_id = ? AND msg_sent = 1)
                AND EXISTS (SELECT 1 FROM msg_deliveries other WHERE other.connection_id = msg_deliveries.connection_id
                    AND other.agent_msg_id = msg_deliveries.agent_msg_id
                    AND other.msg_delivery_id < msg_deliveries.msg_delivery_id)
            """, sharedID
        ) { _ in true } ?? false
    }

    /// Connects answers with the messages that they answer, where those are here.
    private func resolveQuotes() throws {
        let answers = try database.rows(
            """
            SELECT item_id, chat_id, quote, quoted_author_id,
                (SELECT group_id IS NOT NULL FROM chats WHERE chats.chat_id = items.chat_id), direction
            FROM items WHERE quote IS NOT NULL
            """
        ) { row throws(StoreError) in
            (
                id: try row.int64(), chat: try row.int64(), quote: try row.value(Quote.self),
                author: try row.optional { row throws(StoreError) in try row.int64() }, isGroup: try row.bool(),
                direction: try row.text()
            )
        }
        for answer in answers {
            guard let sharedID = answer.quote.reference.id?.bytes else { continue }
            let isSent = answer.direction == ChatItem.Direction.sent.rawValue
            // Between contacts a quote says whether its sender wrote what it quotes.
            let direction: ChatItem.Direction = answer.quote.reference.isOwn == isSent ? .sent : .received
            try database.run(
                """
                UPDATE items SET quoted_item_id = (
                    SELECT item_id FROM items AS quoted WHERE quoted.chat_id = ?2 AND quoted.shared_id = ?3
                        AND (?4 AND quoted.author_id IS ?5 OR NOT ?4 AND quoted.direction = ?6) LIMIT 1)
                WHERE item_id = ?1
                """, answer.id, answer.chat, sharedID, answer.isGroup, answer.author, direction.rawValue)
        }
    }

    private func takeMentions() throws {
        let rows = try tables.rows(
            "chat_item_id, group_id, member_id, display_name", from: "chat_item_mentions",
            "ORDER BY chat_item_id"
        ) { row throws(StoreError) in
            (
                item: try row.foreignID(), group: try row.foreignID(), member: try row.optionalSharedID(),
                name: try row.foreignText()
            )
        }
        var mentions: [Int64: [String: GroupEntry.Mention]] = [:]
        for row in rows {
            guard let item = items[row.item], let memberID = row.member.flatMap({ MemberID($0) }) else { continue }
            var mention = GroupEntry.Mention(memberID: memberID)
            if let number = memberIDs[row.group]?[memberID.bytes] {
                mention.member = try database.first(
                    "SELECT profile, role FROM group_members WHERE group_member_id = ?", number
                ) { row throws(StoreError) in
                    GroupEntry.Mention.Reference(
                        id: GroupMemberID(number), displayName: try row.profile().displayName,
                        role: GroupRole(rawValue: try row.text()))
                }
            }
            mentions[item, default: [:]][row.name] = mention
        }
        for (item, mentions) in mentions {
            try database.run("UPDATE items SET mentions = ? WHERE item_id = ?", mentions.json.line, item)
        }
    }

    private func takeVersions() throws {
        let rows = try tables.rows(
            "chat_item_id, msg_content, item_version_ts, created_at", from: "chat_item_versions",
            "ORDER BY chat_item_version_id"
        ) { row throws(StoreError) in
            (
                item: try row.foreignID(), content: try row.foreignText(), time: try row.foreignTime(),
                createdAt: try row.foreignTime()
            )
        }
        for row in rows {
            guard let item = items[row.item] else {
                note(.changes)
                continue
            }
            guard let content = try? MessageContent(decoding: Bytes(row.content.utf8)) else {
                throw StoreError(.damaged)
            }
            try database.run(
                "INSERT INTO item_versions (item_id, content, time, created_at) VALUES (?, ?, ?, ?)", item,
                content.json.line, row.time, row.createdAt)
        }
    }

    private func takeReactions() throws {
        let rows = try tables.rows(
            """
            item_member_id, shared_msg_id, contact_id, group_id, group_member_id, reaction, reaction_sent, reaction_ts
            """, from: "chat_item_reactions", "ORDER BY chat_item_reaction_id"
        ) { row throws(StoreError) in
            (
                author: try row.optionalSharedID(), id: try row.optionalSharedID(),
                contact: try row.optionalForeignID(),
                group: try row.optionalForeignID(), member: try row.optionalForeignID(),
                reaction: try row.foreignJSON(), isSent: try row.foreignBool(), time: try row.foreignTime()
            )
        }
        for row in rows {
            guard let fields = row.reaction.object, let reaction = try? Reaction(stored: fields) else {
                throw StoreError(.damaged)
            }
            guard let sharedID = row.id, let item = try item(sharedID, row.author, row.contact, row.group) else {
                note(.changes)
                continue
            }
            if row.isSent || row.group == nil {
                let direction: ChatItem.Direction = row.isSent ? .sent : .received
                try database.run(
                    "INSERT OR IGNORE INTO reactions (item_id, direction, reaction) VALUES (?, ?, ?)", item,
                    direction.rawValue, reaction.json.line)
            } else if let member = try known(row.member, row.group) {
                try database.run(
                    """
                    INSERT OR IGNORE INTO member_reactions (item_id, group_member_id, reaction, is_given, created_at)
                    VALUES (?, ?, ?, 1, ?)
                    """, item, member, reaction.json.line, row.time)
            } else {
                note(.changes)
            }
        }
    }

    /// The message that a reaction is about.
    private func item(_ id: Bytes, _ author: Bytes?, _ contact: Int64?, _ group: Int64?) throws -> Int64? {
        if let contact {
            return try database.first(
                "SELECT item_id FROM items JOIN chats USING (chat_id) WHERE contact_id = ? AND shared_id = ?", contact,
                id
            ) { row throws(StoreError) in try row.int64() }
        }
        guard let group else { return nil }
        let member = author.flatMap { memberIDs[group]?[$0] }
        let number = member == memberships[group] ? nil : member
        return try database.first(
            """
            SELECT item_id FROM items JOIN chats USING (chat_id)
            WHERE group_id = ? AND shared_id = ? AND author_id IS ?
            """, group, id, number
        ) { row throws(StoreError) in try row.int64() }
    }

    // MARK: - The state of chats

    /// Counts what is unread, and finds the last entries.
    func finishChats() throws {
        try database.run(
            """
            UPDATE chats SET
                unread_count = (SELECT count(*) FROM items WHERE items.chat_id = chats.chat_id AND status = 'rcv_new'
                    AND support_id IS NULL),
                unread_mentions = (SELECT count(*) FROM items WHERE items.chat_id = chats.chat_id
                    AND status = 'rcv_new' AND mentions_user = 1 AND support_id IS NULL),
                last_item_id = (SELECT max(item_id) FROM items WHERE items.chat_id = chats.chat_id AND item_id > 0
                    AND support_id IS NULL)
            """)
    }
}

/// An entry as the official database has it.
struct OfficialItemRow {
    static let columns = """
        chat_item_id, user_id, contact_id, group_id, note_folder_id, group_member_id, item_sent, item_ts, item_deleted,
        item_content, created_at, updated_at, item_status, shared_msg_id, quoted_shared_msg_id, quoted_sent_at,
        quoted_content, quoted_sent, quoted_member_id, item_edited, timed_ttl, timed_delete_at, item_live,
        item_deleted_by_group_member_id, item_deleted_ts, forwarded_by_group_member_id, fwd_from_tag, fwd_from_chat_name,
        fwd_from_msg_dir, fwd_from_contact_id, fwd_from_group_id, fwd_from_chat_item_id, user_mention, group_scope_tag,
        group_scope_group_member_id, show_group_as_sender, msg_signed
        """

    let id: Int64
    let profile: Int64
    let chat: ChatReference?
    let author: Int64?
    let direction: ChatItem.Direction
    let time: Timestamp
    /// 0: none, 1: deleted or moderated, 2: its author is blocked, 3: blocked for all.
    let deletion: Int64
    let contentText: String
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let status: String
    let sharedID: Bytes?
    let quotedID: Bytes?
    let quotedAt: Timestamp?
    let quotedContent: MessageContent?
    let quotedIsSent: Bool?
    let quotedMember: Bytes?
    let isEdited: Bool
    let ttl: Int64?
    let expiresAt: Timestamp?
    let isLive: Bool?
    let moderator: Int64?
    let deletedAt: Timestamp?
    let forwarder: Int64?
    let isForwarded: Bool
    let source: ForwardSource?
    let mentionsUser: Bool
    let isSupport: Bool
    let support: Int64?
    let isFromGroup: Bool
    let signature: SignatureStatus?

    var group: Int64? {
        if case .group(let id)? = chat { id.number } else { nil }
    }

    var isNote: Bool {
        if case .notes? = chat { true } else { false }
    }

    func content() throws(StoreError) -> ChatItem.Content? {
        do throws(DecodeError) { return try OfficialContent.content(contentText, direction) } catch {
            throw StoreError(.damaged)
        }
    }

    /// The message that it answers.
    ///
    /// - Parameters:
    ///   - author: The id of its author in a group.
    ///   - user: The id of the user there.
    func quote(author: Bytes?, user: Bytes?) -> Quote? {
        guard let quotedContent, let quotedAt else { return nil }
        let isByUser = quotedIsSent ?? false
        let isOwn: Bool
        var memberID: MemberID?
        if group == nil {
            isOwn = isByUser == (direction == .sent)
        } else {
            let quoted = quotedMember ?? (isByUser ? user : nil)
            memberID = quoted.flatMap { MemberID($0) }
            isOwn = direction == .sent ? isByUser : quoted != nil && quoted == author
        }
        return Quote(
            MessageReference(
                id: quotedID.map { SharedMessageID($0) }, sentAt: WireTime(quotedAt), isOwn: isOwn, memberID: memberID),
            content: quotedContent)
    }
}

extension Row {
    fileprivate mutating func officialItem() throws(StoreError) -> OfficialItemRow {
        let id = try foreignID(), profile = try foreignID()
        let contact = try optionalForeignID(), group = try optionalForeignID(), folder = try optionalForeignID()
        let chat: ChatReference? =
            contact.map { .direct(ContactID($0)) } ?? group.map { .group(GroupID($0)) }
            ?? folder.map { .notes(NoteFolderID($0)) }
        let author = try optionalForeignID()
        let direction: ChatItem.Direction = try bool() ? .sent : .received
        let time = try foreignTime()
        let deletion = try int64(in: 0...3)
        let contentText = try foreignText(), createdAt = try foreignTime(), updatedAt = try foreignTime()
        let status = try optionalForeignText() ?? "", sharedID = try optionalSharedID()
        let quotedID = try optionalSharedID(), quotedAt = try optionalForeignTime()
        let quoted = try optionalForeignText()
        var quotedContent: MessageContent?
        if let quoted {
            guard let content = try? MessageContent(decoding: Bytes(quoted.utf8)) else { throw StoreError(.damaged) }
            quotedContent = content
        }
        let quotedIsSent = try optional { row throws(StoreError) in try row.bool() }
        let quotedMember = try optionalSharedID(), isEdited = try foreignBool()
        let ttl = try optional { row throws(StoreError) in try row.int64(in: 0...Int64(Int32.max)) }
        let expiresAt = try optionalForeignTime()
        let isLive = try optional { row throws(StoreError) in try row.bool() }
        let moderator = try optionalForeignID(), deletedAt = try optionalForeignTime()
        let forwarder = try optionalForeignID()
        let tag = try optionalForeignText(), chatName = try optionalForeignText() ?? ""
        let isFromUser = try optional { row throws(StoreError) in try row.bool() } ?? false
        let sourceContact = try optionalForeignID(), sourceGroup = try optionalForeignID()
        let sourceItem = try optionalForeignID()
        let sourceChat: ChatReference? =
            tag == "contact"
            ? sourceContact.map { .direct(ContactID($0)) }
            : tag == "group" ? sourceGroup.map { .group(GroupID($0)) } : nil
        var source: ForwardSource?
        if let sourceChat, let sourceItem {
            source = ForwardSource(
                chat: sourceChat, chatName: chatName, direction: isFromUser ? .sent : .received,
                item: ChatItemID(sourceItem))
        }
        let mentionsUser = try foreignBool(), scope = try optionalForeignText()
        return OfficialItemRow(
            id: id, profile: profile, chat: chat, author: author, direction: direction, time: time,
            deletion: deletion, contentText: contentText, createdAt: createdAt, updatedAt: updatedAt, status: status,
            sharedID: sharedID, quotedID: quotedID, quotedAt: quotedAt, quotedContent: quotedContent,
            quotedIsSent: quotedIsSent, quotedMember: quotedMember, isEdited: isEdited, ttl: ttl,
            expiresAt: expiresAt, isLive: isLive, moderator: moderator, deletedAt: deletedAt, forwarder: forwarder,
            isForwarded: tag != nil, source: source, mentionsUser: mentionsUser, isSupport: scope != nil,
            support: try optionalForeignID(),
            isFromGroup: try optional { row throws(StoreError) in try row.bool() } ?? false,
            signature: try optionalForeignText().flatMap(SignatureStatus.init(official:)))
    }
}

extension SignatureStatus {
    /// Reads the word of the official programs.
    init?(official word: String) {
        switch word {
        case "verified": self = .verified
        case "no_key": self = .noKey
        case "sig_missing": self = .missing
        default: return nil
        }
    }

    /// The word of the official programs.
    var officialWord: String {
        switch self {
        case .verified: "verified"
        case .noKey: "no_key"
        case .missing: "sig_missing"
        }
    }
}
