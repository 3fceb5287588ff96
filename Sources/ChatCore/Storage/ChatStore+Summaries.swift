import AgentProtocol
import ByteCoding
import Store

extension ChatStore {
    /// What ``Row/summary()`` reads. Other tables have a row only for one of the three kinds of chats. The rows of contacts, groups
    /// and members are long, so their indices are read instead.
    private static let summaryQuery = """
        SELECT \(referenceColumns), coalesce(contacts.name, groups.name, note_folders.name), chats.unread_count,
            chats.unread_mentions, coalesce(contacts.is_muted, groups.notifications = 'none', 0),
            contacts.status, connections.status, connections.synchronization, connections.auth_errors,
            own.status, groups.prepared,
            newest_items.item_id, newest_items.direction, newest_items.status, newest_items.time, newest_items.kind,
            coalesce(newest_items.content, (SELECT content FROM items WHERE items.item_id = newest_items.item_id)),
            newest_items.deleted_at IS NOT NULL, newest_items.removal, newest_items.author
        FROM chats
        LEFT JOIN contacts INDEXED BY contacts_listed ON contacts.contact_id = chats.contact_id \(currentConnection)
        LEFT JOIN groups INDEXED BY groups_listed ON groups.group_id = chats.group_id
        LEFT JOIN group_members AS own INDEXED BY group_members_own
            ON own.group_member_id = groups.membership_id AND own.category = 'user'
        LEFT JOIN note_folders ON note_folders.note_folder_id = chats.note_folder_id
        LEFT JOIN newest_items ON newest_items.chat_id = chats.chat_id
        """

    /// The chats of a profile, the last active first, without notes in which nothing was noted.
    ///
    /// - Parameter count: The most that are returned; nil for all.
    func summaries(of id: ProfileID, _ count: Int?) throws -> [ChatSummary] {
        try database.rows(
            """
            \(ChatStore.summaryQuery)
            WHERE chats.profile_id = ? AND (chats.note_folder_id IS NULL OR chats.last_item_id IS NOT NULL)
            ORDER BY chats.active_at DESC, chats.chat_id DESC LIMIT ?
            """, id.number, count ?? Int(Int32.max)
        ) { row throws(StoreError) in try row.summary() }
    }
}

extension Row {
    fileprivate mutating func summary() throws(StoreError) -> ChatSummary {
        let reference = try chatReference()
        let name = try text()
        let unreadCount = try count()
        let unreadMentions = try count()
        let isMuted = try bool()
        let state = try state(of: reference)
        let lastEntry = try optional { row throws(StoreError) in try row.entrySummary() }
        return ChatSummary(
            reference: reference, name: name, state: state, isMuted: isMuted, unreadCount: unreadCount,
            unreadMentions: unreadMentions,
            lastEntry: lastEntry)
    }

    private mutating func state(of chat: ChatReference) throws(StoreError) -> ChatSummary.State {
        switch chat {
        case .direct:
            let status: Contact.Status = try word()
            let connection: ContactConnection.Status? = try optional { row throws(StoreError) in try row.word() }
            let number = try optional { row throws(StoreError) in try row.int64() }
            let authErrors = try optional { row throws(StoreError) in try row.count() }
            skip(2)
            var synchronization: RatchetSynchronization?
            if let number {
                synchronization = RatchetSynchronization(rawValue: number)
                guard synchronization != nil else { throw StoreError(.damaged) }
            }
            let isDisabled = ContactConnection.isDisabled(authErrors: authErrors ?? 0)
            return .contact(
                ContactState(
                    status, connection, synchronization, canSend: connection?.canSend == true && !isDisabled))
        case .group:
            skip(4)
            let status: GroupMember.Status = try word()
            return .group(
                GroupState(status, try optional { row throws(StoreError) in try row.value(PreparedGroup.self) }))
        case .notes:
            skip(6)
            return .notes
        }
    }

    private mutating func entrySummary() throws(StoreError) -> ChatSummary.Entry {
        let id = ChatItemID(try int64())
        let direction: ChatItem.Direction = try word()
        guard let status = ChatItem.Status(text: try text()) else { throw StoreError(.damaged) }
        let time = try timestamp()
        let kind = try text()
        guard let content = ChatItem.Content(kind: kind, text: try text()) else { throw StoreError(.damaged) }
        return ChatSummary.Entry(
            id: id, direction: direction, status: status, time: time, text: content.plainText,
            attachment: content.attachment, isDeleted: try bool(),
            removal: try optional { row throws(StoreError) in try row.word() },
            author: try optional { row throws(StoreError) in try row.text() })
    }
}
