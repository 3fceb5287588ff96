import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol

/// Messages that disappear. Whoever writes one says after how long; the others keep to it if both sides of the conversation
/// allow messages to disappear.
///
/// Each side removes its own copy, by itself: a core that writes does it when it opens the store, and while it runs.
extension ChatCore {
    /// The longest time that is kept to, in seconds: a century. A peer may ask for any number.
    public static let longestTTL: Int64 = 100 * 365 * 24 * 3600
    /// How long at most a timer runs, because the clock of the machine may be set meanwhile.
    private static let longestNap = Duration.seconds(600)

    /// The time of a received message, as far as the conversation has timers.
    func acceptedTTL(_ ttl: Int64?, from contact: Contact) -> Int64? {
        guard let ttl, ttl > 0, Preferences.effect(.timedMessages, with: contact).other else { return nil }
        return min(ttl, ChatCore.longestTTL)
    }

    /// Whether a message with this time can be sent to a contact.
    func checkTTL(_ ttl: Int64?, to contact: Contact) throws(ChatError) {
        guard let ttl else { return }
        guard ttl > 0, ttl <= ChatCore.longestTTL else { throw .commandSyntax }
        // SECURITY: it would stay with the contact for ever, and whoever writes believes that it does not.
        guard Preferences.effect(.timedMessages, with: contact).own else { throw .timersOff(contact.name) }
    }

    /// Whether something has had its time, and is still there: whoever only reads cannot remove it.
    public var hasExpired: Bool { (try? store.nextExpiry()).flatMap { $0 }.map { $0 <= now } ?? false }

    /// Removes what has had its time, tells of it, and comes back when the next one is due.
    func removeExpired() throws {
        let items = try store.expiredItems(at: now)
        if !items.isEmpty {
            let located = try locate(items)
            try store.transaction { for item in items { try store.removeItem(item) } }
            for item in located {
                let deleted = DeletedItem(before: item, after: nil, hasExpired: true)
                guard let profile = try store.profile(item.contact.profileID) else { continue }
                tell(.itemsDeleted(profile, [deleted]))
            }
        }
        try scheduleExpiry()
    }

    /// Sets the timer for the entry that disappears next.
    func scheduleExpiry() throws {
        cancelExpiry?()
        cancelExpiry = nil
        guard let next = try store.nextExpiry() else { return }
        let rest = Duration.milliseconds(next.milliseconds - now.milliseconds)
        cancelExpiry = environment.after(min(max(rest, .zero), ChatCore.longestNap)) { [weak self] in
            self?.assumeIsolated { core in
                guard core.failure == nil else { return }
                do { try core.removeExpired() } catch { core.failure = ChatError(error) }
            }
        }
    }
}
