import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// The queues of the relay: rows of its file with a cache.
final class QueueStore {
    private let store: RelayStore
    private var cache: QueueCache
    /// The largest number of a queue. Numbers are not reused while the relay runs, because subscriptions refer to them.
    private var lastNumber: Int64
    /// The number of queues.
    private(set) var count: Int
    /// The last look-up for the current command.
    private var lastLookUp: LookUp?
    /// The number of searches in the file for an id of a client.
    private(set) var lookUps = 0

    private enum Query {
        static let byNumber = select("number = ?")

        /// A column with the ids of queues.
        struct Column: Sendable {
            /// The query of the number of the queue with an id. The index of the column answers it.
            let number: String
            /// The query of the first queue at or after an id.
            let behindID: String

            private init(_ name: String) {
                number = "SELECT number FROM queues WHERE \(name) = ?"
                behindID = select("\(name) >= ? ORDER BY \(name) LIMIT 1")
            }

            static let recipient = Column("recipient_id")
            static let sender = Column("sender_id")
            static let link = Column("link_id")
            static let notifier = Column("notifier_id")
        }

        private static func select(_ condition: String) -> String {
            """
            SELECT number, recipient_id, sender_id, recipient_keys, secret, sender_key, mode, is_off, last_used, link_id,
                notifier_id, notifier_key, notifier_secret, service, notifier_service
            FROM queues WHERE \(condition)
            """
        }
    }

    init(_ store: RelayStore, cacheLimit: Int) throws(StoreError) {
        self.store = store
        cache = QueueCache(limit: cacheLimit)
        lastNumber = try store.database.number("SELECT max(number) FROM queues") ?? 0
        count = Int(try store.database.number("SELECT count(*) FROM queues") ?? 0)
        // No relay creates that many queues; the next number would overflow.
        guard (0...Int64(1) << 62).contains(lastNumber) else { throw StoreError(.damaged) }
    }

    // MARK: - Finding

    func queue(number: Int64) throws(StoreError) -> Queue? {
        if let queue = cache.queue(number: number) { return queue }
        return try store.database.first(Query.byNumber, number) { row throws(StoreError) in
            let queue = try Queue(number: try row.int64(), from: &row)
            cache.insert(queue)
            return queue
        }
    }

    /// Returns a queue like ``queue(number:)``, or nil for an unreadable one, which must not fail the turns of all
    /// clients repeatedly.
    func readableQueue(number: Int64) throws(StoreError) -> Queue? {
        do throws(StoreError) {
            return try queue(number: number)
        } catch {
            guard error.isUnreadableValue else { throw error }
            return nil
        }
    }

    func queue(recipientID: EntityID) throws(StoreError) -> Queue? { try find(.recipient, recipientID) }
    func queue(senderID: EntityID) throws(StoreError) -> Queue? { try find(.sender, senderID) }
    func queue(linkID: EntityID) throws(StoreError) -> Queue? { try find(.link, linkID) }
    func queue(notifierID: EntityID) throws(StoreError) -> Queue? { try find(.notifier, notifierID) }

    /// Looks up a queue by an id of a client, and records the work.
    ///
    /// SECURITY: the file is searched for each id, also for those of cached queues, so that the work before the check of the
    /// authorization is the same for existing and missing ids.
    private func find(_ column: Query.Column, _ id: EntityID) throws(StoreError) -> Queue? {
        lookUps += 1
        let found = try store.database.first(column.number, id.bytes) { row throws(StoreError) in try row.int64() }
        // No queue has the number 0. It is looked for all the same.
        let cached = cache.queue(number: found ?? 0)
        lastLookUp = LookUp(column: column, isLoaded: found != nil && cached == nil)
        guard let found else { return nil }
        if let cached { return cached }
        return try queue(number: found)
    }

    // MARK: - Refusals

    /// A look-up by an id of a client.
    private struct LookUp {
        let column: Query.Column
        /// True if the queue was not cached.
        let isLoaded: Bool
    }

    /// Forgets the last look-up before another command.
    func beginCommand() {
        lastLookUp = nil
    }

    /// Searches for a random id, and reads a row unless the last look-up has, so that each rejected command has read one.
    ///
    /// SECURITY: the first command for a queue that is not cached takes longer, by the time to decode its keys; the queue is cached
    /// then.
    func levelLookUp(_ random: any RandomSource) throws(StoreError) {
        guard let lookUp = lastLookUp else { return }
        lastLookUp = nil
        lookUps += 1
        // Without decoding keys, whose time depends on their kind.
        let query = lookUp.isLoaded ? lookUp.column.number : lookUp.column.behindID
        _ = try store.database.first(query, random.bytes(SMP.idSize)) { row throws(StoreError) in try row.int64() }
    }

