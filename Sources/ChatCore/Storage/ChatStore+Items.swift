import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension ChatStore {
    private static let itemColumns = """
        item_id, \(referenceColumns), direction, kind, content, items.status, shared_id, time, items.created_at,
        quote, is_forwarded, edited_at, deleted_at, ttl, delete_at,
        (SELECT json_group_array(json_array(given.direction, json(given.reaction), given.member, given.name)) FROM (
            SELECT reactions.direction, reactions.reaction, NULL AS member, NULL AS name FROM reactions
            WHERE reactions.item_id = items.item_id
            UNION ALL SELECT 'received', member_reactions.reaction, group_members.group_member_id, group_members.name
            FROM member_reactions JOIN group_members USING (group_member_id)
            WHERE member_reactions.item_id = items.item_id AND member_reactions.is_given) AS given),
        is_live, forwarded_from,
        (SELECT quoted.item_id FROM items AS quoted WHERE quoted.item_id = items.quoted_item_id),
        \(fileOfItem),
        items.author_id, items.support_id, \(presentMentions), items.mentions_user, items.removal,
        \(memberColumns(of: "authors", profile: "chats.profile_id").joined(separator: ", ")),
        \(storedMember("items.quoted_author_id")), \(storedMember("items.moderator_id")),
        \(storedMember("items.forwarded_by"))
        """

    /// The mentions of an entry, with the names and roles that the members have now.
    private static let presentMentions = """
        iif(items.mentions IS NULL, NULL, (
            SELECT json_group_object(each.key, json(iif(mentioned.group_member_id IS NULL, each.value, json_set(
                each.value, '$.memberRef.memberRole', mentioned.role, '$.memberRef.displayName',
                coalesce(mentioned.profile ->> '$.displayName', each.value ->> '$.memberRef.displayName')))))
            FROM json_each(items.mentions) AS each LEFT JOIN group_members AS mentioned
                ON mentioned.group_member_id = each.value ->> '$.memberRef.groupMemberId'))
        """

    /// The author of an entry of a group. Other members are in few entries: see ``storedMember(_:)``.
    private static let itemMembers = "LEFT JOIN group_members AS authors ON authors.group_member_id = items.author_id"

    static let itemQuery = "SELECT \(itemColumns) FROM items JOIN chats USING (chat_id) \(itemMembers)"

    /// The same for a query that goes through the entries of all conversations in their order. SQLite would go through one
    /// conversation after the other, and sort everything for each page.
    static let orderedItemQuery = "SELECT \(itemColumns) FROM items CROSS JOIN chats USING (chat_id) \(itemMembers)"

    // MARK: - Reading

    func item(_ id: ChatItemID) throws -> ChatItem? {
        try database.first("\(ChatStore.itemQuery) WHERE item_id = ?", id.number) { row throws(StoreError) in
            try row.item()
        }
    }

    /// The entries of a conversation that people see, oldest first.
    ///
    /// - Parameters:
    ///   - search: What the messages say; nil or nothing for all.
    ///   - support: In a group, the member whose conversation with the moderators is meant; nil for that of all members.
    func items(
        in chat: ChatReference, _ range: ItemRange, search: String? = nil, kind: String? = nil,
        support: GroupMemberID? = nil
    ) throws -> [ChatItem] {
        // A number of the database, not a text of a person.
        let scope = support.map { "items.support_id = \($0.number)" } ?? "items.support_id IS NULL"
        let choice = "\(ChatStore.itemQuery) WHERE \(scope) AND chats.\(chat.column)"
        return try items(choice, chat.number, range, search, kind)
    }

    /// The entries of a conversation, oldest first, with those that people do not see, which stand where they were made. Those
    /// say nothing that could be searched.
    func allItems(in chat: ChatReference, _ range: ItemRange, search: String? = nil) throws -> [ChatItem] {
        if let search, !search.isEmpty { return try items(in: chat, range, search: search) }
        let hidden = try database.rows(
            "\(ChatStore.itemQuery) WHERE chats.\(chat.column) = ? AND item_id < 0 ORDER BY item_id DESC", chat.number
        ) { row throws(StoreError) in try row.item() }
        switch range {
        case .last(let count):
            return try items(in: chat, range).mixed(with: hidden).suffix(max(count, 0))
        case .before(let id, let count):
            guard let anchor = try item(id) else { return [] }
            let isHidden = id.number < 0
            let items =
                isHidden
                ? try items(in: chat, "items.created_at < ?2 ORDER BY item_id DESC", anchor.createdAt, count).reversed()
                : try items(in: chat, range)
            let earlier = hidden.filter { isHidden ? $0.id > id : $0.createdAt <= anchor.createdAt }
            return items.mixed(with: earlier).suffix(max(count, 0))
        case .after(let id, let count):
            guard let anchor = try item(id) else { return [] }
            let isHidden = id.number < 0
            let items =
                isHidden
                ? try items(in: chat, "items.created_at >= ?2 ORDER BY item_id", anchor.createdAt, count)
                : try items(in: chat, range)
            let later = hidden.filter { isHidden ? $0.id < id : $0.createdAt > anchor.createdAt }
            return Array(items.mixed(with: later).prefix(max(count, 0)))
        case .around(let id, let count):
            guard let anchor = try item(id), anchor.chat == chat else { return [] }
            return try allItems(in: chat, .before(id, count)) + [anchor] + allItems(in: chat, .after(id, count))
        case .initial(let count):
            let choice = "\(ChatStore.itemQuery) WHERE chats.\(chat.column)"
            return try allItems(in: chat, pivot(choice, chat.number).map { .around($0, count) } ?? .last(count))
        }
    }

    private func items(
        in chat: ChatReference, _ choice: String, _ time: Timestamp, _ count: Int
    ) throws -> [ChatItem] {
        try database.rows(
            "\(ChatStore.itemQuery) WHERE chats.\(chat.column) = ?1 AND item_id > 0 AND \(choice) LIMIT ?3",
            chat.number, time, count
        ) { row throws(StoreError) in try row.item() }
    }

    /// The entries of all conversations of a profile that people see, oldest first.
    func items(of id: ProfileID, _ range: ItemRange, search: String? = nil) throws -> [ChatItem] {
        try items("\(ChatStore.orderedItemQuery) WHERE chats.profile_id", id.number, range, search)
    }

    private func items(
        _ choice: String, _ owner: Int64, _ range: ItemRange, _ search: String?, _ kind: String? = nil
    ) throws -> [ChatItem] {
        // Links are found by reading the text, and these signs are in each.
        let query = """
            \(choice) = ?1 AND item_id > 0 AND (?5 IS NULL OR items.kind = 'message' AND (items.content ->> '$.type' = ?5
                OR ?5 = 'link' AND items.content ->> '$.text' GLOB '*[.:#@]*'))
            AND (?2 IS NULL OR items.kind = 'message' AND items.content ->> '$.text' LIKE '%' || ?2 || '%') AND item_id
            """
        let words = search.flatMap { $0.isEmpty ? nil : $0 }
        switch range {
        case .last(let count):
            return try chosen("\(query) < ?3 ORDER BY item_id DESC LIMIT ?4", owner, words, .max, count, kind)
                .reversed()
        case .before(let id, let count):
            return try chosen("\(query) < ?3 ORDER BY item_id DESC LIMIT ?4", owner, words, id.number, count, kind)
                .reversed()
        case .after(let id, let count):
            return try chosen("\(query) > ?3 ORDER BY item_id LIMIT ?4", owner, words, id.number, count, kind)
        case .around(let id, let count):
            let former = try items(choice, owner, .before(id, count), search, kind)
            let found = try database.rows("\(choice) = ? AND item_id = ?", owner, id.number) {
                row throws(StoreError) in try row.item()
            }
            return try former + found + items(choice, owner, .after(id, count), search, kind)
        case .initial(let count):
            return try items(
                choice, owner, pivot(choice, owner).map { .around($0, count) } ?? .last(count), search, kind)
        }
    }

    /// Where the user reads on: the newest message that was seen or sent, else the first unread one; nil if all are read.
    ///
    /// - Parameter order: The columns by which the entries are ordered.
    func pivot(_ choice: String, _ owner: Int64, by order: [String] = ["item_id"]) throws -> ChatItemID? {
        let first = order.joined(separator: ", "), last = order.map { "\($0) DESC" }.joined(separator: ", ")
        let unread = try database.first(
            "\(choice) = ? AND items.status = 'rcv_new' ORDER BY \(first) LIMIT 1", owner
        ) { row throws(StoreError) in try row.item() }
        guard let unread else { return nil }
        let seen = try database.first(
            """
            \(choice) = ? AND items.kind = 'message' AND (items.direction = 'sent' OR items.status = 'rcv_read')
            ORDER BY \(last) LIMIT 1
            """, owner
        ) { row throws(StoreError) in try row.item() }
        return (seen ?? unread).id
    }

    /// So many entries behind a place, in the order of a query.
    private func chosen(
        _ query: String, _ owner: Int64, _ words: String?, _ place: Int64, _ count: Int, _ kind: String?
    ) throws -> [ChatItem] {
        var found: [ChatItem] = [], place = place, isAtEnd = false
        while found.count < count, !isAtEnd {
            let page = try database.rows(query, owner, words, place, count, kind) { row throws(StoreError) in
                try row.item()
            }
            found += kind == "link" ? page.filter(\.hasLink) : page
            isAtEnd = page.count < count
            place = page.last?.id.number ?? place
        }
        return Array(found.prefix(max(count, 0)))
    }

    /// The last message of a conversation that begins with a text, whatever its case.
    func lastMessage(
        beginning text: String, _ direction: ChatItem.Direction?, in chat: ChatReference
    ) throws -> ChatItemID? {
        try database.first(
            """
            SELECT item_id FROM items JOIN chats USING (chat_id)
            WHERE chats.\(chat.column) = ?1 AND items.kind = 'message' AND (?2 IS NULL OR direction = ?2)
                AND items.content ->> '$.text' LIKE ?3 || '%'
            ORDER BY item_id DESC LIMIT 1
            """, chat.number, direction?.rawValue, text
        ) { row throws(StoreError) in ChatItemID(try row.int64()) }
    }

    /// What is behind the last of some entries of a conversation: how many others, and how many of them are unread.
    func rest(of chat: ChatReference, behind id: ChatItemID) throws -> (all: Int, unread: Int) {
        try database.first(
            """
            SELECT count(*), coalesce(sum(items.status = 'rcv_new'), 0) FROM items JOIN chats USING (chat_id)
            WHERE chats.\(chat.column) = ? AND item_id > ?
            """, chat.number, id.number
        ) { row throws(StoreError) in (try row.int(), try row.int()) } ?? (0, 0)
    }

    /// The newest entries of the conversations that were active last.
    func lastItems(of id: ProfileID, _ count: Int) throws -> [ChatReference: ChatItem] {
        let items = try database.rows(
            """
            SELECT \(ChatStore.itemColumns) FROM chats CROSS JOIN items ON items.item_id = chats.last_item_id
                \(ChatStore.itemMembers)
            WHERE chats.profile_id = ? AND last_item_id IS NOT NULL ORDER BY active_at DESC, chats.chat_id DESC LIMIT ?
            """, id.number, count
        ) { row throws(StoreError) in try row.item() }
        return Dictionary(items.map { ($0.chat, $0) }) { first, _ in first }
    }

    /// The entry that both sides know by an id.
    func item(_ sharedID: SharedMessageID, _ direction: ChatItem.Direction, in chat: ChatReference) throws -> ChatItem?
    {
        try database.first(
            "\(ChatStore.itemQuery) WHERE chats.\(chat.column) = ? AND shared_id = ? AND direction = ?", chat.number,
            sharedID.bytes, direction.rawValue
        ) { row throws(StoreError) in try row.item() }
    }

    /// The entries that clearing a conversation keeps: those in the outbox, and the banner.
    static let isKept = "(\(isUnsent) OR items.kind = 'banner')"

    /// What is in the outbox, in the words of its index.
    static let isUnsent = """
        items.status IN ('snd_new', 'snd_warning quota', 'snd_warning host', 'snd_warning version')
        """

    /// Entries that were written and that the agent may not have yet, oldest first.
    func unsentItems() throws -> [ChatItem] {
        try database.rows("\(ChatStore.itemQuery) WHERE \(ChatStore.isUnsent) ORDER BY item_id") {
            row throws(StoreError) in try row.item()
        }
    }

    /// The number of newest messages to groups that are searched for those that wait for some members. It limits the time of
    /// the search: a message has a delivery for each member.
    private static let newestGroupMessages = 2_000

    /// Entries that the relays of some members of a group have, and that wait in the outbox for other members.
    private static let isPartlySent = """
        items.status IN ('snd_sent partial', 'snd_rcvd ok partial', 'snd_rcvd badMsgHash partial')
            AND items.item_id IN (
                SELECT item_id FROM
                    (SELECT group_message_id FROM group_messages ORDER BY group_message_id DESC LIMIT \(newestGroupMessages))
                    JOIN group_message_items USING (group_message_id) JOIN group_deliveries USING (group_message_id)
                WHERE group_deliveries.status IN ('owed', 'new'))
        """

    /// Entries that some members of a group have and others not, because they wait in the outbox; oldest first.
    func partlySentItems() throws -> [ChatItem] {
        try database.rows("\(ChatStore.itemQuery) WHERE \(ChatStore.isPartlySent) ORDER BY item_id") {
            row throws(StoreError) in try row.item()
        }
    }

    /// How many entries of some profiles are in the outbox, and how many of them are held up. Those that wait for some members
    /// of a group are counted too.
    func outboxCounts(of profiles: Set<ProfileID>) throws -> (waiting: Int, heldUp: Int) {
        let unsent = try unsentCounts(of: profiles)
        let partly = try database.rows(
            """
            SELECT chats.profile_id, count(*) FROM items JOIN chats USING (chat_id)
                WHERE \(ChatStore.isPartlySent) GROUP BY chats.profile_id
            """
        ) { row throws(StoreError) in (ProfileID(try row.int64()), try row.int()) }
        let count = partly.filter { profiles.contains($0.0) }.reduce(0) { $0 + $1.1 }
        return (unsent.waiting + count, unsent.heldUp)
    }

    private func unsentCounts(of profiles: Set<ProfileID>) throws -> (waiting: Int, heldUp: Int) {
        let counts = try database.rows(
            """
            SELECT chats.profile_id, count(*), sum(items.status != 'snd_new') FROM items JOIN chats USING (chat_id)
                WHERE \(ChatStore.isUnsent) GROUP BY chats.profile_id
            """
        ) { row throws(StoreError) in (ProfileID(try row.int64()), try row.int(), try row.int()) }
        return counts.filter { profiles.contains($0.0) }.reduce((0, 0)) { ($0.0 + $1.1, $0.1 + $1.2) }
    }

    /// How many own messages of some profiles were not confirmed although later ones were, or arrived altered; in the words of
    /// the index.
    func unconfirmedCount(of profiles: Set<ProfileID>) throws -> Int {
        let counts = try database.rows(
            """
            SELECT chats.profile_id, count(*) FROM items JOIN chats USING (chat_id)
            WHERE items.status IN ('snd_sent unconfirmed', 'snd_rcvd badMsgHash complete') GROUP BY chats.profile_id
            """
        ) { row throws(StoreError) in (ProfileID(try row.int64()), try row.int()) }
        return counts.filter { profiles.contains($0.0) }.reduce(0) { $0 + $1.1 }
    }

    // MARK: - Writing

    /// Appends an entry to a conversation, which becomes the most active one.
    func insertItem(
        _ content: ChatItem.Content, _ direction: ChatItem.Direction, in chat: ChatReference,
        sharedID: SharedMessageID?,
        quote: Quote? = nil, isForwarded: Bool = false, source: ForwardSource? = nil, ttl: Int64? = nil,
        isLive: Bool = false, isUnread: Bool = true, time: Timestamp, at now: Timestamp
    ) throws -> ChatItemID {
        let isUnread = direction == .received && isUnread
        let status: ChatItem.Status = direction == .sent ? .sendNew : isUnread ? .receivedNew : .receivedRead
        let quoted = try quote?.reference.id.flatMap { try item($0, in: chat) }
        try database.run(
            """
            INSERT INTO items (chat_id, direction, kind, content, status, shared_id, quote, quoted_item_id, is_forwarded,
                forwarded_from, ttl, is_live, time, created_at)
            SELECT chat_id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM chats WHERE \(chat.column) = ?
            """, direction.rawValue, content.kind, content.text, status.text, sharedID?.bytes, quote?.json.line,
            quoted?.id.number, isForwarded, source?.json.line, ttl, isLive ? true : nil, time, now, chat.number)
        let itemID = ChatItemID(database.lastInsertedID)
        try database.run(
            """
            UPDATE chats SET last_item_id = ?, active_at = ?, unread_count = min(unread_count, 2147483647) + ?,
                is_deleted = 0
            WHERE \(chat.column) = ?
            """, itemID.number, now, isUnread ? 1 : 0, chat.number)
        return itemID
    }

    func status(of id: ChatItemID) throws -> ChatItem.Status? {
        try database.first("SELECT status FROM items WHERE item_id = ?", id.number) { row throws(StoreError) in
            guard let status = ChatItem.Status(text: try row.text()) else { throw StoreError(.damaged) }
            return status
        }
    }

    func update(_ id: ChatItemID, status: ChatItem.Status) throws {
        try database.run("UPDATE items SET status = ? WHERE item_id = ?", status.text, id.number)
    }

    /// Marks all entries of a conversation as read. The mark of the user stays, as in the official core.
    func markRead(_ chat: ChatReference, at time: Timestamp) throws {
        if case .group(let id) = chat { return try markRead(id, support: nil, at: time) }
        try database.run(
            """
            UPDATE items SET status = 'rcv_read',
                delete_at = iif(is_live IS 1, delete_at, ?2 + min(ttl, 9999999999) * 1000)
            WHERE status = 'rcv_new' AND chat_id = \(chat.row("?1"))
            """, chat.number, time)
        try database.run("UPDATE chats SET unread_count = 0 WHERE \(chat.column) = ?", chat.number)
    }

    /// Marks some entries of a conversation as read; those that are not in it, or read already, stay as they are.
    func markRead(_ ids: [ChatItemID], in chat: ChatReference, at time: Timestamp) throws {
        for itemID in ids {
            guard let item = try item(itemID), item.chat == chat, item.status == .receivedNew else { continue }
            try update(itemID, status: .receivedRead)
            try startTimer(of: itemID, at: time)
            guard item.group == nil else { continue }
            try database.run(
                "UPDATE chats SET unread_count = max(unread_count, 1) - 1 WHERE \(chat.column) = ?", chat.number)
        }
        if case .group(let id) = chat { try recountUnread(of: id) }
    }
}

