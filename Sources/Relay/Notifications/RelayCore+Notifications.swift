import ByteCoding
import CryptoCore
import SMPProtocol

// NKEY, NDEL, NSUB: notifications of new messages, without access to the messages or their queue (smp-agent.md 5.7).

extension RelayCore {
    /// Handles NKEY: creates a notifier for the queue, replacing an existing one.
    func setNotifier(_ keys: NotifierKeys, _ queue: Queue, _ client: Client) throws -> RelayMessage {
        try requireSpace(Cost.key)
        let (notifier, ids) = try makeNotifier(keys)
        let replaced = queue.notifier
        try dissociateNotifier(of: queue, with: .deld, client)
        try queues.setNotifier(notifier, of: queue)
        if let replaced { endNotifications(of: replaced.id, unlessOf: client) }
        return .nid(ids)
    }

    /// Handles NDEL: removes the notifier, if there is one.
    func deleteNotifier(_ queue: Queue, _ client: Client) throws -> RelayMessage {
        guard let notifier = queue.notifier else { return .ok }
        try requireSpace(Cost.key, for: .removal)
        try dissociateNotifier(of: queue, with: .deld, client)
        try queues.setNotifier(nil, of: queue)
        endNotifications(of: notifier.id, unlessOf: client)
        return .ok
    }

    /// Returns a notifier with a new id, and its ids for the recipient.
    func makeNotifier(_ keys: NotifierKeys) throws -> (notifier: Notifier, ids: NotifierIDs) {
        let (secret, dhKey) = try agree(with: keys.dhKey)
        let id = randomID()
        return (
            Notifier(id: id, key: keys.authorizationKey, secret: secret), NotifierIDs(notifierID: id, dhKey: dhKey)
        )
    }

    /// Handles NSUB: subscribes this connection, and no other, to notifications.
    func subscribeNotifier(_ request: ClientRequest) throws -> RelayMessage {
        let queue = try queues.queue(notifierID: request.entityID)
        guard isAuthorized(request, by: queue?.notifier.map { [$0.key] } ?? []), let queue else {
            throw ProtocolError.authorization
        }
        try queues.touch(queue, today: today)
        let client = request.client
        if let service = request.service {
            try associateNotifier(of: queue, with: service, client)
        } else {
            try dissociateNotifier(of: queue, with: .end, client)
        }
        if let former = notifierSubscribers[request.entityID], former !== client {
            former.notifierSubscriptions.remove(request.entityID)
            report(.end, of: request.entityID, to: former)
        }
        addNotifierSubscription(to: request.entityID, of: client)
        if notifications.hasAny(for: request.entityID) { owedNotifiers.insert(request.entityID) }
        return .sok(serviceID: request.service?.id)
    }

    /// Ends the notifications of a removed notifier.
    func endNotifications(of notifier: EntityID, unlessOf client: Client) {
        notifications.remove(for: notifier)
        guard let subscriber = notifierSubscribers.removeValue(forKey: notifier) else { return }
        subscriber.notifierSubscriptions.remove(notifier)
        if subscriber !== client { report(.deld, of: notifier, to: subscriber) }
    }

    // MARK: - Delivery

    /// Records a new message.
    func notify(_ notifier: Notifier, _ messageID: EntityID, _ time: Timestamp) {
        let nonce = Nonce(random: random)
        let metadata = NotificationMetadata(messageID: messageID, time: time.seconds)
        // The metadata are always smaller than their padded size.
        guard let box = try? metadata.seal(nonce: nonce, secret: notifier.secret) else { return }
        notifications.add(.init(time: time, nonce: nonce, encrypted: box), for: notifier.id)
        subscribeService(of: notifier)
        if notifierSubscribers[notifier.id] != nil { owedNotifiers.insert(notifier.id) }
    }

    /// True if ``deliverNotifications()`` has notifications to send.
    package var owesNotifications: Bool { !owedNotifiers.isEmpty }

    /// The number of notifications in a block, 230 bytes each.
    private static let notificationsPerBlock = 64

    /// Sends collected notifications to subscribed notifiers. It runs at intervals, because seventy notifications fit
    /// into the block of one.
    package func deliverNotifications() {
        var told: [ClientID: Int] = [:]
        for notifier in owedNotifiers {
            guard let client = notifierSubscribers[notifier] else {
                owedNotifiers.remove(notifier)
                continue
            }
            var count = told[client.id, default: 0]
            guard client.room.messages > 0 || !count.isMultiple(of: RelayCore.notificationsPerBlock) else { continue }
            owedNotifiers.remove(notifier)
            for notification in notifications.take(for: notifier) {
                if count.isMultiple(of: RelayCore.notificationsPerBlock) { client.room.messages -= 1 }
                count += 1
                report(.nmsg(nonce: notification.nonce, encrypted: notification.encrypted), of: notifier, to: client)
                statistics.notifications += 1
            }
            told[client.id] = count
        }
    }
}

/// Notifications that were not sent yet. They are in memory only: the messages are stored.
///
/// A notifier that is offline for long gets the newest few of each queue, which suffice to wake a device.
struct PendingNotifications {
    struct Notification {
        let time: Timestamp
        let nonce: Nonce
        /// The encrypted metadata, 144 bytes.
        let encrypted: Bytes
    }

    /// The largest number of notifications of one notifier.
    private static let limit = 8
    /// The largest number of notifiers with notifications, 3 KB each.
    private static let notifierLimit = 10_000

    private var pending: [EntityID: [Notification]] = [:]

    mutating func add(_ notification: Notification, for notifier: EntityID) {
        guard pending[notifier] != nil || pending.count < PendingNotifications.notifierLimit else { return }
        pending[notifier, default: []].append(notification)
        if pending[notifier, default: []].count > PendingNotifications.limit { pending[notifier]?.removeFirst() }
    }

    mutating func remove(for notifier: EntityID) {
        pending[notifier] = nil
    }

    /// The notifiers with notifications.
    var notifiers: [EntityID] { Array(pending.keys) }

    func hasAny(for notifier: EntityID) -> Bool {
        pending[notifier] != nil
    }

    /// Removes and returns the notifications of a notifier.
    mutating func take(for notifier: EntityID) -> [Notification] {
        pending.removeValue(forKey: notifier) ?? []
    }

    /// Removes notifications from before `limit`.
    mutating func expire(before limit: Timestamp) {
        for (notifier, notifications) in pending {
            let kept = notifications.filter { $0.time >= limit }
            pending[notifier] = kept.isEmpty ? nil : kept
        }
    }
}
