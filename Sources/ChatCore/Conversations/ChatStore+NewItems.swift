import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

/// An entry that is new here.
struct NewItem {
    var content: ChatItem.Content
    var direction: ChatItem.Direction
    /// False for a received entry that the user need not look at.
    var isUnread = false
    var sharedID: SharedMessageID?
    var quote: Quote?
    var isForwarded = false
    var source: ForwardSource?
    var ttl: Int64?
    var isLive = false
    /// When the relay received it, or when it was written here.
    var time: Timestamp
    /// Its author, and what else only entries of groups have; nil in other chats.
    var entry: GroupEntry?
    /// True for what is no message: it is never in the outbox, and does not move the conversation up.
    var isNotice = false

    fileprivate var status: ChatItem.Status {
        guard direction == .received else { return isNotice ? .sendSent : .sendNew }
        return isUnread && content.isForPeople ? .receivedNew : .receivedRead
    }
}

/// The one way in which entries get into conversations.
extension ChatStore {
    /// Appends an entry to a conversation or, if it says so, to that of a member of a group with the moderators. What people do not
    /// see gets a number of its own kind, see ``ChatItem/Content/isForPeople``. Must be called within a transaction.
    func insertItem(_ item: NewItem, in chat: ChatReference, at now: Timestamp) throws -> ChatItemID {
        let entry = item.entry ?? GroupEntry(), isForPeople = item.content.isForPeople
        let quoted = try item.quote.flatMap { try quotedItem($0.reference, in: chat) }
        if !isForPeople { try database.run("UPDATE state SET last_notice = last_notice + 1") }
        let number = isForPeople ? "NULL" : "(SELECT -last_notice FROM state)"
        try database.run(
            """
            INSERT INTO items (item_id, chat_id, direction, kind, content, status, shared_id, quote, quoted_item_id,
                is_forwarded, forwarded_from, ttl, is_live, time, created_at, author_id, support_id, forwarded_by, mentions,
                mentions_user, quoted_author_id, removal, deleted_at, is_report, is_from_group, signature)
            SELECT \(number), chat_id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM chats
            WHERE \(chat.column) = ?
            """, item.direction.rawValue, item.content.kind, item.content.text, item.status.text, item.sharedID?.bytes,
            item.quote?.json.line, quoted?.number, item.isForwarded, item.source?.json.line, item.ttl,
            item.isLive ? true : nil, item.time, now, entry.author?.id.number, entry.supportID?.number,
            entry.forwarder?.id.number, entry.mentions.isEmpty ? nil : entry.mentions.json.line, entry.mentionsUser,
            entry.quotedAuthor?.id.number, entry.removal?.rawValue, entry.removal == nil ? nil : item.time,
            item.entry != nil && item.direction == .received && item.content.isReport, entry.isFromGroup,
            entry.signature?.rawValue, chat.number)
        let itemID = ChatItemID(database.lastInsertedID)
        guard isForPeople else { return itemID }
        if let supportID = entry.supportID {
            try countSupport(supportID, item, entry, at: now)
        } else {
            try count(item, itemID, entry, in: chat, at: now)
        }
        if chat.isUnordered, let sharedID = item.sharedID { try resolveQuotes(of: sharedID, itemID, in: chat) }
        return itemID
    }

    /// Counts an entry of a conversation, which becomes the most active one by a message.
    private func count(
        _ item: NewItem, _ id: ChatItemID, _ entry: GroupEntry, in chat: ChatReference, at now: Timestamp
    ) throws {
        let isUnread = item.status == .receivedNew
        try database.run(
            """
            UPDATE chats SET last_item_id = ?1, \(item.isNotice ? "" : "active_at = ?2, is_deleted = 0,")
                unread_count = min(unread_count, 2147483647) + ?3,
                unread_mentions = min(unread_mentions, 2147483647) + ?4
            WHERE \(chat.column) = ?5
            """, id.number, now, isUnread, isUnread && entry.mentionsUser, chat.number)
    }

    /// Counts an entry of the conversation of a member with the moderators.
    private func countSupport(
        _ id: GroupMemberID, _ item: NewItem, _ entry: GroupEntry, at now: Timestamp
    ) throws {
        let isByMember = item.direction == .received && entry.author?.id == id
        try database.run(
            """
            UPDATE group_members SET support_active_at = ?2, support_unread = support_unread + ?3,
                support_attention = iif(?4, support_attention + ?3, iif(?5, 0, support_attention)),
                support_mentions = support_mentions + ?6, support_member_at = iif(?4, ?7, support_member_at)
            WHERE group_member_id = ?1
            """, id.number, now, item.isUnread, isByMember, item.direction == .sent || !isByMember,
            (item.isUnread || item.content.isReport) && entry.mentionsUser, item.time)
    }