extension [ChatItem] {
    /// The same with others between them: each before the first that is not older.
    fileprivate func mixed(with others: [ChatItem]) -> [ChatItem] {
        var mixed: [ChatItem] = [], rest = others[...]
        for item in self {
            while let other = rest.first, other.createdAt <= item.createdAt {
                mixed.append(other)
                rest = rest.dropFirst()
            }
            mixed.append(item)
        }
        return mixed + rest
    }
}

extension Row {
    mutating func item() throws(StoreError) -> ChatItem {
        let id = ChatItemID(try int64())
        let chat = try chatReference()
        let direction: ChatItem.Direction = try word()
        let kind = try text()
        guard let content = ChatItem.Content(kind: kind, text: try text()),
            let status = ChatItem.Status(text: try text())
        else { throw StoreError(.damaged) }
        let sharedID = try optional { row throws(StoreError) in SharedMessageID(try row.bytes()) }
        let time = try timestamp()
        let createdAt = try timestamp()
        let quote = try optional { row throws(StoreError) in try row.quote() }
        let isForwarded = try bool()
        let editedAt = try optional { row throws(StoreError) in try row.timestamp() }
        let deletedAt = try optional { row throws(StoreError) in try row.timestamp() }
        let ttl = try optional { row throws(StoreError) in try row.int64(in: ChatStore.lifetimes) }
        let expiresAt = try optional { row throws(StoreError) in try row.timestamp() }
        let reactions = try reactions()
        let isLive = try optional { row throws(StoreError) in try row.bool() }
        let source = try optional { row throws(StoreError) in try row.forwardSource() }
        let quotedID = try optional { row throws(StoreError) in ChatItemID(try row.int64()) }
        let file = try fileOfItem()
        return ChatItem(
            id: id, chat: chat, direction: direction, content: content, status: status,
            sharedID: sharedID, time: time, createdAt: createdAt, quote: quote, isForwarded: isForwarded,
            editedAt: editedAt, deletedAt: deletedAt, reactions: reactions, ttl: ttl, expiresAt: expiresAt,
            isLive: isLive, source: source, quotedID: quotedID, group: try groupEntry(of: chat),
            file: file)
    }

