import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// Changes of messages: edits, deletions and reactions.
///
/// A change is stored together with the event that the contact is owed, and handed to the agent then. What a crash keeps from the
/// agent is handed over at the next start.
extension Sender {
    func edit(_ id: ChatItemID, _ content: MessageContent, in chat: ChatTarget) throws -> ItemEdited {
        let (chat, item) = try changeable(id, in: chat)
        guard case .message(let former) = item.content else { throw ChatError.notChangeable(id, .noMessage) }
        try checkOwn(item)
        guard !item.isForwarded else { throw ChatError.notChangeable(id, .forwarded) }
        guard !content.text.isEmpty else { throw ChatError.emptyMessage }
        // The other fields of the message stay.
        let changed = MessageContent(content.text, kind: former.kind, otherFields: former.otherFields)
        let profile = try lookup.profile(chat.profileID)
        guard changed != former else {
            return .itemUnchanged(profile, LocatedItem(chat: chat, item: item))
        }
        try change(chat, { .update(MessageUpdate($0, changed)) }, item) {
            try store.update(id, content: .message(changed), editedAt: now)
        }
        return .itemUpdated(profile, LocatedItem(chat: chat, item: try lookup.item(id)))
    }

    func delete(_ ids: [ChatItemID], _ mode: DeletionMode, in chat: ChatTarget) throws -> ItemsDeleted {
        let chat = try lookup.chat(chat)
        // All or nothing: who names several must not have to find out how far it went.
        let items = try ids.map { try item($0, of: chat) }
        for item in items { try checkDeletion(item, mode) }
        let isFull = Preferences.allows(.fullDelete, in: chat)
        var deleted: [DeletedItem] = []
        for item in items {
            switch mode {
            case .internal: try store.transaction { try store.removeItem(item) }
            case .broadcast where chat.isNotes: try store.transaction { try store.removeItem(item) }
            // SECURITY: a message in the outbox is not sent only to be taken back.
            case .broadcast where try withdraw(item, to: chat): break
            case .broadcast:
                try change(chat, { .deletion(MessageDeletion($0)) }, item) {
                    if isFull { try store.removeItem(item) } else { try store.markDeleted(item.id, at: now) }
                }
            }
            let after = try store.item(item.id).map { LocatedItem(chat: chat, item: $0) }
            deleted.append(DeletedItem(before: LocatedItem(chat: chat, item: item), after: after))
        }
        return ItemsDeleted(profile: try lookup.profile(chat.profileID), deleted: deleted)
    }

    func react(
        _ reaction: Reaction, isAdded: Bool, to id: ChatItemID, in chat: ChatTarget
    ) throws -> ReactionChanged {
        let (chat, item) = try changeable(id, in: chat)
        guard Preferences.allows(.reactions, in: chat) else {
            throw ChatError.notChangeable(id, .notAllowed)
        }
        let own = item.reactions.filter { $0.direction == .sent }.map(\.reaction)
        if own.contains(reaction) != isAdded {
            guard !isAdded || own.count < Reaction.most else { throw ChatError.notChangeable(id, .tooMany) }
            try change(chat, { .reaction(MessageReaction($0, reaction, isAdded: isAdded)) }, item) {
                if isAdded {
                    try store.addReaction(reaction, .sent, to: id)
                } else {
                    try store.removeReaction(reaction, .sent, from: id)
                }
            }
        }
        let located = LocatedItem(chat: chat, item: try lookup.item(id))
        return ReactionChanged(
            profile: try lookup.profile(chat.profileID), item: located, reaction: reaction, isAdded: isAdded)
    }

    // MARK: - Conditions

    private func item(_ id: ChatItemID, of chat: Chat) throws -> ChatItem {
        let item = try lookup.item(id)
        guard item.chat == chat.reference else { throw ChatError.itemNotFound(id) }
        return item
    }

    /// A message that both sides know, in a chat in which others can be told.
    private func changeable(_ id: ChatItemID, in chat: ChatTarget) throws -> (Chat, ChatItem) {
        _ = try agent
        let chat = try lookup.chat(chat)
        let item = try item(id, of: chat)
        guard item.sharedID != nil else { throw ChatError.notChangeable(id, .noMessage) }
        guard item.deletedAt == nil else { throw ChatError.notChangeable(id, .deleted) }
        try checkReach(chat)
        return (chat, item)
    }

    private func checkDeletion(_ item: ChatItem, _ mode: DeletionMode) throws {
        switch mode {
        case .internal:
            // It would go all the same.
            guard !item.status.isUnsent else { throw ChatError.notChangeable(item.id, .queued) }
        case .broadcast:
            _ = try changeable(item.id, in: .reference(item.chat))
            try checkOwn(item)
        }
    }

    /// Throws unless an item is an own message that can still be changed.
    private func checkOwn(_ item: ChatItem) throws(ChatError) {
        guard item.direction == .sent else { throw .notChangeable(item.id, .notOwn) }
        switch item.status {
        case .sendError, .sendErrorAuthorization: throw .notChangeable(item.id, .unsent)
        default: break
        }
        guard now < item.time + ChatItem.changeLimit else { throw .notChangeable(item.id, .tooOld) }
    }

    // MARK: - Telling

    /// Changes an entry and owes the contact an event about it, in one transaction; then the agent gets the event.
    private func change(
        _ chat: Chat, _ event: (SharedMessageID) -> ChatMessage.Event, _ item: ChatItem,
        _ body: () throws -> Void
    ) throws {
        guard let sharedID = item.sharedID else { throw ChatError.notChangeable(item.id, .noMessage) }
        let message = ChatMessage(id: newSharedID(), event: event(sharedID))
        // A message that is nested too deeply could not be read again.
        guard (try? ChatMessage(decoding: Bytes(message.json.line.utf8))) != nil else { throw ChatError.commandSyntax }
        guard let contact = chat.contact else { return try store.transaction(body) }
        _ = try encode(message, for: contact)
        try store.transaction {
            try body()
            try store.owe(message, to: contact.id)
        }
        try handOverOwed(to: contact.id)
    }

}

extension ChatMessage {
    /// The message that a change is about.
    var subject: SharedMessageID? {
        switch event {
        case .update(let update): update.id
        case .deletion(let deletion): deletion.id
        case .reaction(let reaction): reaction.id
        default: nil
        }
    }
}
