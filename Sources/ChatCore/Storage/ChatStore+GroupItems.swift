import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

/// An entry of a group that is new here.
struct NewGroupItem {
    var content: ChatItem.Content
    var direction: ChatItem.Direction
    /// Read already if nobody has to look at it.
    var isUnread = false
    var sharedID: SharedMessageID?
    var quote: Quote?
    var isForwarded = false
    var source: ForwardSource?
    var ttl: Int64?
    var isLive = false
    /// When the relay received it, or when it was written here.
    var time: Timestamp
    /// Its author, and what else only entries of groups have.
    var entry = GroupEntry()
}

/// Entries of groups.
extension ChatStore {
    /// Appends an entry to a group or, if it says so, to the conversation of a member with the moderators.
    func insertItem(_ item: NewGroupItem, in id: GroupID, at now: Timestamp) throws -> ChatItemID {
        let entry = item.entry, chat = ChatReference.group(id)
        let status: ChatItem.Status =
            item.direction == .sent ? .sendNew : item.isUnread ? .receivedNew : .receivedRead
        let quoted = try item.quote.flatMap { try quotedItem($0.reference, in: id) }
        try database.run(
            """
            INSERT INTO items (chat_id, direction, kind, content, status, shared_id, quote, quoted_item_id, is_forwarded,
                forwarded_from, ttl, is_live, time, created_at, author_id, support_id, forwarded_by, mentions,
                mentions_user, quoted_author_id, removal, deleted_at, is_report)
            SELECT chat_id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM chats WHERE group_id = ?
            """, item.direction.rawValue, item.content.kind, item.content.text, status.text, item.sharedID?.bytes,
            item.quote?.json.line, quoted?.number, item.isForwarded, item.source?.json.line, item.ttl,
            item.isLive ? true : nil, item.time, now, entry.author?.id.number, entry.supportID?.number,
            entry.forwarder?.id.number, entry.mentions.isEmpty ? nil : entry.mentions.json.line, entry.mentionsUser,
            entry.quotedAuthor?.id.number, entry.removal?.rawValue, entry.removal == nil ? nil : item.time,
            item.direction == .received && item.content.isReport, id.number)
        let itemID = ChatItemID(database.lastInsertedID)
        if let supportID = entry.supportID {
            try countSupport(supportID, item, at: now)
        } else {
            try database.run(
                """
                UPDATE chats SET last_item_id = ?, active_at = ?, unread_count = min(unread_count, 2147483647) + ?,
                    unread_mentions = min(unread_mentions, 2147483647) + ?, is_deleted = 0
                WHERE \(chat.column) = ?
                """, itemID.number, now, item.isUnread, item.isUnread && entry.mentionsUser, id.number)
        }
        if let sharedID = item.sharedID { try resolveQuotes(of: sharedID, itemID, in: id) }
        return itemID
    }

    /// Counts an entry of the conversation of a member with the moderators.
    private func countSupport(_ id: GroupMemberID, _ item: NewGroupItem, at now: Timestamp) throws {
        let isByMember = item.direction == .received && item.entry.author?.id == id
        try database.run(
            """
            UPDATE group_members SET support_active_at = ?2, support_unread = support_unread + ?3,
                support_attention = iif(?4, support_attention + ?3, iif(?5, 0, support_attention)),
                support_mentions = support_mentions + ?6, support_member_at = iif(?4, ?7, support_member_at)
            WHERE group_member_id = ?1
            """, id.number, now, item.isUnread, isByMember, item.direction == .sent || !isByMember,
            (item.isUnread || item.content.isReport) && item.entry.mentionsUser, item.time)
    }

    // MARK: - Finding

    /// The entry of a group that all members know by an id.
    ///
    /// - Parameter author: Who wrote it; nil for the user.
    func item(_ id: SharedMessageID, by author: GroupMemberID?, in group: GroupID) throws -> ChatItem? {
        try database.first(
            """
            \(ChatStore.itemQuery) WHERE chats.group_id = ? AND shared_id = ? AND items.author_id IS ? AND direction = ?
            """, group.number, id.bytes, author?.number, (author == nil ? ChatItem.Direction.sent : .received).rawValue
        ) { row throws(StoreError) in try row.item() }
    }

