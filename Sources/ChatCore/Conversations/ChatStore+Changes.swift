import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

/// Something that a contact has to be told, and that the agent does not have yet.
struct OwedEvent {
    let number: Int64
    let contactID: ContactID
    /// Nil if it cannot be read.
    let message: ChatMessage?
}

extension ChatStore {
    // MARK: - Entries

    /// The highest number that an entry ever had.
    func highestItem() throws -> Int64 {
        try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'items'") { row throws(StoreError) in
            try row.int64()
        } ?? 0
    }

    /// The entry of either side that both know by an id.
    func item(_ sharedID: SharedMessageID, in chat: ChatReference) throws -> ChatItem? {
        try database.first(
            "\(ChatStore.itemQuery) WHERE chats.\(chat.column) = ? AND shared_id = ? ORDER BY item_id LIMIT 1",
            chat.number, sharedID.bytes
        ) { row throws(StoreError) in try row.item() }
    }

    /// Changes what a message says, and keeps what it said. What is changed while it is written is not edited.
    ///
    /// - Parameter isLive: Whether its author goes on writing it, if it is live.
    func update(_ item: ChatItem, content: MessageContent, isLive: Bool, at time: Timestamp, now: Timestamp) throws {
        if case .message(let former) = item.content, former != content {
            if try versions(of: item.id).isEmpty {
                try insertVersion(of: item.id, former, at: item.time, now: item.createdAt)
            }
            try insertVersion(of: item.id, content, at: time, now: now)
        }
        let wasLive = item.isLive == true
        try database.run(
            "UPDATE items SET content = ?, edited_at = ?, is_live = ? WHERE item_id = ?",
            ChatItem.Content.message(content).text, wasLive ? item.editedAt : time, wasLive ? isLive : item.isLive,
            item.id.number)
    }

    func insertVersion(
        of id: ChatItemID, _ content: MessageContent, at time: Timestamp, now: Timestamp
    ) throws {
        try database.run(
            "INSERT INTO item_versions (item_id, content, time, created_at) VALUES (?, ?, ?, ?)", id.number,
            content.json.line, time, now)
    }

    /// What a message said and says, the newest first; nothing if it was never changed.
    func versions(of id: ChatItemID) throws -> [ItemVersion] {
        try database.rows(
            """
            SELECT item_version_id, content, time, created_at FROM item_versions WHERE item_id = ?
            ORDER BY time DESC, item_version_id DESC
            """, id.number
        ) { row throws(StoreError) in
            let number = try row.int64()
            guard let content = try? MessageContent(decoding: Bytes(try row.text().utf8)) else {
                throw StoreError(.damaged)
            }
            return ItemVersion(
                number: number, content: content, time: try row.timestamp(), createdAt: try row.timestamp())
        }
    }

    /// Removes an entry as if it had never been there.
    func removeItem(_ item: ChatItem) throws {
        try removeItems([item.id], of: item.chat)
    }

    // MARK: - Reactions

    func addReaction(_ reaction: Reaction, _ direction: ChatItem.Direction, to id: ChatItemID) throws {
        try database.run(
            "INSERT OR IGNORE INTO reactions (item_id, direction, reaction) VALUES (?, ?, ?)", id.number,
            direction.rawValue, reaction.json.line)
    }

    func removeReaction(_ reaction: Reaction, _ direction: ChatItem.Direction, from id: ChatItemID) throws {
        try database.run(
            "DELETE FROM reactions WHERE item_id = ? AND direction = ? AND reaction = ?", id.number,
            direction.rawValue, reaction.json.line)
    }

    // MARK: - Owed events

    func owe(_ message: ChatMessage, to id: ContactID) throws {
        try database.run(
            "INSERT INTO owed_events (contact_id, message) VALUES (?, ?)", id.number, message.json.line)
    }

    /// The oldest first.
    func owedEvents() throws -> [OwedEvent] {
        try database.rows("SELECT owed_event_id, contact_id, message FROM owed_events ORDER BY owed_event_id") {
            row throws(StoreError) in
            let number = try row.int64()
            let contactID = ContactID(try row.int64())
            let text = try row.text()
            return OwedEvent(
                number: number, contactID: contactID, message: try? ChatMessage(decoding: Bytes(text.utf8)))
        }
    }

    func removeOwedEvent(_ number: Int64) throws {
        try database.run("DELETE FROM owed_events WHERE owed_event_id = ?", number)
    }

    // MARK: - Keys of messages

    /// For how long a key stands for the message that was sent with it first.
    private static let keyLife = Duration.seconds(30 * 24 * 3600)

    /// The entry that was sent with a key before.
    func item(sentWith key: String, to chat: ChatReference, at time: Timestamp) throws -> ChatItemID? {
        try database.first(
            "SELECT item_id FROM send_keys WHERE chat_id = \(chat.row()) AND key = ? AND used_at > ?", chat.number, key,
            time - ChatStore.keyLife
        ) { row throws(StoreError) in ChatItemID(try row.int64()) }
    }

    /// The entries that are left of a text that was sent in parts with a key; nil if there was no such text, or none is left.
    func parts(sentWith key: String, to chat: ChatReference, at time: Timestamp) throws -> [ChatItem]? {
        let range = try database.first(
            """
            SELECT item_id, last_item_id FROM send_keys
            WHERE chat_id = \(chat.row()) AND key = ? AND used_at > ? AND last_item_id IS NOT NULL
            """, chat.number, key, time - ChatStore.keyLife
        ) { row throws(StoreError) in (try row.int64(), try row.int64()) }
        guard let range else { return nil }
        let items = try database.rows(
            """
            \(ChatStore.itemQuery) WHERE chats.\(chat.column) = ? AND item_id BETWEEN ? AND ? AND direction = ?
            ORDER BY item_id
            """, chat.number, range.0, range.1, ChatItem.Direction.sent.rawValue
        ) { row throws(StoreError) in try row.item() }
        return items.isEmpty ? nil : items
    }

    /// Notes which entries were sent with a key: one, or all between two.
    func note(
        key: String, for item: ChatItemID, through last: ChatItemID, to chat: ChatReference, at time: Timestamp
    ) throws {
        try database.run("DELETE FROM send_keys WHERE used_at <= ?", time - ChatStore.keyLife)
        try database.run(
            """
            INSERT OR REPLACE INTO send_keys (chat_id, key, item_id, last_item_id, used_at)
            VALUES (\(chat.row()), ?, ?, ?, ?)
            """, chat.number, key, item.number, last == item ? nil : last.number, time)
    }
}

extension Timestamp {
    fileprivate static func - (moment: Timestamp, duration: Duration) -> Timestamp { moment + (.zero - duration) }
}