    // MARK: - Received messages of contacts

    /// Inserts a received item. Must be called within a transaction.
    ///
    /// - Parameters:
    ///   - isUnread: False for what the user has not to look at.
    ///   - time: The time of the message, as its relay has it.
    ///   - now: The time at which it came here.
    func insertReceived(
        _ content: ChatItem.Content, from contact: Contact, sharedID: SharedMessageID? = nil, quote: Quote? = nil,
        isForwarded: Bool = false, ttl: Int64? = nil, isLive: Bool = false, isUnread: Bool = true, at time: Timestamp,
        now: Timestamp
    ) throws -> LocatedItem {
        let id = try insertItem(
            NewItem(
                content: content, direction: .received, isUnread: isUnread, sharedID: sharedID, quote: quote,
                isForwarded: isForwarded, ttl: ttl, isLive: isLive, time: time), in: .direct(contact.id), at: now)
        guard let item = try item(id) else { throw ChatError.itemNotFound(id) }
        // A new message brings a deleted conversation back.
        var contact = contact
        contact.marks.isDeleted = false
        return LocatedItem(chat: .direct(contact), item: item)
    }

    // MARK: - Notices

    /// Appends what is no message to a conversation. It only asks to be read if it has to be acted on.
    ///
    /// - Returns: nil if the conversation has enough of the notice already, see ``isRepeated(_:_:in:isUnread:at:)``.
    func insertNotice(
        _ content: ChatItem.Content, _ direction: ChatItem.Direction, in chat: ChatReference, isUnread: Bool,
        at time: Timestamp
    ) throws -> ChatItemID? {
        if content.isForPeople, try isRepeated(content, direction, in: chat, isUnread: isUnread, at: time) {
            return nil
        }
        return try insertItem(
            NewItem(content: content, direction: direction, isUnread: isUnread, time: time, isNotice: true), in: chat,
            at: time)
    }

    /// True if the last 32 entries of a conversation have a notice eight times. Unread ones count and, for a notice that is
    /// inserted as read, those of the last day. A contact or a relay could fill the conversation with it.
    func isRepeated(
        _ content: ChatItem.Content, _ direction: ChatItem.Direction, in chat: ChatReference, isUnread: Bool,
        at time: Timestamp
    ) throws -> Bool {
        let count = try database.first(
            """
            SELECT count(*) FROM (
                SELECT direction, kind, content, status, created_at FROM items
                WHERE chat_id = \(chat.row()) ORDER BY item_id DESC LIMIT 32)
            WHERE direction = ? AND kind = ? AND content = ? AND (status = 'rcv_new' OR NOT ? AND created_at > ?)
            """, chat.number, direction.rawValue, content.kind, content.text, isUnread,
            Timestamp(milliseconds: time.milliseconds - 86_400_000)
        ) { row throws(StoreError) in try row.int() }
        return (count ?? 0) >= 8
    }

    // MARK: - Quotes

    /// The entry that a quote refers to. Contacts name it by its id, members also by its author.
    func quotedItem(_ reference: MessageReference, in chat: ChatReference) throws -> ChatItemID? {
        guard let sharedID = reference.id else { return nil }
        guard case .group(let id) = chat else { return try item(sharedID, in: chat)?.id }
        guard let memberID = reference.memberID else { return try post(sharedID, in: id)?.id }
        guard let group = try group(id) else { return nil }
        if memberID == group.membership.memberID { return try item(sharedID, by: nil, in: id)?.id }
        guard let author = try member(memberID, in: id) else { return nil }
        return try item(sharedID, by: author.id, in: id)?.id
    }

    /// Connects the answers to a message that came before it with the message.
    private func resolveQuotes(of id: SharedMessageID, _ item: ChatItemID, in chat: ChatReference) throws {
        let answers = try database.rows(
            """
            \(ChatStore.itemQuery)
            WHERE chats.\(chat.column) = ? AND items.quote IS NOT NULL AND items.quoted_item_id IS NULL
            """, chat.number
        ) { row throws(StoreError) in try row.item() }
        for answer in answers where answer.quote?.reference.id == id {
            guard let reference = answer.quote?.reference, try quotedItem(reference, in: chat) == item else {
                continue
            }
            try database.run(
                "UPDATE items SET quoted_item_id = ? WHERE item_id = ?", item.number, answer.id.number)
        }
    }
}