    /// The entry that a quote refers to.
    private func quotedItem(_ reference: MessageReference, in id: GroupID) throws -> ChatItemID? {
        guard let sharedID = reference.id, let memberID = reference.memberID, let group = try group(id) else {
            return nil
        }
        if memberID == group.membership.memberID { return try item(sharedID, by: nil, in: id)?.id }
        guard let author = try member(memberID, in: id) else { return nil }
        return try item(sharedID, by: author.id, in: id)?.id
    }

    /// Connects the answers to a message that came before it with the message.
    private func resolveQuotes(of id: SharedMessageID, _ item: ChatItemID, in group: GroupID) throws {
        let answers = try database.rows(
            """
            \(ChatStore.itemQuery)
            WHERE chats.group_id = ? AND items.quote IS NOT NULL AND items.quoted_item_id IS NULL
            """, group.number
        ) { row throws(StoreError) in try row.item() }
        for answer in answers where answer.quote?.reference.id == id {
            guard let reference = answer.quote?.reference, try quotedItem(reference, in: group) == item else {
                continue
            }
            try database.run(
                "UPDATE items SET quoted_item_id = ? WHERE item_id = ?", item.number, answer.id.number)
        }
    }

    /// The entries of a member in a group that are not deleted, oldest first.
    ///
    /// - Parameter author: Nil for those of the user.
    func messages(by author: GroupMemberID?, in id: GroupID) throws -> [ChatItem] {
        try database.rows(
            """
            \(ChatStore.itemQuery) WHERE chats.group_id = ? AND items.author_id IS ? AND direction = ?
                AND (items.deleted_at IS NULL OR items.removal IN ('blocked', 'blockedByAdmin'))
            ORDER BY item_id
            """, id.number, author?.number, (author == nil ? ChatItem.Direction.sent : .received).rawValue
        ) { row throws(StoreError) in try row.item() }
    }

    /// The reports of a group that no moderator has settled.
    ///
    /// - Parameter item: Only those of this message; nil for all.
    func openReports(of item: ChatItemID?, in id: GroupID) throws -> [ChatItemID] {
        try database.rows(
            """
            SELECT item_id FROM items JOIN chats USING (chat_id)
            WHERE chats.group_id = ?1 AND is_report = 1 AND deleted_at IS NULL AND (?2 IS NULL OR quoted_item_id = ?2)
            ORDER BY item_id
            """, id.number, item?.number
        ) { row throws(StoreError) in ChatItemID(try row.int64()) }
    }

    /// The last messages of a group for a new member, oldest first: those of all members that are not deleted and stay.
    func history(of id: GroupID, _ count: Int) throws -> [ChatItem] {
        try database.rows(
            """
            \(ChatStore.itemQuery) WHERE chats.group_id = ? AND items.kind = 'message' AND items.deleted_at IS NULL
                AND items.support_id IS NULL AND items.shared_id IS NOT NULL AND items.is_live IS NOT 1
                AND items.status NOT LIKE 'snd_error%'
            ORDER BY items.time DESC, item_id DESC LIMIT ?
            """, id.number, count
        ) { row throws(StoreError) in try row.item() }.reversed()
    }

    // MARK: - Changing

    /// Notes who forwarded the last edit of an entry; nil if its author sent it.
    func setForwarder(_ forwarder: GroupMemberID?, of id: ChatItemID) throws {
        try database.run("UPDATE items SET forwarded_by = ? WHERE item_id = ?", forwarder?.number, id.number)
    }

    /// Completes an entry that an edit made with what its message says, which came only now.
    func complete(_ id: ChatItemID, _ item: NewGroupItem, in group: GroupID) throws {
        let quoted = try item.quote.flatMap { try quotedItem($0.reference, in: group) }
        try database.run(
            """
            UPDATE items SET quote = ?, quoted_item_id = ?, quoted_author_id = ?, is_forwarded = ?, ttl = ?, time = ?,
                mentions_user = max(mentions_user, ?), forwarded_by = ?
            WHERE item_id = ?
            """, item.quote?.json.line, quoted?.number, item.entry.quotedAuthor?.id.number, item.isForwarded, item.ttl,
            item.time, item.entry.mentionsUser, item.entry.forwarder?.id.number, id.number)
    }

