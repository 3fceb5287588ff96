import AgentProtocol
import ByteCoding
import Store

extension ChatStore {
    /// Sets whether contacts of a profile, or of all profiles, are told that their messages arrived.
    func setReceipts(_ isOn: Bool, of id: ProfileID?, clearsContacts: Bool) throws {
        try database.run(
            "UPDATE profiles SET sends_receipts = ?1 WHERE ?2 IS NULL OR profile_id = ?2", isOn, id?.number)
        guard clearsContacts else { return }
        try database.run("UPDATE contacts SET sends_receipts = NULL WHERE ?1 IS NULL OR profile_id = ?1", id?.number)
    }

    /// Sets whether a contact is told that its messages arrived; nil for the setting of the profile.
    func setReceipts(_ isOn: Bool?, of id: ContactID) throws {
        try database.run("UPDATE contacts SET sends_receipts = ? WHERE contact_id = ?", isOn, id.number)
    }

    // MARK: - Notices

    /// Appends what is no message to a conversation. It does not move the conversation up, and only asks to be read if it
    /// has to be acted on. What people do not see gets a number of its own kind, see ``ChatItem/Content/isForPeople``.
    ///
    /// - Returns: nil if the conversation has enough of the notice already, see ``isRepeated(_:_:in:isUnread:at:)``.
    func insertNotice(
        _ content: ChatItem.Content, _ direction: ChatItem.Direction, in chat: ChatReference, isUnread: Bool,
        at time: Timestamp
    ) throws -> ChatItemID? {
        guard content.isForPeople else { return try insertHiddenNotice(content, direction, in: chat, at: time) }
        if try isRepeated(content, direction, in: chat, isUnread: isUnread, at: time) { return nil }
        let status: ChatItem.Status = direction == .sent ? .sendSent : isUnread ? .receivedNew : .receivedRead
        try database.run(
            """
            INSERT INTO items (chat_id, direction, kind, content, status, shared_id, time, created_at)
            SELECT chat_id, ?, ?, ?, ?, NULL, ?, ? FROM chats WHERE \(chat.column) = ?
            """, direction.rawValue, content.kind, content.text, status.text, time, time, chat.number)
        let itemID = ChatItemID(database.lastInsertedID)
        try database.run(
            """
            UPDATE chats SET last_item_id = ?, unread_count = min(unread_count, 2147483647) + ? WHERE \(chat.column) = ?
            """, itemID.number, status == .receivedNew ? 1 : 0, chat.number)
        return itemID
    }

    /// Appends what only other programs see.
    private func insertHiddenNotice(
        _ content: ChatItem.Content, _ direction: ChatItem.Direction, in chat: ChatReference, at time: Timestamp
    ) throws -> ChatItemID {
        try database.run("UPDATE state SET last_notice = last_notice + 1")
        let status: ChatItem.Status = direction == .sent ? .sendSent : .receivedRead
        try database.run(
            """
            INSERT INTO items (item_id, chat_id, direction, kind, content, status, shared_id, time, created_at)
            SELECT -last_notice, chat_id, ?, ?, ?, ?, NULL, ?, ? FROM chats, state WHERE \(chat.column) = ?
            """, direction.rawValue, content.kind, content.text, status.text, time, time, chat.number)
        return ChatItemID(database.lastInsertedID)
    }

    /// True if a notice stands eight times among the last 32 entries of a conversation, unread or, if nobody has to read it, of
    /// the last day. A contact or a relay could fill the conversation with it.
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

    // MARK: - Queues

    /// Notes whether a queue of a connection is being replaced.
    func setMoving(_ isMoving: Bool, _ direction: QueueDirection, _ id: ConnectionID) throws {
        let column =
            switch direction {
            case .receiving: "moves_own_queue"
            case .sending: "moves_contact_queue"
            }
        try database.run("UPDATE connections SET \(column) = ? WHERE connection_id = ?", isMoving, id.number)
    }

    // MARK: - Errors

    /// Counts that a relay did not accept a message for a contact's queue.
    func countAuthError(of id: ConnectionID) throws {
        try database.run("UPDATE connections SET auth_errors = auth_errors + 1 WHERE connection_id = ?", id.number)
    }

    func countQuotaError(of id: ConnectionID) throws {
        try database.run("UPDATE connections SET quota_errors = quota_errors + 1 WHERE connection_id = ?", id.number)
    }

    /// Notes that a queue stayed full for so long that a message expired.
    func setInactive(_ id: ConnectionID) throws {
        try database.run(
            "UPDATE connections SET quota_errors = max(quota_errors, ?) WHERE connection_id = ?",
            ContactConnection.mostQuotaErrors, id.number)
    }

    /// The contact's queue takes messages.
    func clearErrors(of id: ConnectionID) throws {
        try database.run("UPDATE connections SET auth_errors = 0, quota_errors = 0 WHERE connection_id = ?", id.number)
    }

    /// Marks whether the relay lets this side receive.
    func setRefused(_ isRefused: Bool, _ id: ConnectionID) throws {
        try database.run("UPDATE connections SET is_refused = ? WHERE connection_id = ?", isRefused, id.number)
    }
}
