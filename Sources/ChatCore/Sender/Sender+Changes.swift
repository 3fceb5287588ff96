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
    /// - Parameter isLive: Whether a message that is being written is not complete with this.
    func edit(
        _ id: ChatItemID, _ content: MessageContent, isLive: Bool = false, in chat: ChatTarget
    ) throws -> ItemEdited {
        let (chat, item) = try changeable(id, in: chat, to: .edit)
        guard case .message(let former) = item.content else { throw ChatError.notChangeable(id, .noMessage, .edit) }
        try checkOwn(item, .edit)
        guard !item.isForwarded else { throw ChatError.notChangeable(id, .forwarded, .edit) }
        let wasLive = item.isLive == true, goesOn = wasLive && isLive
        let profile = try lookup.profile(chat.profileID)
        guard content != former || wasLive else {
            return .itemUnchanged(profile, LocatedItem(chat: chat, item: item))
        }
        try change(chat, { .update(MessageUpdate($0, content, ttl: item.ttl, isLive: goesOn)) }, item) {
            try store.update(item, content: content, isLive: goesOn, at: now, now: now)
            if wasLive, !goesOn { try store.startTimer(of: id, at: now) }
        }
        if wasLive, item.ttl != nil { try expiry.schedule() }
        return .itemUpdated(profile, LocatedItem(chat: chat, item: try lookup.item(id)))
    }

    /// A message of a chat with everything that it said.
    func info(_ id: ChatItemID, in chat: ChatTarget) throws -> ItemInfo {
        let chat = try lookup.chat(chat), item = try item(id, of: chat)
        var versions = try store.versions(of: id)
        if versions.isEmpty, case .message(let content) = item.content {
            versions = [ItemVersion(number: id.number, content: content, time: item.time, createdAt: item.createdAt)]
        }
        let source = try item.source.flatMap { try store.item($0.item) }
        return ItemInfo(
            profile: try lookup.profile(chat.profileID), item: LocatedItem(chat: chat, item: item), versions: versions,
            source: try source.map { LocatedItem(chat: try lookup.chat($0.chat), item: $0) })
    }

    func delete(_ ids: [ChatItemID], _ mode: DeletionMode, in chat: ChatTarget) throws -> ItemsDeleted {
        let chat = try lookup.chat(chat)
        let items = try known(ids, of: chat)
        if mode == .history, !chat.isNotes, let id = ids.first {
            throw ChatError.notChangeable(id, .notAllowed, .delete)
        }
        for item in items { try checkDeletion(item, mode) }
        let isFull = Preferences.allows(.fullDelete, in: chat)
        var deleted: [DeletedItem] = []
        for item in items {
            switch mode {
            case .internal: try store.transaction { try store.removeItem(item) }
            case .internalMark: try store.transaction { try store.markDeleted(item.id, at: now) }
            case .broadcast where chat.isNotes, .history: try store.transaction { try store.removeItem(item) }
            // SECURITY: a message in the outbox is not sent only to be taken back.
            case .broadcast where try withdraw(item, to: chat): break
            case .broadcast:
                try change(chat, { .deletion(MessageDeletion($0)) }, item) {
                    try store.revokeFile(of: item)
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
        let (chat, item) = try changeable(id, in: chat, to: .react)
        // Nobody but the author reads notes.
        guard !chat.isNotes, item.content.isMessage else { throw ChatError.notChangeable(id, .noMessage, .react) }
        guard Preferences.allows(.reactions, in: chat) else {
            throw ChatError.notChangeable(id, .notAllowed, .react)
        }
        let own = item.reactions.filter { $0.direction == .sent }.map(\.reaction)
        guard own.contains(reaction) != isAdded else {
            throw ChatError.notChangeable(id, isAdded ? .alreadyAdded : .alreadyRemoved, .react)
        }
        guard !isAdded || own.count < Reaction.most else { throw ChatError.notChangeable(id, .tooMany, .react) }
        try change(chat, { .reaction(MessageReaction($0, reaction, isAdded: isAdded)) }, item) {
            if isAdded {
                try store.addReaction(reaction, .sent, to: id)
            } else {
                try store.removeReaction(reaction, .sent, from: id)
            }
        }
        let located = LocatedItem(chat: chat, item: try lookup.item(id))
        return ReactionChanged(
            profile: try lookup.profile(chat.profileID), item: located, reaction: reaction, isAdded: isAdded, time: now)
    }

    // MARK: - Conditions

    private func item(_ id: ChatItemID, of chat: Chat) throws -> ChatItem {
        let item = try lookup.item(id)
        guard item.chat == chat.reference else { throw ChatError.itemNotFound(id) }
        return item
    }

    /// A message that both sides know, in a chat in which others can be told.
    private func changeable(
        _ id: ChatItemID, in chat: ChatTarget, to action: ItemAction
    ) throws -> (Chat, ChatItem) {
        _ = try agent
        let chat = try lookup.chat(chat)
        let item = try item(id, of: chat)
        guard item.sharedID != nil else { throw ChatError.notChangeable(id, .noMessage, action) }
        guard item.deletedAt == nil else { throw ChatError.notChangeable(id, .deleted, action) }
        try checkReach(chat)
        return (chat, item)
    }

    private func checkDeletion(_ item: ChatItem, _ mode: DeletionMode) throws {
        switch mode {
        case .internal, .internalMark, .history: break
        case .broadcast:
            _ = try changeable(item.id, in: .reference(item.chat), to: .delete)
            guard item.content.isMessage else { throw ChatError.notChangeable(item.id, .noMessage, .delete) }
            try checkOwn(item, .delete)
        }
    }

    /// Throws unless an item is an own message that can still be changed.
    func checkOwn(_ item: ChatItem, _ action: ItemAction) throws(ChatError) {
        guard item.direction == .sent else { throw .notChangeable(item.id, .notOwn, action) }
        switch item.status {
        case .sendError, .sendErrorAuthorization: throw .notChangeable(item.id, .unsent, action)
        default: break
        }
        if case .notes = item.chat { return }
        guard now < item.time + ChatItem.changeLimit else { throw .notChangeable(item.id, .tooOld, action) }
    }

    // MARK: - Telling

    /// Changes an entry and owes the contact an event about it, in one transaction; then the agent gets the event.
    private func change(
        _ chat: Chat, _ event: (SharedMessageID) -> ChatMessage.Event, _ item: ChatItem,
        _ body: () throws -> Void
    ) throws {
        guard let sharedID = item.sharedID else { throw ChatError.notChangeable(item.id, .noMessage, .edit) }
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
        case .fileDescription(let part): part.messageID
        case .fileCancelled(let id, _): id
        default: nil
        }
    }
}
