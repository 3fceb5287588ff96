import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// The queues of the relay: rows of its file, of which those in use are also in memory.
final class QueueStore {
    private let store: RelayStore
    private var cache: QueueCache
    /// The largest number of a queue. Numbers are not used again while the relay runs: subscriptions refer to them.
    private var lastNumber: Int64

    private enum Query {
        static let byNumber = select("number")
        static let byRecipient = select("recipient_id")
        static let bySender = select("sender_id")
        static let byLink = select("link_id")
        static let byNotifier = select("notifier_id")

        private static func select(_ column: String) -> String {
            """
            SELECT number, recipient_id, sender_id, recipient_keys, secret, sender_key, mode, is_off, last_used, link_id,
                notifier_id, notifier_key, notifier_secret
            FROM queues WHERE \(column) = ?
            """
        }
    }

    init(_ store: RelayStore, cacheLimit: Int) throws(StoreError) {
        self.store = store
        cache = QueueCache(limit: cacheLimit)
        lastNumber = try store.database.number("SELECT max(number) FROM queues") ?? 0
    }

    // MARK: - Finding

    func queue(number: Int64) throws(StoreError) -> Queue? {
        if let queue = cache.queue(number: number) { return queue }
        return try load(Query.byNumber, number)
    }

    func queue(recipientID: EntityID) throws(StoreError) -> Queue? {
        if let queue = cache.queue(recipientID: recipientID) { return queue }
        return try load(Query.byRecipient, recipientID.bytes)
    }

    func queue(senderID: EntityID) throws(StoreError) -> Queue? {
        if let queue = cache.queue(senderID: senderID) { return queue }
        return try load(Query.bySender, senderID.bytes)
    }

    func queue(linkID: EntityID) throws(StoreError) -> Queue? {
        try load(Query.byLink, linkID.bytes)
    }

    func queue(notifierID: EntityID) throws(StoreError) -> Queue? {
        try load(Query.byNotifier, notifierID.bytes)
    }

    private func load(_ sql: String, _ value: any SQLBindable) throws(StoreError) -> Queue? {
        let found = try store.database.first(sql, value) { row throws(StoreError) in try Queue(from: &row) }
        guard let found else { return nil }
        // The same queue may have been found by another of its ids before.
        if let known = cache.queue(number: found.number) { return known }
        cache.insert(found)
        return found
    }

    // MARK: - Changing

    /// Whether a new queue may have these ids.
    func isFree(senderID: EntityID, linkID: EntityID?) throws(StoreError) -> Bool {
        if try queue(senderID: senderID) != nil { return false }
        guard let linkID else { return true }
        return try queue(linkID: linkID) == nil
    }

    /// Adds a queue with ids that are not taken.
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
        // Nothing was ever sent to it.
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
            "UPDATE queues SET notifier_id = ?, notifier_key = ?, notifier_secret = ? WHERE number = ?",
            notifier?.id.bytes, notifier?.key.der, notifier?.secret, queue.number)
        queue.notifier = notifier
    }

    /// Takes note of the day of the last command, which costs one write a day.
    func touch(_ queue: Queue, today: Int64) throws(StoreError) {
        guard queue.lastUsed != today else { return }
        try store.writing().run("UPDATE queues SET last_used = ? WHERE number = ?", today, queue.number)
        queue.lastUsed = today
    }

    /// Removes a queue and its link. Its messages must have been removed.
    func remove(_ queue: Queue) throws(StoreError) {
        try setLink(nil, of: queue)
        try store.writing().run("DELETE FROM queues WHERE number = ?", queue.number)
        cache.remove(queue)
    }

    // MARK: - Links

    /// Gives a queue a link with an id that is not taken, replaces its blobs, or removes it.
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
