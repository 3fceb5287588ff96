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
        \(storedMember("items.forwarded_by")), items.is_from_group, items.signature
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

    func status(of id: ChatItemID) throws -> ChatItem.Status? {
        try database.first("SELECT status FROM items WHERE item_id = ?", id.number) { row throws(StoreError) in
            guard let status = ChatItem.Status(text: try row.text()) else { throw StoreError(.damaged) }
            return status
        }
    }

    func update(_ id: ChatItemID, status: ChatItem.Status) throws {
        try database.run("UPDATE items SET status = ? WHERE item_id = ?", status.text, id.number)
    }

    /// Marks all entries of a chat as read, or those of the conversation of a member of a group with the moderators. As in the
    /// official core the mark of the user stays, and so do the counts of conversations with the moderators until each is read.
    func markRead(_ chat: ChatReference, support: GroupMemberID? = nil, at time: Timestamp) throws {
        try database.run(
            """
            UPDATE items SET status = 'rcv_read',
                delete_at = iif(is_live IS 1, delete_at, ?2 + min(ttl, 9999999999) * 1000)
            WHERE status = 'rcv_new' AND chat_id = \(chat.row("?1")) AND (?3 IS NULL OR support_id = ?3)
            """, chat.number, time, support?.number)
        guard let support else {
            return try database.run(
                "UPDATE chats SET unread_count = 0, unread_mentions = 0 WHERE \(chat.column) = ?", chat.number)
        }
        try database.run(
            """
            UPDATE group_members SET support_unread = 0, support_attention = 0, support_mentions = 0
            WHERE group_member_id = ?
            """, support.number)
    }

    /// Marks some entries of a conversation as read; those that are not in it, or read already, stay as they are.
    func markRead(_ ids: [ChatItemID], in chat: ChatReference, at time: Timestamp) throws {
        for itemID in ids {
            guard let item = try item(itemID), item.chat == chat, item.status == .receivedNew else { continue }
            try update(itemID, status: .receivedRead)
            try startTimer(of: itemID, at: time)
        }
        try recount(chat)
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
        let sharedID = try optional { row throws(StoreError) in try row.sharedID() }
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
        entry.isFromGroup = try bool()
        entry.signature = try optional { row throws(StoreError) in try row.word() }
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

extension Row {
    /// The shared id of a message.
    ///
    /// - Throws: ``StoreError/Code/damaged`` for a size that no id has.
    mutating func sharedID() throws(StoreError) -> SharedMessageID {
        guard let id = SharedMessageID(stored: try bytes()) else { throw StoreError(.damaged) }
        return id
    }
}
