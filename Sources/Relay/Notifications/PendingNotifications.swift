import ByteCoding
import CryptoCore
import SMPProtocol

/// Notifications that were not told to their notifiers yet. In memory only: they are hints, the messages are safe.
///
/// A notifier that stays away for long gets the newest few of each queue: to wake a device once is enough.
struct PendingNotifications {
    struct Notification {
        let time: Timestamp
        let nonce: Nonce
        /// The encrypted metadata, 144 bytes.
        let encrypted: Bytes
    }

    /// How many notifications of one notifier are kept.
    private static let limit = 8
    /// How many notifiers have notifications, at 3 KB each.
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

    func hasAny(for notifier: EntityID) -> Bool {
        pending[notifier] != nil
    }

    /// Removes and returns the notifications of a notifier.
    mutating func take(for notifier: EntityID) -> [Notification] {
        pending.removeValue(forKey: notifier) ?? []
    }

    /// Forgets what is older than `limit`.
    mutating func expire(before limit: Timestamp) {
        for (notifier, notifications) in pending {
            let kept = notifications.filter { $0.time >= limit }
            pending[notifier] = kept.isEmpty ? nil : kept
        }
    }
}
