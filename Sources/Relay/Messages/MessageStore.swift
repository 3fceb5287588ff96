import ByteCoding
import SMPProtocol
import Store

/// The messages of all queues.
///
/// A message is stored as the box for its recipient. So it is encrypted once, even if it is delivered several times.
/// All bodies have the same size, so that they can be overwritten (``MessageSlots``). The relay's file contains no
/// ciphertext of a sender in its received form.
///
/// An acknowledgement deletes a row of 60 bytes and frees the slot; the body remains until another one overwrites it.
final class MessageStore {
    private let store: RelayStore
    private var slots = MessageSlots()
    private var fresh: FreshMessages

    init(_ store: RelayStore, freshLimit: Int) throws(StoreError) {
        self.store = store
        fresh = FreshMessages(limit: freshLimit)
        try findFreeSlots()
    }

    private func findFreeSlots() throws(StoreError) {
        let count = try store.database.number("SELECT max(slot) FROM bodies") ?? 0
        // Each slot takes at least one page.
        guard try (0...(store.database.number("PRAGMA page_count") ?? 0)).contains(count) else {
            throw StoreError(.damaged)
        }
        slots = MessageSlots(
            count: count,
            used: try store.database.rows("SELECT slot FROM messages") { row throws(StoreError) in try row.int64() })
    }

    /// True if the next message overwrites an old one, so that the file does not grow.
    var hasFreeSlot: Bool { slots.hasFree }

    /// The number of messages in all queues, including the markers of full queues.
    var count: Int { slots.usedCount }

    // MARK: - One queue

    /// Returns the messages of a queue, in order.
    func messages(of queue: Queue) throws(StoreError) -> [StoredMessage] {
        if let messages = queue.messages { return messages }
        let messages = try store.database.rows(
            "SELECT number, message_id, time, is_quota, slot FROM messages WHERE queue = ? ORDER BY number",
            queue.number
        ) { row throws(StoreError) in
            StoredMessage(
                number: try row.int64(in: 0...Int64(1) << 62), id: EntityID(try row.messageID()),
                time: try row.timestamp(),
                isQuota: try row.bool(), slot: try row.int64())
        }
        queue.messages = messages
        return messages
    }

    enum Room {
        case free
        /// For a marker only.
        case last
        case none
    }

    /// Returns the room in a queue. A full queue stays closed until it is empty.
    func room(in queue: Queue, quota: Int) throws(StoreError) -> Room {
        let waiting = try messages(of: queue)
        if waiting.last?.isQuota == true { return .none }
        return waiting.count < quota ? .free : .last
    }

    /// Appends a message to a queue.
    func append(
        id: EntityID, time: Timestamp, isQuota: Bool, box: Bytes, to queue: Queue
    ) throws(StoreError) {
        let number = (try messages(of: queue).last?.number ?? 0) + 1
        let database = try store.writing()
        let (slot, isNew) = slots.take()
        if isNew {
            try database.run("INSERT INTO bodies (slot, box) VALUES (?, ?)", slot, box)
        } else {
            try database.run("UPDATE bodies SET box = ? WHERE slot = ?", box, slot)
        }
        try database.run(
            "INSERT INTO messages (queue, number, message_id, time, is_quota, slot) VALUES (?, ?, ?, ?, ?, ?)",
            queue.number, number, id.bytes, time, isQuota, slot)
        let message = StoredMessage(number: number, id: id, time: time, isQuota: isQuota, slot: slot, box: box)
        queue.messages?.append(message)
        fresh.insert(message)
    }

    /// Deletes the first message of a queue.
    func removeFirst(of queue: Queue) throws(StoreError) {
        guard let message = try messages(of: queue).first else { return }
        try store.writing().run("DELETE FROM messages WHERE queue = ? AND number = ?", queue.number, message.number)
        queue.messages?.removeFirst()
        forget(message)
    }

