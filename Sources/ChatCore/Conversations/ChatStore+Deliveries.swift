import AgentProtocol
import ByteCoding
import ChatProtocol
import Store

/// A payload for members of a group, in its one form for all of them.
struct GroupMessage {
    let number: Int64
    let groupID: GroupID
    /// The token of the agent: the id of its first message.
    let token: Bytes
    let body: Bytes
    let notifies: Bool
}

/// What became of a message at one member.
public enum MemberDelivery: String, CaseIterable, Sendable {
    /// The agent does not have it yet.
    case owed
    /// It waits until the member is connected.
    case pending
    /// In the outbox of the agent.
    case new
    /// The user took it out of the outbox, which the agent may not know yet.
    case withdrawn
    /// Another member passes it on.
    case forwarded
    /// The member's queue is full: it waits until the relay says that it is not.
    case inactive
    case sent
    case received
    /// The member received something else.
    case receivedAltered
    /// The relay does not take it.
    case error
}

extension ChatStore {
    private static let groupMessageQuery =
        "SELECT group_message_id, group_id, message_id, body, notifies FROM group_messages"

    /// Inserts a message with what is to become of it at each member. Must be called within a transaction.
    func insertGroupMessage(
        _ body: Bytes, token: Bytes, notifies: Bool, items: [ChatItemID], of id: GroupID,
        to deliveries: [(GroupMemberID, MemberDelivery)], at time: Timestamp
    ) throws -> Int64 {
        try database.run(
            """
            INSERT INTO group_messages (group_id, message_id, body, notifies, created_at) VALUES (?, ?, ?, ?, ?)
            """, id.number, token, body, notifies, time)
        let number = database.lastInsertedID
        for item in items {
            try database.run(
                "INSERT INTO group_message_items (item_id, group_message_id) VALUES (?, ?)", item.number, number)
        }
        for (member, delivery) in deliveries {
            try database.run(
                "INSERT INTO group_deliveries (group_message_id, group_member_id, status) VALUES (?, ?, ?)", number,
                member.number, delivery.rawValue)
        }
        return number
    }

    func groupMessage(_ number: Int64) throws -> GroupMessage? {
        try database.first("\(ChatStore.groupMessageQuery) WHERE group_message_id = ?", number) {
            row throws(StoreError) in try row.groupMessage()
        }
    }

    /// The messages that the agent does not have for some member, oldest first.
    func owedGroupMessages() throws -> [Int64] {
        try database.rows(
            """
            SELECT DISTINCT group_message_id FROM group_deliveries
            WHERE status IN ('owed', 'pending', 'inactive') AND status = 'owed' ORDER BY group_message_id
            """
        ) { row throws(StoreError) in try row.int64() }
    }

    /// The messages that wait until a member is connected, or its queue is no longer full, oldest first.
    func pendingGroupMessages(for id: GroupMemberID) throws -> [Int64] {
        try database.rows(
            """
            SELECT group_message_id FROM group_deliveries WHERE group_member_id = ? AND status IN ('pending', 'inactive')
            ORDER BY group_message_id
            """, id.number
        ) { row throws(StoreError) in try row.int64() }
    }

    func hasPendingGroupMessages(for id: GroupMemberID) throws -> Bool {
        try database.first(
            "SELECT 1 FROM group_deliveries WHERE group_member_id = ? AND status = 'pending' LIMIT 1", id.number
        ) { _ in true } ?? false
    }

    /// The members that a message has come so far with.
    func members(of message: Int64, _ delivery: MemberDelivery) throws -> [GroupMemberID] {
        try database.rows(
            "SELECT group_member_id FROM group_deliveries WHERE group_message_id = ? AND status = ?", message,
            delivery.rawValue
        ) { row throws(StoreError) in GroupMemberID(try row.int64()) }
    }

    func update(_ message: Int64, _ member: GroupMemberID, _ delivery: MemberDelivery) throws {
        try database.run(
            "UPDATE group_deliveries SET status = ? WHERE group_message_id = ? AND group_member_id = ?",
            delivery.rawValue, message, member.number)
    }

    /// Records that the agent has a message for a member, unless more is known already.
    func handedOver(_ message: Int64, _ member: GroupMemberID, _ delivery: MemberDelivery) throws {
        try database.run(
            """
            UPDATE group_deliveries SET status = ? WHERE group_message_id = ? AND group_member_id = ? AND status = 'owed'
            """, delivery.rawValue, message, member.number)
    }

    /// Notes that a message is taken out of the outbox of the agent, or that it stays there.
    func setWithdrawn(_ isWithdrawn: Bool, _ message: Int64) throws {
        let (former, changed): (MemberDelivery, MemberDelivery) = isWithdrawn ? (.new, .withdrawn) : (.withdrawn, .new)
        try database.run(
            "UPDATE group_deliveries SET status = ? WHERE group_message_id = ? AND status = ?", changed.rawValue,
            message, former.rawValue)
    }

