import ByteCoding
import SMPProtocol
import Store

/// The messages of all queues.
///
/// A message is stored as the box that its recipient will get. So it is encrypted once, however often it is delivered;
/// all bodies have the same size, which lets them be written over each other (``MessageSlots``); and the relay's file
/// holds nothing that the sender encrypted as it came in.
///
/// An acknowledgement removes a row of 60 bytes and frees the slot; the body stays until another takes its place.
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
        // Each slot takes a page at least.
        guard try (0...(store.database.number("PRAGMA page_count") ?? 0)).contains(count) else {
            throw StoreError(.damaged)
        }
        slots = MessageSlots(
            count: count,
            used: try store.database.rows("SELECT slot FROM messages") { row throws(StoreError) in try row.int64() })
    }

    /// True if the next message is written over an old one, so that the file does not grow.
    var hasFreeSlot: Bool { slots.hasFree }

    /// How many messages wait in all queues, with the markers of full queues.
    var count: Int { slots.usedCount }

    // MARK: - One queue

    /// What waits in a queue, in order.
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

    /// What may be added to a queue. One that was full stays closed until it is empty.
    func room(in queue: Queue, quota: Int) throws(StoreError) -> Room {
        let waiting = try messages(of: queue)
        if waiting.last?.isQuota == true { return .none }
        return waiting.count < quota ? .free : .last
    }

    /// Adds a message at the end of a queue.
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

    /// Removes the first message of a queue.
    func removeFirst(of queue: Queue) throws(StoreError) {
        guard let message = try messages(of: queue).first else { return }
        try store.writing().run("DELETE FROM messages WHERE queue = ? AND number = ?", queue.number, message.number)
        queue.messages?.removeFirst()
        forget(message)
    }

    /// Removes all messages of a queue.
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

    /// The body of a message, from memory or from the file.
    func box(of message: StoredMessage) throws(StoreError) -> Bytes {
        if let box = message.box { return box }
        let box = try store.database.first("SELECT box FROM bodies WHERE slot = ?", message.slot) {
            row throws(StoreError) in try row.bytes()
        }
        guard let box else { throw StoreError(.damaged) }
        return box
    }

    // MARK: - All queues

    /// When the newest message came.
    func newestTime() throws(StoreError) -> Timestamp? {
        try store.database.number("SELECT max(time) FROM messages").map { Timestamp(milliseconds: $0) }
    }

    /// The largest number of a queue that holds messages.
    func lastQueue() throws(StoreError) -> Int64 {
        try store.database.number("SELECT max(queue) FROM messages") ?? 0
    }

    /// The queues with numbers in `range` that hold a message from before `limit`.
    func queues(in range: ClosedRange<Int64>, withMessagesBefore limit: Timestamp) throws(StoreError) -> [Int64] {
        try store.database.rows(
            "SELECT DISTINCT queue FROM messages WHERE queue BETWEEN ? AND ? AND time < ?", range.lowerBound,
            range.upperBound, limit
        ) { row throws(StoreError) in try row.int64() }
    }

    /// Removes `count` slots that are free at the end of the file and gives their pages back to the file system: after a
    /// flood the file becomes small again.
    ///
    /// - Returns: Whether there were so many.
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

/// A message that waits in a queue.
final class StoredMessage {
    /// Its place in the queue: later messages have larger numbers.
    let number: Int64
    /// 24 random bytes, which are also the nonce of the box.
    let id: EntityID
    /// When it came, by the later of both clocks (``ExpiryClock``): a clock that is corrected must not make it old.
    let time: Timestamp
    /// Whether it is the marker at the end of a full queue.
    let isQuota: Bool
    /// Where the body is in the file.
    let slot: Int64
    /// The body as its recipient gets it, while it is fresh (``FreshMessages``).
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

/// The newest messages, whose bodies are in memory too: most are delivered within milliseconds, and are then never read
/// from the file.
struct FreshMessages {
    private var ring: [StoredMessage?]
    private var next = 0

    /// - Parameter limit: How many bodies are kept, 16 KB each.
    init(limit: Int) {
        precondition(limit > 0, "a ring has places")
        ring = Array(repeating: nil, count: limit)
    }

    /// Keeps the body of a message that was just stored, in the place of the oldest.
    mutating func insert(_ message: StoredMessage) {
        ring[next]?.box = nil
        ring[next] = message
        next = (next + 1) % ring.count
    }
}
