import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import Store

/// How long messages are kept: by a setting of the profile or of a conversation, or until somebody purges them. What waits in the
/// outbox always stays.
extension LocalCore {
    /// How many entries are removed in one transaction.
    private static let batch = 500

    /// Sets how long messages are kept, and removes at once what is older.
    func keep(_ retention: Retention, of profile: OwnProfile, in chat: ChatTarget?) throws {
        if case .limited(let seconds) = retention {
            guard seconds > 0, seconds <= Retention.longest else { throw ChatError.commandSyntax }
        }
        if let chat {
            let chat = try self.chat(chat)
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
        let chats = try reference.map { [try chat($0)] } ?? store.chats(of: profile.id).filter { !$0.isNotes }
        for chat in chats {
            guard chat.profileID == profile.id else { throw ChatError.chatNotFound(chat.reference) }
            let ids = try store.settledItems(in: chat.reference, before: time)
            guard !ids.isEmpty else { continue }
            if !isDry { try remove(ids, of: chat.reference) }
            purged.append(PurgedChat(chat: chat, items: ids))
        }
        if !isDry, !purged.isEmpty {
            try forgetLog()
            try scheduleExpiry()
        }
        return purged
    }

    private func remove(_ ids: [ChatItemID], of chat: ChatReference) throws {
        for start in stride(from: 0, to: ids.count, by: LocalCore.batch) {
            let part = ids[start..<min(start + LocalCore.batch, ids.count)]
            try store.transaction { try store.removeItems(part, of: chat) }
        }
    }

    /// Empties the logs of the databases, which still have what was removed. Not while somebody reads: then it is tried again
    /// later, and the end of the last process that has the store open does it.
    func forgetLog() throws {
        let isChatFree = try store.database.truncateLogIfFree()
        let isAgentFree = try writableAgent?.forgetLog() ?? true
        hasStaleLog = !(isChatFree && isAgentFree)
    }
}