    /// The entries that the user took out of the outbox when the program ended.
    func withdrawnItems() throws -> [ChatItemID] {
        // Few messages are in the outbox, and only those are looked at.
        try database.rows(
            """
            SELECT DISTINCT items.item_id FROM items JOIN group_message_items USING (item_id)
                JOIN group_deliveries USING (group_message_id)
            WHERE \(ChatStore.isUnsent) AND group_deliveries.status = 'withdrawn' ORDER BY items.item_id
            """
        ) { row throws(StoreError) in ChatItemID(try row.int64()) }
    }

    /// Removes a message that all members got. The row of an entry stays without its body, because it has the delivery states.
    func settleGroupMessage(_ number: Int64) throws {
        let isWaiting =
            try database.first(
                """
                SELECT 1 FROM group_deliveries WHERE group_message_id = ? AND status IN ('owed', 'pending', 'inactive')
                """, number
            ) { _ in true } ?? false
        guard !isWaiting else { return }
        let isItem = "group_message_id IN (SELECT group_message_id FROM group_message_items)"
        try database.run(
            "UPDATE group_messages SET body = x'' WHERE group_message_id = ? AND \(isItem)", number)
        try database.run("DELETE FROM group_messages WHERE group_message_id = ? AND NOT (\(isItem))", number)
    }

    /// What became of an entry at each member that it was sent to.
    func deliveries(of id: ChatItemID) throws -> [(member: GroupMemberID, delivery: MemberDelivery)] {
        try database.rows(
            """
            SELECT group_member_id, status FROM group_message_items JOIN group_deliveries USING (group_message_id)
            WHERE item_id = ? ORDER BY group_member_id
            """, id.number
        ) { row throws(StoreError) in (GroupMemberID(try row.int64()), try row.word()) }
    }

    /// The number of members at each of which an entry has come so far.
    func deliveryCounts(of id: ChatItemID) throws -> [MemberDelivery: Int] {
        let counts = try database.rows(
            """
            SELECT status, count(*) FROM group_message_items JOIN group_deliveries USING (group_message_id)
            WHERE item_id = ? GROUP BY status
            """, id.number
        ) { row throws(StoreError) in (try row.word() as MemberDelivery, try row.int()) }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    /// What a member was sent with a token, and how far that has come; nil if it is no entry.
    func groupDelivery(
        of token: Bytes, to member: GroupMemberID
    ) throws -> (message: Int64, items: [ChatItemID], delivery: MemberDelivery)? {
        let found = try database.first(
            """
            SELECT group_message_id, status FROM group_messages JOIN group_deliveries USING (group_message_id)
            WHERE message_id = ? AND group_member_id = ?
            """, token, member.number
        ) { row throws(StoreError) in (try row.int64(), try row.word() as MemberDelivery) }
        guard let (message, delivery) = found else { return nil }
        let items = try database.rows(
            "SELECT item_id FROM group_message_items WHERE group_message_id = ? ORDER BY item_id", message
        ) { row throws(StoreError) in ChatItemID(try row.int64()) }
        return items.isEmpty ? nil : (message, items, delivery)
    }

    /// The members to whom an entry was sent, or is going to be, as the agent knows what they get.
    func groupMessages(of id: ChatItemID) throws -> [GroupMessage] {
        try database.rows(
            """
            \(ChatStore.groupMessageQuery) WHERE group_message_id IN
                (SELECT group_message_id FROM group_message_items WHERE item_id = ?)
            """, id.number
        ) { row throws(StoreError) in try row.groupMessage() }
    }
}

extension Row {
    fileprivate mutating func groupMessage() throws(StoreError) -> GroupMessage {
        GroupMessage(
            number: try int64(), groupID: GroupID(try int64()), token: try bytes(), body: try bytes(),
            notifies: try bool())
    }
}

extension ChatStore {
    /// The entries that a message is.
    func items(of message: Int64) throws -> [ChatItemID] {
        try database.rows(
            "SELECT item_id FROM group_message_items WHERE group_message_id = ? ORDER BY item_id", message
        ) { row throws(StoreError) in ChatItemID(try row.int64()) }
    }

    /// What became of a message at each member.
    func deliveries(of message: Int64) throws -> [(member: GroupMemberID, delivery: MemberDelivery)] {
        try database.rows(
            "SELECT group_member_id, status FROM group_deliveries WHERE group_message_id = ?", message
        ) { row throws(StoreError) in (GroupMemberID(try row.int64()), try row.word()) }
    }

    func removeGroupMessage(_ number: Int64) throws {
        try database.run("DELETE FROM group_messages WHERE group_message_id = ?", number)
    }

    /// The members that the user introduced to a member, or it to them, and that it has not said to be connected with.
    func membersNotConnected(with id: GroupMemberID) throws -> [GroupMemberID] {
        try database.rows(
            """
            SELECT iif(newcomer_id = ?1, existing_id, newcomer_id) FROM introductions
            WHERE newcomer_id = ?1 AND status NOT IN ('newcomerConnected', 'connected')
                OR existing_id = ?1 AND status NOT IN ('existingConnected', 'connected')
            ORDER BY introduction_id
            """, id.number
        ) { row throws(StoreError) in GroupMemberID(try row.int64()) }
    }
}
