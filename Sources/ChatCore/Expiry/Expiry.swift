import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol

/// Messages that disappear. Whoever writes one says after how long; the others keep to it if both sides of the conversation
/// allow messages to disappear.
///
/// Each side removes its own copy, by itself: a core that writes does it when it opens the store, and while it runs.
extension LocalCore {
    /// The longest time that is kept to, in seconds: a century. A peer may ask for any number.
    public static let longestTTL: Int64 = 100 * 365 * 24 * 3600
    /// How long at most a timer runs, because the clock of the machine may be set meanwhile.
    private static let longestNap = Duration.seconds(600)

    /// The time of a received message, as far as the conversation has timers.
    func acceptedTTL(_ ttl: Int64?, from contact: Contact) -> Int64? {
        guard let ttl, ttl > 0, Preferences.effect(.timedMessages, with: contact).other else { return nil }
        return min(ttl, LocalCore.longestTTL)
    }

    /// Throws unless a message with this time can be sent to a chat.
    func checkTTL(_ ttl: Int64?, in chat: Chat) throws(ChatError) {
        guard let ttl, ttl != 0 else { return }
        guard ttl > 0, ttl <= LocalCore.longestTTL else { throw .commandSyntax }
        // SECURITY: it would stay with the contact for ever, and whoever writes believes that it does not.
        guard Preferences.allows(.timedMessages, in: chat) else { throw .timersOff(chat.name) }
    }

    /// The time of a message that is written now: its own, where 0 stands for none, else that of the chat as far as both
    /// sides allow it.
    func ttl(_ ttl: Int64?, in chat: Chat) -> Int64? {
        if let ttl { return ttl > 0 ? ttl : nil }
        guard let expiry = chat.expiry, Preferences.allows(.timedMessages, in: chat) else { return nil }
        return expiry
    }

    /// Whether something has had its time, and is still there: whoever only reads cannot remove it.
    public var hasExpired: Bool { (try? nextRemoval()).flatMap { $0 }.map { $0 <= now } ?? false }

    /// When the next entry is removed, because it disappears or is older than its conversation keeps it.
    private func nextRemoval() throws -> Timestamp? {
        [try store.nextExpiry(), try store.nextOutdating()].compactMap(\.self).min()
    }

    /// How many entries are removed in one transaction.
    private static let batch = 500
    /// When the logs are emptied if somebody was reading.
    private static let logPatience = Duration.seconds(10)

    /// Removes what has had its time, tells of it, and comes back when the next one is due.
    func removeExpired() throws {
        var hasRemoved = false
        while true {
            var items = try store.expiredItems(at: now)
            if items.isEmpty { items = try store.outdatedItems(at: now, LocalCore.batch) }
            guard !items.isEmpty else { break }
            hasRemoved = true
            let located = try locate(items)
            try store.transaction { for item in items { try store.removeItem(item) } }
            for item in located {
                let deleted = DeletedItem(before: item, after: nil, hasExpired: true)
                guard let profile = try store.profile(item.chat.profileID) else { continue }
                tell(ItemsDeletedEvent(profile: profile, items: [deleted]))
            }
        }
        if hasRemoved || hasStaleLog { try forgetLog() }
        try scheduleExpiry()
    }

    /// Sets the timer for the entry that disappears next.
    func scheduleExpiry() throws {
        cancelExpiry?()
        cancelExpiry = nil
        // What comes meanwhile is older than that no sooner than after the shortest time.
        let shortest = try store.shortestRetention().map { now + .seconds($0) }
        let again = hasStaleLog ? now + LocalCore.logPatience : nil
        guard let next = try [nextRemoval(), shortest, again].compactMap(\.self).min() else { return }
        let rest = Duration.milliseconds(next.milliseconds - now.milliseconds)
        cancelExpiry = environment.after(min(max(rest, .zero), LocalCore.longestNap)) { [weak self] in
            self?.assumeIsolated { core in
                guard core.failure == nil else { return }
                do { try core.removeExpired() } catch { core.failure = ChatError(error) }
            }
        }
    }
}