    /// Deletes all messages of a queue.
    func removeAll(of queue: Queue) throws(StoreError) {
        let messages = try messages(of: queue)
        guard !messages.isEmpty else { return }
        try store.writing().run("DELETE FROM messages WHERE queue = ?", queue.number)
        queue.messages = []
        messages.forEach(forget)
    }

    private func forget(_ message: StoredMessage) {
        message.box = nil
        slots.give(message.slot)
    }

    /// Returns the body of a message, from memory or from the file.
    func box(of message: StoredMessage) throws(StoreError) -> Bytes {
        if let box = message.box { return box }
        let box = try store.database.first("SELECT box FROM bodies WHERE slot = ?", message.slot) {
            row throws(StoreError) in try row.bytes()
        }
        guard let box else { throw StoreError(.damaged) }
        return box
    }

    // MARK: - All queues

    /// Returns the time of the newest message.
    func newestTime() throws(StoreError) -> Timestamp? {
        try store.database.number("SELECT max(time) FROM messages").map { Timestamp(milliseconds: $0) }
    }

    /// Returns the largest number of a queue with messages.
    func lastQueue() throws(StoreError) -> Int64 {
        try store.database.number("SELECT max(queue) FROM messages") ?? 0
    }

    /// Returns the queues with numbers in `range` and a message from before `limit`.
    func queues(in range: ClosedRange<Int64>, withMessagesBefore limit: Timestamp) throws(StoreError) -> [Int64] {
        try store.database.rows(
            "SELECT DISTINCT queue FROM messages WHERE queue BETWEEN ? AND ? AND time < ?", range.lowerBound,
            range.upperBound, limit
        ) { row throws(StoreError) in try row.int64() }
    }

    /// Removes `count` free slots at the end of the file and releases their pages, so that the file shrinks after a
    /// burst.
    ///
    /// - Returns: True if there were that many.
    func giveUpFreeSlots(_ count: Int64) throws(StoreError) -> Bool {
        guard let end = slots.possibleEnd(givingUp: count) else { return false }
        let database = try store.writing()
        try database.run("DELETE FROM bodies WHERE slot > ?", end)
        try database.run("PRAGMA incremental_vacuum")
        slots.removeAll(behind: end)
        return true
    }
}

extension Row {
    fileprivate mutating func messageID() throws(StoreError) -> Bytes {
        let bytes = try bytes()
        guard bytes.count == SMP.idSize else { throw StoreError(.damaged) }
        return bytes
    }
}

/// A message in a queue.
final class StoredMessage {
    /// The position in the queue; later messages have larger numbers.
    let number: Int64
    /// The id: 24 random bytes, also the nonce of the box.
    let id: EntityID
    /// The time of arrival, by the later of both clocks (``ExpiryClock``): correcting a clock must not expire the
    /// message.
    let time: Timestamp
    /// True if the message is the marker at the end of a full queue.
    let isQuota: Bool
    /// The slot of the body in the file.
    let slot: Int64
    /// The body for its recipient, while it is cached (``FreshMessages``).
    var box: Bytes?

    init(number: Int64, id: EntityID, time: Timestamp, isQuota: Bool, slot: Int64, box: Bytes? = nil) {
        self.number = number
        self.id = id
        self.time = time
        self.isQuota = isQuota
        self.slot = slot
        self.box = box
    }
}

/// A cache of the newest bodies: most messages are delivered within milliseconds and never read from the file.
struct FreshMessages {
    private var ring: [StoredMessage?]
    private var next = 0

    /// Creates a cache.
    ///
    /// - Parameter limit: The number of bodies, 16 KB each.
    init(limit: Int) {
        precondition(limit > 0, "a ring has places")
        ring = Array(repeating: nil, count: limit)
    }

    /// Adds a message that was just stored, replacing the oldest one.
    mutating func insert(_ message: StoredMessage) {
        ring[next]?.box = nil
        ring[next] = message
        next = (next + 1) % ring.count
    }
}