    func setTime(_ time: Timestamp, of id: ChatItemID) throws {
        try database.run("UPDATE items SET time = ? WHERE item_id = ?", time, id.number)
    }

    /// Marks a message as edited at a time.
    func setEdited(_ id: ChatItemID, at time: Timestamp) throws {
        try database.run("UPDATE items SET edited_at = ? WHERE item_id = ?", time, id.number)
    }

    /// Marks a message as one that was being written, and is whole unless its author goes on.
    func setCompleted(_ id: ChatItemID) throws {
        try database.run(
            "UPDATE items SET is_live = coalesce(is_live, 0), edited_at = NULL WHERE item_id = ?", id.number)
    }

    func setMentions(_ mentions: [String: GroupEntry.Mention], of id: ChatItemID) throws {
        try database.run(
            "UPDATE items SET mentions = ? WHERE item_id = ?", mentions.isEmpty ? nil : mentions.json.line, id.number)
    }

    /// Marks a message as taken away.
    ///
    /// - Parameters:
    ///   - moderator: Who did it; nil for its author.
    ///   - isEmptied: True if nothing that it said is kept.
    func mark(
        _ item: ChatItem, _ removal: GroupEntry.Removal?, by moderator: GroupMemberID?, isEmptied: Bool = false,
        at time: Timestamp
    ) throws {
        try database.run(
            "UPDATE items SET deleted_at = ?, removal = ?, moderator_id = ? WHERE item_id = ?", time,
            removal?.rawValue, moderator?.number, item.id.number)
        guard isEmptied else { return }
        for table in ["item_versions", "member_reactions", "reactions"] {
            try database.run("DELETE FROM \(table) WHERE item_id = ?", item.id.number)
        }
        try database.run(
            """
            UPDATE items SET kind = ?, content = ?, quote = NULL, quoted_item_id = NULL, edited_at = NULL, is_live = NULL
            WHERE item_id = ?
            """, ChatItem.Content.moderated.kind, ChatItem.Content.moderated.text, item.id.number)
    }

    // MARK: - Reading

    /// Marks all entries of a group as read, or those of a conversation with the moderators. As in the official core the counts
    /// of these conversations stay until each is read, and so does the mark of the group.
    func markRead(_ id: GroupID, support: GroupMemberID?, at time: Timestamp) throws {
        let chat = ChatReference.group(id)
        try database.run(
            """
            UPDATE items SET status = 'rcv_read',
                delete_at = iif(is_live IS 1, delete_at, ?2 + min(ttl, 9999999999) * 1000)
            WHERE status = 'rcv_new' AND chat_id = \(chat.row("?1")) AND (?3 IS NULL OR support_id = ?3)
            """, id.number, time, support?.number)
        guard let support else {
            return try database.run(
                "UPDATE chats SET unread_count = 0, unread_mentions = 0 WHERE group_id = ?", id.number)
        }
        try database.run(
            """
            UPDATE group_members SET support_unread = 0, support_attention = 0, support_mentions = 0
            WHERE group_member_id = ?
            """, support.number)
    }

    /// Sets what a group and its conversations with the moderators say of their unread entries.
    func recountUnread(of id: GroupID) throws {
        try database.run(
            """
            UPDATE chats SET (unread_count, unread_mentions) = (
                SELECT count(*), coalesce(sum(mentions_user), 0) FROM items
                WHERE items.chat_id = chats.chat_id AND status = 'rcv_new' AND support_id IS NULL),
                last_item_id = (
                    SELECT max(item_id) FROM items
                    WHERE items.chat_id = chats.chat_id AND item_id > 0 AND support_id IS NULL)
            WHERE group_id = ?
            """, id.number)
        try database.run(
            """
            UPDATE group_members SET (support_unread, support_mentions, support_attention) = (
                SELECT coalesce(sum(status = 'rcv_new'), 0),
                    min(group_members.support_mentions, coalesce(sum(mentions_user), 0)),
                    min(group_members.support_attention,
                        coalesce(sum(status = 'rcv_new' AND items.author_id IS items.support_id), 0)) FROM items
                WHERE items.support_id = group_members.group_member_id AND (status = 'rcv_new' OR is_report = 1))
            WHERE group_id = ? AND support_active_at IS NOT NULL
            """, id.number)
    }

