import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

/// Entries of groups.
extension ChatStore {
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

    /// The post of a channel itself, of the user or of another owner.
    func post(_ id: SharedMessageID, in group: GroupID) throws -> ChatItem? {
        try database.first(
            "\(ChatStore.itemQuery) WHERE chats.group_id = ? AND shared_id = ? AND items.is_from_group = 1",
            group.number,
            id.bytes
        ) { row throws(StoreError) in try row.item() }
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
    func complete(_ id: ChatItemID, _ item: NewItem, in chat: ChatReference) throws {
        let entry = item.entry ?? GroupEntry()
        let quoted = try item.quote.flatMap { try quotedItem($0.reference, in: chat) }
        try database.run(
            """
            UPDATE items SET quote = ?, quoted_item_id = ?, quoted_author_id = ?, is_forwarded = ?, ttl = ?, time = ?,
                mentions_user = max(mentions_user, ?), forwarded_by = ?
            WHERE item_id = ?
            """, item.quote?.json.line, quoted?.number, entry.quotedAuthor?.id.number, item.isForwarded, item.ttl,
            item.time, entry.mentionsUser, entry.forwarder?.id.number, id.number)
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

    /// Sets what the conversations of members with the moderators say of their unread entries.
    func recountSupport(of id: GroupID) throws {
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
}

extension ChatItem.Content {
    /// True for a report to the moderators.
    var isReport: Bool {
        guard case .message(let content) = self, case .report = content.kind else { return false }
        return true
    }
}