    /// What only entries of groups have.
    private mutating func groupEntry(of chat: ChatReference) throws(StoreError) -> GroupEntry? {
        guard case .group = chat else { return nil }
        skip(1)
        var entry = GroupEntry()
        entry.supportID = try optional { row throws(StoreError) in GroupMemberID(try row.int64()) }
        let mentions = try optional { row throws(StoreError) in try row.text() }
        entry.mentionsUser = try bool()
        entry.removal = try optional { row throws(StoreError) in try row.word() }
        if let mentions {
            guard let fields = (try? JSONValue(decoding: Bytes(mentions.utf8)))?.object,
                let read = try? [String: GroupEntry.Mention](fields)
            else { throw StoreError(.damaged) }
            entry.mentions = read
        }
        entry.author = try optionalMember()
        entry.quotedAuthor = try optional { row throws(StoreError) in try row.storedMember() }
        entry.moderator = try optional { row throws(StoreError) in try row.storedMember() }
        entry.forwarder = try optional { row throws(StoreError) in try row.storedMember() }
        return entry
    }

    /// A member that a query joins from the left.
    private mutating func optionalMember() throws(StoreError) -> GroupMember? {
        guard try !isNull() else {
            skip(ChatStore.memberColumnCount)
            return nil
        }
        return try member()
    }

