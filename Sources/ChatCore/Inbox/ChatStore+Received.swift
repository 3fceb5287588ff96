import AgentProtocol
import ByteCoding
import ChatProtocol

extension ChatStore {
    /// Inserts a received item. Must be called within a transaction.
    ///
    /// - Parameters:
    ///   - isUnread: False for what the user has not to look at.
    ///   - time: The time of the message, as its relay has it.
    ///   - now: The time at which it came here.
    func insertReceived(
        _ content: ChatItem.Content, from contact: Contact, sharedID: SharedMessageID? = nil, quote: Quote? = nil,
        isForwarded: Bool = false, ttl: Int64? = nil, isLive: Bool = false, isUnread: Bool = true, at time: Timestamp,
        now: Timestamp
    ) throws -> LocatedItem {
        let id = try insertItem(
            content, .received, in: .direct(contact.id), sharedID: sharedID, quote: quote, isForwarded: isForwarded,
            ttl: ttl, isLive: isLive, isUnread: isUnread, time: time, at: now)
        guard let item = try item(id) else { throw ChatError.itemNotFound(id) }
        // A new message brings a deleted conversation back.
        var contact = contact
        contact.marks.isDeleted = false
        return LocatedItem(chat: .direct(contact), item: item)
    }
}