    /// Removes the conversation of a member with the moderators.
    func removeSupportChat(of id: GroupMemberID) throws {
        try database.run("DELETE FROM items WHERE support_id = ?", id.number)
        try database.run(
            """
            UPDATE group_members SET support_active_at = NULL, support_unread = 0, support_attention = 0,
                support_mentions = 0, support_member_at = NULL
            WHERE group_member_id = ?
            """, id.number)
    }

    // MARK: - Entries in the order of their times

    /// The entries of a group, or of a conversation with the moderators, in the order of their times.
    func timedItems(
        in id: GroupID, support: GroupMemberID?, _ range: ItemRange, search: String? = nil
    ) throws -> [ChatItem] {
        let query = """
            \(ChatStore.itemQuery) WHERE chats.group_id = ?1 AND items.support_id IS ?2
            AND (?3 IS NULL OR items.kind = 'message' AND items.content ->> '$.text' LIKE '%' || ?3 || '%')
            """
        let words = search.flatMap { $0.isEmpty ? nil : $0 }
        func rows(_ condition: String, _ order: String, _ anchor: ChatItem?, _ count: Int) throws -> [ChatItem] {
            try database.rows(
                "\(query) AND (?4 IS NULL OR \(condition)) ORDER BY items.time \(order), item_id \(order) LIMIT ?6",
                id.number, support?.number, words, anchor?.time, anchor?.id.number, max(count, 0)
            ) { row throws(StoreError) in try row.item() }
        }
        switch range {
        case .last(let count): return try rows("?5 IS NULL", "DESC", nil, count).reversed()
        case .before(let anchor, let count):
            guard let anchor = try item(anchor) else { return [] }
            return try rows("(items.time, item_id) < (?4, ?5)", "DESC", anchor, count).reversed()
        case .after(let anchor, let count):
            guard let anchor = try item(anchor) else { return [] }
            return try rows("(items.time, item_id) > (?4, ?5)", "", anchor, count)
        case .around(let anchor, let count):
            guard let found = try item(anchor), found.chat == .group(id), found.group?.supportID == support else {
                return []
            }
            return try timedItems(in: id, support: support, .before(anchor, count), search: search) + [found]
                + timedItems(in: id, support: support, .after(anchor, count), search: search)
        case .initial(let count):
            // A number of the database, not a text of a person.
            let scope = support.map { "items.support_id = \($0.number)" } ?? "items.support_id IS NULL"
            let pivot = try pivot(
                "\(ChatStore.itemQuery) WHERE \(scope) AND chats.group_id", id.number, by: ["items.time", "item_id"])
            return try timedItems(
                in: id, support: support, pivot.map { .around($0, count) } ?? .last(count), search: search)
        }
    }

    /// What is behind an entry in the order of the times: how many others, and how many of them are unread.
    func timedRest(of id: GroupID, support: GroupMemberID?, behind item: ChatItem?) throws -> (all: Int, unread: Int) {
        try database.first(
            """
            SELECT count(*), coalesce(sum(items.status = 'rcv_new'), 0) FROM items JOIN chats USING (chat_id)
            WHERE chats.group_id = ? AND items.support_id IS ? AND (items.time, item_id) > (?, ?)
            """, id.number, support?.number, item?.time ?? Timestamp(milliseconds: .max), item?.id.number ?? 0
        ) { row throws(StoreError) in (try row.int(), try row.int()) } ?? (0, 0)
    }
}

extension ChatItem.Content {
    /// True for a report to the moderators.
    var isReport: Bool {
        guard case .message(let content) = self, case .report = content.kind else { return false }
        return true
    }
}
