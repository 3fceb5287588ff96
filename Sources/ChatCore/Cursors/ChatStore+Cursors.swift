import AgentProtocol
import ByteCoding
import Store

/// A row of the cursors.
struct StoredCursor {
    let name: String
    /// The only chat that it goes through; nil for all of the profile.
    let chat: ChatReference?
    let place: ChatItemID?
    let movedAt: Timestamp
    let failure: Cursor.Failure?
}

extension ChatStore {
    private static let cursorQuery = """
        SELECT name, \(referenceColumns), item_id, moved_at, failed_item_id, failures
        FROM cursors LEFT JOIN chats USING (chat_id) WHERE cursors.profile_id = ?
        """

    func cursors(of id: ProfileID) throws -> [StoredCursor] {
        try database.rows("\(ChatStore.cursorQuery) ORDER BY name", id.number) { row throws(StoreError) in
            try row.cursor()
        }
    }

    func cursor(named name: String, of id: ProfileID) throws -> StoredCursor? {
        try database.first("\(ChatStore.cursorQuery) AND name = ?", id.number, name) { row throws(StoreError) in
            try row.cursor()
        }
    }

    func setCursor(
        _ name: String, of id: ProfileID, in chat: ChatReference?, past place: ChatItemID?, at time: Timestamp
    ) throws {
        try database.run(
            """
            INSERT INTO cursors (profile_id, name, chat_id, item_id, moved_at)
            VALUES (?1, ?2, \(chat?.row("?3") ?? "?3"), ?4, ?5)
            ON CONFLICT DO UPDATE SET item_id = ?4, moved_at = ?5, failed_item_id = NULL, failures = 0
            """, id.number, name, chat?.number, place?.number ?? 0, time)
    }

    /// Counts a failure of a program. Failures for another entry are forgotten.
    func noteFailure(for item: ChatItemID, behind name: String, of id: ProfileID) throws {
        try database.run(
            """
            UPDATE cursors SET failed_item_id = ?3, failures = CASE WHEN failed_item_id = ?3 THEN failures ELSE 0 END + 1
            WHERE profile_id = ?1 AND name = ?2
            """, id.number, name, item.number)
    }

    /// Whether there was one.
    func removeCursor(_ name: String, of id: ProfileID) throws -> Bool {
        try database.run("DELETE FROM cursors WHERE profile_id = ? AND name = ?", id.number, name)
        return database.changes > 0
    }

    /// The newest entry of a profile, or of one of its conversations.
    func newestItem(of id: ProfileID, in chat: ChatReference?) throws -> ChatItemID? {
        var query = ItemQuery()
        query.chat = chat
        query.count = 1
        return try items(of: id, query).last?.id
    }

    /// How many entries are behind a place.
    func countItems(of id: ProfileID, in chat: ChatReference?, after place: ChatItemID?) throws -> Int {
        try database.first(
            """
            SELECT count(*) FROM chats JOIN items USING (chat_id)
            WHERE chats.profile_id = ?1 AND (?2 IS NULL OR chats.\(chat?.column ?? "chat_id") = ?2) AND item_id > ?3
            """, id.number, chat?.number, place?.number ?? 0
        ) { row throws(StoreError) in try row.int() } ?? 0
    }

    // MARK: - Looking for entries

    /// How many entries are looked at together where the words have to be compared here.
    private static let page = 1000

    /// The entries that a query means, oldest first.
    func items(of id: ProfileID, _ query: ItemQuery) throws -> [ChatItem] {
        let limit = query.count ?? .max
        guard query.words != nil else { return try page(of: id, query, limit, beyond: nil).inOrder(query) }
        var found: [ChatItem] = []
        var last: ChatItemID?
        while found.count < limit {
            let page = try page(of: id, query, ChatStore.page, beyond: last)
            found += page.lazy.filter(query.accepts).prefix(limit - found.count)
            last = page.last?.id
            if page.count < ChatStore.page { break }
        }
        return found.inOrder(query)
    }

    /// Entries in the order in which they are looked through: from the oldest, or from the newest.
    private func page(
        of id: ProfileID, _ query: ItemQuery, _ count: Int, beyond last: ChatItemID?
    ) throws -> [ChatItem] {
        var first = query.after?.number ?? 0, end = Int64.max
        if let last { if query.takesOldest { first = last.number } else { end = last.number } }
        let owner = "chats.\(query.chat?.column ?? "profile_id") = ?1"
        // What is unread has an index of its own.
        let isOrdered = query.chat == nil && !query.isUnread
        return try database.rows(
            """
            \(isOrdered ? ChatStore.orderedItemQuery : ChatStore.itemQuery)
            WHERE \(owner) AND item_id > ?2 AND item_id < ?3 AND time >= ?4 AND time < ?5
            \(query.isUnread ? "AND items.status = 'rcv_new'" : "") \(query.support?.condition ?? "")
            \(query.direction?.condition ?? "")
            AND (?6 IS NULL OR content LIKE ?6 OR kind != 'message')
            ORDER BY item_id \(query.takesOldest ? "" : "DESC") LIMIT ?7
            """, query.chat?.number ?? id.number, first, end, query.since ?? Timestamp(milliseconds: .min),
            query.until ?? Timestamp(milliseconds: .max), query.plainWords.map { "%\($0)%" }, count
        ) { row throws(StoreError) in try row.item() }
    }
}

extension ItemQuery.Support {
    /// The condition of a query; numbers of the database, not texts of people.
    fileprivate var condition: String {
        switch self {
        case .all: "AND items.support_id IS NOT NULL"
        case .member(let id): "AND items.support_id = \(id.number)"
        case .none: "AND items.support_id IS NULL"
        }
    }
}

extension ChatItem.Direction {
    /// The condition of a query for messages that are not deleted.
    fileprivate var condition: String {
        """
        AND items.direction = '\(rawValue)' AND items.kind = 'message' AND items.deleted_at IS NULL
        AND items.removal IS NULL
        """
    }
}

extension [ChatItem] {
    /// Oldest first. The newest of a group are in the order of their times: each member has a queue of its own, so a member
    /// who was away receives answers before questions.
    fileprivate func inOrder(_ query: ItemQuery) -> [ChatItem] {
        if query.takesOldest { return self }
        guard case .group = query.chat else { return reversed() }
        return sorted { ($0.relaySecond, $0.id.number) < ($1.relaySecond, $1.id.number) }
    }
}

extension ChatItem {
    /// The second of a relay's clock, which tells whole seconds only. What belongs before a message of that second has its time
    /// less a millisecond.
    fileprivate var relaySecond: Int64 { (time + .milliseconds(1)).seconds }
}

extension Row {
    fileprivate mutating func cursor() throws(StoreError) -> StoredCursor {
        let name = try text()
        let chat = try optionalChatReference()
        let place = try int64()
        let movedAt = try timestamp()
        let failed = try optional { row throws(StoreError) in ChatItemID(try row.int64()) }
        let count = try int()
        return StoredCursor(
            name: name, chat: chat, place: place > 0 ? ChatItemID(place) : nil, movedAt: movedAt,
            failure: failed.map { Cursor.Failure(item: $0, count: count) })
    }
}
