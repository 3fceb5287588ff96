import AgentProtocol
import ByteCoding
import Store

/// Messages that are kept for some time only.
extension ChatStore {
    func setRetention(_ retention: Retention, of id: ProfileID) throws {
        let seconds: Int64? = if case .limited(let seconds) = retention { seconds } else { nil }
        try database.run("UPDATE profiles SET retention = ? WHERE profile_id = ?", seconds, id.number)
    }

    func setRetention(_ retention: Retention, of chat: ChatReference) throws {
        let seconds: Int64? =
            switch retention {
            case .standard: nil
            case .unlimited: 0
            case .limited(let seconds): seconds
            }
        try database.run("UPDATE chats SET retention = ? WHERE \(chat.column) = ?", seconds, chat.number)
    }

    func setExpiry(_ seconds: Int64?, of chat: ChatReference) throws {
        try database.run("UPDATE chats SET expiry = ? WHERE \(chat.column) = ?", seconds, chat.number)
    }

    /// The chats whose messages are removed after some time, and that time in seconds. For notes that of the profile does not
    /// hold.
    private func limitedChats() throws -> [(chat: Int64, seconds: Int64)] {
        guard try hasRetention() else { return [] }
        return try database.rows(
            """
            SELECT chat_id, coalesce(chats.retention, iif(note_folder_id IS NULL, profiles.retention, NULL)) AS seconds
            FROM chats JOIN profiles USING (profile_id) WHERE seconds > 0
            """
        ) { row throws(StoreError) in (try row.int64(), try row.lifetime()) }
    }

    /// True if messages of any conversation are kept for some time only.
    func hasRetention() throws -> Bool {
        try database.first(
            """
            SELECT EXISTS (SELECT 1 FROM profiles WHERE retention IS NOT NULL)
                OR EXISTS (SELECT 1 FROM chats WHERE retention > 0)
            """
        ) { row throws(StoreError) in try row.bool() } ?? false
    }

    /// The shortest time that messages are kept, in seconds; nil if all are kept.
    func shortestRetention() throws -> Int64? {
        try limitedChats().map(\.seconds).min()
    }

    /// When the next message is older than its conversation keeps it.
    func nextOutdating() throws -> Timestamp? {
        var next: Timestamp?
        for (chat, seconds) in try limitedChats() {
            let oldest = try database.first(
                """
                SELECT created_at FROM items WHERE chat_id = ? AND NOT \(ChatStore.isKept)
                ORDER BY created_at LIMIT 1
                """, chat
            ) { row throws(StoreError) in try row.timestamp() }
            guard let oldest else { continue }
            let end = oldest + .seconds(seconds)
            next = next.map { min($0, end) } ?? end
        }
        return next
    }

    /// Messages that are older than their conversation keeps them, some at a time.
    func outdatedItems(at time: Timestamp, _ count: Int) throws -> [ChatItem] {
        var items: [ChatItem] = []
        for (chat, seconds) in try limitedChats() where items.count < count {
            items += try database.rows(
                """
                \(ChatStore.itemQuery) WHERE items.chat_id = ? AND items.created_at <= ? AND NOT \(ChatStore.isKept)
                ORDER BY items.created_at LIMIT ?
                """, chat, time - .seconds(seconds), count - items.count
            ) { row throws(StoreError) in try row.item() }
        }
        return items
    }

    /// The messages of a conversation that were written or received before a moment and do not wait in the outbox.
    func settledItems(in chat: ChatReference, before time: Timestamp) throws -> [ChatItemID] {
        try database.rows(
            """
            SELECT item_id FROM items JOIN chats USING (chat_id)
            WHERE chats.\(chat.column) = ? AND item_id > 0 AND items.created_at < ? AND NOT (\(ChatStore.isUnsent))
            ORDER BY item_id
            """, chat.number, time
        ) { row throws(StoreError) in ChatItemID(try row.int64()) }
    }

    /// Removes what only other programs see of a conversation from before a moment.
    func removeHiddenItems(of chat: ChatReference, before time: Timestamp) throws {
        try database.run(
            "DELETE FROM items WHERE chat_id = \(chat.row("?1")) AND item_id < 0 AND kind != 'banner' AND created_at < ?2",
            chat.number, time
        )
    }

    func removeItems(_ ids: some Sequence<ChatItemID>, of chat: ChatReference) throws {
        for id in ids { try database.run("DELETE FROM items WHERE item_id = ?", id.number) }
        try recount(chat)
    }

    /// Sets what a conversation says of its entries after some were removed.
    func recount(_ chat: ChatReference) throws {
        try database.run(
            """
            UPDATE chats SET (unread_count, unread_mentions) = (
                SELECT count(*), coalesce(sum(mentions_user), 0) FROM items
                WHERE items.chat_id = chats.chat_id AND status = 'rcv_new' AND support_id IS NULL),
                last_item_id = (
                    SELECT max(item_id) FROM items
                    WHERE items.chat_id = chats.chat_id AND item_id > 0 AND support_id IS NULL)
            WHERE \(chat.column) = ?
            """, chat.number)
        if case .group(let id) = chat { try recountSupport(of: id) }
    }
}

extension Timestamp {
    fileprivate static func - (moment: Timestamp, duration: Duration) -> Timestamp { moment + (.zero - duration) }
}

extension Row {
    /// How long messages stay, in seconds, within what can be calculated with: an edited database may hold any number.
    mutating func lifetime() throws(StoreError) -> Int64 {
        min(max(try int64(), 0), Expiry.longestTTL)
    }
}