    // MARK: - Changing

    /// Returns true if a new queue may have these ids.
    func isFree(senderID: EntityID, linkID: EntityID?) throws(StoreError) -> Bool {
        if try queue(senderID: senderID) != nil { return false }
        guard let linkID else { return true }
        return try queue(linkID: linkID) == nil
    }

    /// Adds a queue with unused ids.
    func add(
        recipientID: EntityID, senderID: EntityID, secret: Secret, mode: QueueMode?, recipientKey: AuthorizationKey,
        today: Int64
    ) throws(StoreError) -> Queue {
        lastNumber += 1
        try store.writing().run(
            """
            INSERT INTO queues (number, recipient_id, sender_id, recipient_keys, secret, mode, last_used)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, lastNumber, recipientID.bytes, senderID.bytes, [recipientKey].encoded, secret, mode?.text, today)
        let queue = Queue(
            number: lastNumber, recipientID: recipientID, senderID: senderID, secret: secret, mode: mode,
            recipientKeys: [recipientKey], lastUsed: today)
        count += 1
        // No message was sent to it yet.
        queue.messages = []
        cache.insert(queue)
        return queue
    }

    func secure(_ queue: Queue, with key: AuthorizationKey) throws(StoreError) {
        try store.writing().run("UPDATE queues SET sender_key = ? WHERE number = ?", key.der, queue.number)
        queue.senderKey = key
    }

    func setRecipientKeys(_ keys: [AuthorizationKey], of queue: Queue) throws(StoreError) {
        try store.writing().run("UPDATE queues SET recipient_keys = ? WHERE number = ?", keys.encoded, queue.number)
        queue.recipientKeys = keys
    }

    func turnOff(_ queue: Queue) throws(StoreError) {
        try store.writing().run("UPDATE queues SET is_off = 1 WHERE number = ?", queue.number)
        queue.isOff = true
    }

    func setNotifier(_ notifier: Notifier?, of queue: Queue) throws(StoreError) {
        try store.writing().run(
            """
            UPDATE queues SET notifier_id = ?, notifier_key = ?, notifier_secret = ?, notifier_service = NULL
            WHERE number = ?
            """, notifier?.id.bytes, notifier?.key.der, notifier?.secret, queue.number)
        queue.notifier = notifier
    }

    /// Records the day of the last command, with at most one write a day.
    func touch(_ queue: Queue, today: Int64) throws(StoreError) {
        guard queue.lastUsed != today, try store.hasSpace(Cost.key, for: .rewriting) else { return }
        try store.writing().run("UPDATE queues SET last_used = ? WHERE number = ?", today, queue.number)
        queue.lastUsed = today
    }

    /// Deletes a queue and its link. Its messages must have been deleted.
    func remove(_ queue: Queue) throws(StoreError) {
        try setLink(nil, of: queue)
        try store.writing().run("DELETE FROM queues WHERE number = ?", queue.number)
        count -= 1
        cache.remove(queue)
    }

    // MARK: - Links

    /// Sets a link with an unused id, replaces its blobs, or removes it.
    func setLink(_ link: (id: EntityID, blobs: LinkBlobs)?, of queue: Queue) throws(StoreError) {
        guard link != nil || queue.linkID != nil else { return }
        let database = try store.writing()
        if queue.linkID != link?.id {
            try database.run("UPDATE queues SET link_id = ? WHERE number = ?", link?.id.bytes, queue.number)
        }
        if let link {
            try database.run(
                "INSERT OR REPLACE INTO links (queue, fixed, user) VALUES (?, ?, ?)", queue.number, link.blobs.fixed,
                link.blobs.user)
        } else {
            try database.run("DELETE FROM links WHERE queue = ?", queue.number)
        }
        queue.linkID = link?.id
    }

    func blobs(of queue: Queue) throws(StoreError) -> LinkBlobs? {
        try store.database.first("SELECT fixed, user FROM links WHERE queue = ?", queue.number) {
            row throws(StoreError) in LinkBlobs(fixed: try row.bytes(), user: try row.bytes())
        }
    }
}

extension QueueMode {
    fileprivate var text: String {
        switch self {
        case .messaging: "M"
        case .contact: "C"
        }
    }
}

extension [AuthorizationKey] {
    fileprivate var encoded: Bytes {
        var writer = ByteWriter()
        writer.list(self)
        return writer.bytes
    }
}
