import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import Store

/// The end of messages: disappearing messages, and how long the others are kept.
///
/// The author of a disappearing message sets its time. The other side keeps to it if both sides of the conversation allow messages
/// to disappear. Each side removes its own copy: a core that writes does it when it opens the store, and while it runs.
/// Messages in the outbox are never removed.
final class Expiry: Collaborator {
    /// The longest time that is kept to, in seconds: a century. A peer may ask for any number.
    static let longestTTL: Int64 = 100 * 365 * 24 * 3600
    /// The longest delay of the timer, because the clock of the machine may be set meanwhile.
    private static let longestDelay = Duration.seconds(600)
    /// The number of items that one transaction removes.
    private static let batch = 500
    /// When the logs are emptied again if another process was reading.
    private static let logDelay = Duration.seconds(10)

    let context: CoreContext
    /// Called after entries were removed, which may have had files.
    var whenRemoved: () throws -> Void = {}
    /// Cancels the timer for the next item that disappears.
    private var cancelTimer: (() -> Void)?
    /// True if a log still has what was removed, because another process was reading.
    private(set) var hasStaleLog = false

    init(_ context: CoreContext) {
        self.context = context
    }

    // MARK: - The time of a message

    /// Throws unless a message can have this time.
    func checkTTL(_ ttl: Int64?) throws(ChatError) {
        guard let ttl, ttl != 0 else { return }
        guard ttl > 0, ttl <= Expiry.longestTTL else { throw .commandSyntax }
    }

    /// Throws unless messages of a chat can have this time and disappear there.
    func checkTTL(_ ttl: Int64?, in chat: Chat) throws(ChatError) {
        try checkTTL(ttl)
        // SECURITY: the contact would keep them, and their author believes that it does not.
        guard ttl ?? 0 == 0 || Preferences.allows(.timedMessages, in: chat) else {
            throw chat.timersOff
        }
    }

    /// The time of a message that is written now: its own, where 0 stands for none, else that of the chat. Nil where messages do
    /// not disappear: the answer then shows a message without a time.
    func ttl(_ ttl: Int64?, in chat: Chat) -> Int64? {
        guard Preferences.allows(.timedMessages, in: chat) else { return nil }
        if let ttl { return ttl > 0 ? ttl : nil }
        return chat.expiry ?? ConversationPolicy(chat).preferredTTL
    }

    // MARK: - Removing expired messages

    /// True if expired items are still stored: a core that only reads cannot remove them.
    var hasExpired: Bool { (try? nextRemoval()).flatMap { $0 }.map { $0 <= now } ?? false }

    /// When the next item is removed, because it disappears or is older than its conversation keeps it.
    private func nextRemoval() throws -> Timestamp? {
        [try store.nextExpiry(), try store.nextOutdating()].compactMap(\.self).min()
    }

    /// Removes expired items, tells it, and sets the timer for the next one.
    func removeExpired() throws {
        var hasRemoved = false
        while true {
            var items = try store.expiredItems(at: now)
            if items.isEmpty { items = try store.outdatedItems(at: now, Expiry.batch) }
            guard !items.isEmpty else { break }
            hasRemoved = true
            let located = try lookup.locate(items)
            try store.transaction {
                for item in items {
                    // It disappears at the other side too. What is only not kept here stays there.
                    if item.ttl != nil { try store.revokeFile(of: item) }
                    try store.removeItem(item)
                }
            }
            for item in located where item.item.content.isForPeople {
                let deleted = DeletedItem(before: item, after: nil, hasExpired: true)
                guard let profile = try store.profile(item.chat.profileID) else { continue }
                tell(ItemsDeletedEvent(profile: profile, items: [deleted]))
            }
        }
        if hasRemoved { try whenRemoved() }
        if hasRemoved || hasStaleLog { try forgetLog() }
        try schedule()
    }

    /// Sets the timer for the next item that disappears.
    func schedule() throws {
        cancel()
        // What comes meanwhile is older than that no sooner than after the shortest time.
        let shortest = try store.shortestRetention().map { now + .seconds($0) }
        let again = hasStaleLog ? now + Expiry.logDelay : nil
        guard let next = try [nextRemoval(), shortest, again].compactMap(\.self).min() else { return }
        let rest = Duration.milliseconds(next.milliseconds - now.milliseconds)
        cancelTimer = context.after(min(max(rest, .zero), Expiry.longestDelay)) { [weak self] in
            try self?.removeExpired()
        }
    }

    /// Cancels the timer.
    func cancel() {
        cancelTimer?()
        cancelTimer = nil
    }

    // MARK: - Retention

    /// Sets how long messages are kept, and removes older ones at once. No seconds at all stand for no limit, as in the API.
    func keep(_ wanted: Retention, of profile: OwnProfile, in chat: ChatTarget?) throws {
        let retention = wanted == .limited(seconds: 0) ? .unlimited : wanted
        if case .limited(let seconds) = retention {
            guard seconds > 0, seconds <= Retention.longest else { throw ChatError.commandSyntax }
        }
        if let chat {
            let chat = try lookup.chat(chat)
            guard chat.profileID == profile.id else { throw ChatError.chatNotFound(chat.reference) }
            try store.transaction { try store.setRetention(retention, of: chat.reference) }
        } else {
            try store.transaction { try store.setRetention(retention, of: profile.id) }
        }
        try removeExpired()
    }

    /// Removes the messages of a profile, or of one of its conversations, that are older than a moment.
    ///
    /// - Parameter isDry: Only counts them.
    func purge(
        _ profile: OwnProfile, in reference: ChatReference?, before time: Timestamp, isDry: Bool
    ) throws -> [PurgedChat] {
        var purged: [PurgedChat] = []
        // Notes are nowhere else: they go only when they are named.
        let chats =
            try reference.map { [try lookup.chat($0)] }
            ?? store.chats(of: profile.id).filter { !ConversationPolicy($0).isAlone }
        for chat in chats {
            guard chat.profileID == profile.id else { throw ChatError.chatNotFound(chat.reference) }
            let ids = try store.settledItems(in: chat.reference, before: time)
            if !isDry { try store.transaction { try store.removeHiddenItems(of: chat.reference, before: time) } }
            guard !ids.isEmpty else { continue }
            if !isDry { try remove(ids, of: chat.reference) }
            purged.append(PurgedChat(chat: chat, items: ids))
        }
        if !isDry, !purged.isEmpty {
            try forgetLog()
            try schedule()
        }
        return purged
    }

    private func remove(_ ids: [ChatItemID], of chat: ChatReference) throws {
        for start in stride(from: 0, to: ids.count, by: Expiry.batch) {
            let part = ids[start..<min(start + Expiry.batch, ids.count)]
            try store.transaction { try store.removeItems(part, of: chat) }
        }
    }

    /// Deletes the messages of a chat.
    func clear(_ chat: Chat) throws {
        try store.transaction { try store.clear(chat.reference) }
        try forgetLog()
        try schedule()
    }

    /// Empties the logs of the databases, which still have what was removed. Not while another process reads: then it is tried
    /// again later, and the end of the last process that has the store open does it.
    private func forgetLog() throws {
        let isChatFree = try store.database.truncateLogIfFree()
        let isAgentFree = try context.connectedAgent?.forgetLog() ?? true
        hasStaleLog = !(isChatFree && isAgentFree)
    }
}

extension LocalCore {
    /// True if expired messages are still stored. A core that only reads cannot remove them.
    public var hasExpired: Bool { expiry.hasExpired }
}