    private mutating func forwardSource() throws(StoreError) -> ForwardSource {
        guard let source = try? ForwardSource(decoding: Bytes(try text().utf8)) else { throw StoreError(.damaged) }
        return source
    }

    private mutating func quote() throws(StoreError) -> Quote {
        guard let quote = try? Quote(decoding: Bytes(try text().utf8)) else { throw StoreError(.damaged) }
        return quote
    }

    /// A list of reactions: direction, reaction, and the number and name of the member of a group.
    private mutating func reactions() throws(StoreError) -> [ItemReaction] {
        let text = try text()
        guard text != "[]" else { return [] }
        guard let entries = try? JSONValue(decoding: Bytes(text.utf8)).array else { throw StoreError(.damaged) }
        var reactions: [ItemReaction] = []
        for entry in entries {
            guard let parts = entry.array, parts.count == 4, let word = parts[0].string, let fields = parts[1].object,
                let direction = ChatItem.Direction(rawValue: word), let reaction = try? Reaction(stored: fields)
            else { throw StoreError(.damaged) }
            var given = ItemReaction(direction: direction, reaction: reaction)
            if let number = parts[2].integer, let name = parts[3].string {
                given.member = ItemReaction.Member(id: GroupMemberID(number), name: name)
            }
            reactions.append(given)
        }
        return reactions.filter { $0.direction == .sent } + reactions.filter { $0.direction == .received }
    }
}
