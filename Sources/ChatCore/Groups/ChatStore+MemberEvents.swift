import AgentProtocol
public import ByteCoding
import ChatProtocol
import JSONCoding
import Store

/// An event about a message that came before it, or that must not be forgotten.
struct EarlyEvent {
    let number: Int64
    /// Who sent the event.
    let senderID: GroupMemberID
    let message: ChatMessage
    /// When it was sent, by the clock of a relay.
    let time: Timestamp
}

/// A reaction of a member to an entry.
public struct MemberReaction: Hashable, Sendable {
    public let member: GroupMember
    /// When it was given, by the clock of a relay.
    public let time: Timestamp
}

/// What members sent about messages.
extension ChatStore {
    /// For how long events are remembered, for those that come twice or before their message.
    private static let memory = Duration.seconds(30 * 24 * 3600)

    // MARK: - Messages that come twice

    /// How a message of a member came before.
    enum Arrival {
        /// It did not.
        case new
        case direct
        case forwarded(GroupMemberID)
    }

    func arrival(of id: SharedMessageID, by author: GroupMemberID) throws -> Arrival {
        try database.first(
            "SELECT forwarded_by FROM member_messages WHERE group_member_id = ? AND message_id = ?", author.number,
            id.bytes
        ) { row throws(StoreError) -> Arrival in
            let forwarder = try row.optional { row throws(StoreError) in GroupMemberID(try row.int64()) }
            return forwarder.map { .forwarded($0) } ?? .direct
        } ?? .new
    }

    /// Returns true if a message of a member came directly in the last 30 days.
    func hasDirectMessage(of author: GroupMemberID) throws -> Bool {
        try database.first(
            "SELECT 1 FROM member_messages WHERE group_member_id = ? AND forwarded_by IS NULL", author.number
        ) { row throws(StoreError) in try row.int64() } != nil
    }

    /// Notes a message of a member.
    func note(
        _ id: SharedMessageID, of author: GroupMemberID, through forwarder: GroupMemberID?, at now: Timestamp
    ) throws {
        try database.run("DELETE FROM member_messages WHERE received_at <= ?", now + (.zero - ChatStore.memory))
        try database.run(
            """
            INSERT INTO member_messages (group_member_id, message_id, forwarded_by, received_at) VALUES (?, ?, ?, ?)
            """, author.number, id.bytes, forwarder?.number, now)
    }

    /// The time of a message of a member among its others.
    ///
    /// The clocks of two relays may differ, and one of them may have been out of reach. What came through another member was sent
    /// before the author was connected, so it is older than what comes directly, if only by a millisecond.
    func orderedTime(_ time: Timestamp, of author: GroupMemberID, isForwarded: Bool) throws -> Timestamp {
        let known = try database.first(
            "SELECT first_direct_at, last_forwarded_at FROM group_members WHERE group_member_id = ?", author.number
        ) { row throws(StoreError) in
            (
                try row.optional { row throws(StoreError) in try row.timestamp() },
                try row.optional { row throws(StoreError) in try row.timestamp() }
            )
        }
        guard let (firstDirect, lastForwarded) = known else { return time }
        if isForwarded {
            let ordered = firstDirect.map { min(time, $0 + .milliseconds(-1)) } ?? time
            if lastForwarded.map({ $0 < ordered }) ?? true {
                try database.run(
                    "UPDATE group_members SET last_forwarded_at = ? WHERE group_member_id = ?", ordered, author.number)
            }
            return ordered
        }
        let ordered = lastForwarded.map { max(time, $0 + .milliseconds(1)) } ?? time
        if firstDirect == nil {
            try database.run(
                "UPDATE group_members SET first_direct_at = ? WHERE group_member_id = ?", ordered, author.number)
        }
        return ordered
    }

    /// True if a message of a member has come.
    func hasCome(_ id: SharedMessageID, of author: GroupMemberID) throws -> Bool {
        try database.first(
            "SELECT 1 FROM member_messages WHERE group_member_id = ? AND message_id = ?", author.number, id.bytes
        ) { _ in true } ?? false
    }

    // MARK: - Events that come before their message

    /// The most events of one sender that are kept. The oldest are dropped.
    static let mostEarlyEvents = 500

    func insertEarlyEvent(
        _ event: ChatMessage.Event, about id: SharedMessageID, of author: MemberID, from sender: GroupMemberID,
        in group: GroupID, time: Timestamp, at now: Timestamp
    ) throws {
        try database.run("DELETE FROM early_events WHERE received_at <= ?", now + (.zero - ChatStore.memory))
        try database.run(
            """
            DELETE FROM early_events WHERE group_member_id = ?1 AND early_event_id <= (
                SELECT early_event_id FROM early_events WHERE group_member_id = ?1
                ORDER BY early_event_id DESC LIMIT 1 OFFSET ?2)
            """, sender.number, ChatStore.mostEarlyEvents - 1)
        try database.run(
            """
            INSERT INTO early_events (group_id, author, message_id, group_member_id, event, time, received_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, group.number, author.bytes, id.bytes, sender.number, ChatMessage(event: event).json.line, time, now)
    }

    /// The events about a message, in the order of their times.
    func earlyEvents(about id: SharedMessageID, of author: MemberID, in group: GroupID) throws -> [EarlyEvent] {
        try database.rows(
            """
            SELECT early_event_id, group_member_id, event, time FROM early_events
            WHERE group_id = ? AND author = ? AND message_id = ? ORDER BY time, early_event_id
            """, group.number, author.bytes, id.bytes
        ) { row throws(StoreError) in
            let number = try row.int64(), sender = GroupMemberID(try row.int64()), text = try row.text()
            guard let message = try? ChatMessage(decoding: Bytes(text.utf8)) else { throw StoreError(.damaged) }
            return EarlyEvent(number: number, senderID: sender, message: message, time: try row.timestamp())
        }
    }

    func removeEarlyEvent(_ number: Int64) throws {
        try database.run("DELETE FROM early_events WHERE early_event_id = ?", number)
    }

    // MARK: - Reactions

    /// Notes that a member gave a reaction or took it back. Returns false if that changes nothing.
    func setReaction(
        _ reaction: Reaction, isGiven: Bool, by member: GroupMemberID, to id: ChatItemID, at time: Timestamp
    ) throws -> Bool {
        let known = try database.first(
            """
            SELECT is_given, created_at FROM member_reactions
            WHERE item_id = ? AND group_member_id = ? AND reaction = ?
            """, id.number, member.number, reaction.json.line
        ) { row throws(StoreError) in (try row.bool(), try row.timestamp()) }
        // What was sent before does not undo what was sent later.
        if let known, known.1 > time { return false }
        try database.run(
            """
            INSERT INTO member_reactions (item_id, group_member_id, reaction, is_given, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO UPDATE SET is_given = ?4, created_at = ?5
            """, id.number, member.number, reaction.json.line, isGiven, time)
        return (known?.0 ?? false) != isGiven
    }

    /// How many different reactions a member gave an entry.
    func reactionCount(of member: GroupMemberID, to id: ChatItemID) throws -> Int {
        try database.first(
            "SELECT count(*) FROM member_reactions WHERE item_id = ? AND group_member_id = ? AND is_given", id.number,
            member.number
        ) { row throws(StoreError) in try row.int() } ?? 0
    }

    /// The members that gave an entry a reaction, in the order in which they did.
    func members(thatGave reaction: Reaction, to id: ChatItemID) throws -> [MemberReaction] {
        let given = try database.rows(
            """
            SELECT group_member_id, created_at FROM member_reactions WHERE item_id = ? AND reaction = ? AND is_given
            ORDER BY created_at, group_member_id
            """, id.number, reaction.json.line
        ) { row throws(StoreError) in (GroupMemberID(try row.int64()), try row.timestamp()) }
        return try given.compactMap { id, time in try member(id).map { MemberReaction(member: $0, time: time) } }
    }
}
