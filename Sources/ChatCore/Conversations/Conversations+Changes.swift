import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// Changes that the user makes to messages: edits, reactions and deletions.
///
/// A change is stored together with the event that the recipients are owed, and handed to the agent then. What a crash keeps from
/// the agent is handed over at the next start.
extension Conversations {
    /// Changes what an own message says.
    func edit(_ command: EditItem) throws -> ItemEdited {
        let named = try conversation(command.chat)
        if named.supportID == nil, try store.item(command.item)?.supportID == nil { try named.checkRole() }
        let (conversation, item) = try changeable(command.item, in: command.chat, to: .edit)
        let chat = conversation.chat, content = command.content, id = item.id
        guard case .message(let former) = item.content else { throw ChatError.notChangeable(id, .noMessage, .edit) }
        try checkOwn(item, .edit, in: conversation)
        guard !item.isForwarded else { throw ChatError.notChangeable(id, .forwarded, .edit) }
        if case .report = former.kind { throw ChatError.notChangeable(id, .noMessage, .edit) }
        let wasLive = item.isLive == true, goesOn = wasLive && command.isLive
        let profile = try lookup.profile(chat.profileID)
        let mentions = try mentions(command.mentions, in: content.text, of: conversation)
        let known = (item.group?.mentions ?? [:]).mapValues(\.memberID)
        guard content != former || wasLive || mentions.members != known else {
            return .itemUnchanged(profile, LocatedItem(chat: chat, item: item))
        }
        try conversation.checkRole()
        try conversation.checkFeatures(content, hasFile: item.file != nil)
        let scope = try scope(of: item.supportID, in: conversation)
        try change(item, in: conversation) { sharedID in
            .update(
                MessageUpdate(
                    sharedID, content, ttl: item.ttl, isLive: goesOn, mentions: mentions, scope: scope,
                    isFromGroup: item.group?.isFromGroup == true))
        } body: {
            try store.update(item, content: content, isLive: goesOn, at: now, now: now)
            if let group = conversation.group { try store.setMentions(try entries(of: mentions, in: group), of: id) }
            if wasLive, !goesOn { try store.startTimer(of: id, at: now) }
        }
        if wasLive, item.ttl != nil { try expiry.schedule() }
        return .itemUpdated(profile, LocatedItem(chat: chat, item: try lookup.item(id)))
    }

    /// Gives a message a reaction, or takes it back.
    func react(_ command: React) throws -> ReactionChanged {
        let (conversation, item) = try changeable(command.item, in: command.chat, to: .react)
        let chat = conversation.chat, reaction = command.reaction, isAdded = command.isAdded, id = item.id
        guard conversation.hasReactions, item.content.isMessage else {
            throw ChatError.notChangeable(id, .noMessage, .react)
        }
        guard Preferences.allows(.reactions, in: chat) else { throw ChatError.notChangeable(id, .notAllowed, .react) }
        let own = item.reactions.filter { $0.direction == .sent }.map(\.reaction)
        guard own.contains(reaction) != isAdded else {
            throw ChatError.notChangeable(id, isAdded ? .alreadyAdded : .alreadyRemoved, .react)
        }
        guard !isAdded || own.count < Reaction.most else { throw ChatError.notChangeable(id, .tooMany, .react) }
        let author = conversation.author(of: item), scope = try scope(of: item.supportID, in: conversation)
        try change(item, in: conversation) { sharedID in
            .reaction(MessageReaction(sharedID, reaction, isAdded: isAdded, of: author, scope: scope))
        } body: {
            if isAdded {
                try store.addReaction(reaction, .sent, to: id)
            } else {
                try store.removeReaction(reaction, .sent, from: id)
            }
        }
        return ReactionChanged(
            profile: try lookup.profile(chat.profileID),
            item: LocatedItem(chat: chat, item: try lookup.item(id)), reaction: reaction, isAdded: isAdded, time: now)
    }

    // MARK: - Deleting

    /// Deletes messages here, or own ones for all sides.
    func delete(_ command: DeleteItems) throws -> ItemsDeleted {
        let named = try conversation(command.chat), chat = named.chat, mode = command.mode
        let items = try known(command.items, of: chat)
        if !named.isAlone, mode == .history && !named.isEditor || mode == .internal && named.isEditor,
            let id = command.items.first
        {
            throw ChatError.notChangeable(id, .notAllowed, .delete)
        }
        if mode == .broadcast || mode == .history && named.isEditor {
            for item in items {
                let (conversation, _) = try changeable(item.id, in: command.chat, to: .delete)
                guard item.content.isMessage else { throw ChatError.notChangeable(item.id, .noMessage, .delete) }
                try checkOwn(item, .delete, in: conversation)
            }
        }
        let located = try lookup.locate(items)
        for item in items {
            switch mode {
            case .broadcast where !named.isAlone: try takeBack(item, in: try conversation(of: item, in: chat))
            case .history where named.isEditor:
                try takeBack(item, in: try conversation(of: item, in: chat), isHistoryOnly: true)
            case .internal, .broadcast, .history: try store.transaction { try store.removeItem(item) }
            case .internalMark: try store.transaction { try store.mark(item, nil, by: nil, at: now) }
            }
        }
        return ItemsDeleted(profile: try lookup.profile(chat.profileID), deleted: try deleted(located))
    }

    /// Entries as they were before they were deleted, with what is left of them.
    func deleted(_ items: [LocatedItem]) throws -> [DeletedItem] {
        try items.map { before in
            DeletedItem(
                before: before,
                after: try store.item(before.item.id).map { LocatedItem(chat: before.chat, item: $0) })
        }
    }

    /// Takes an own message away from all recipients.
    ///
    /// SECURITY: a message in the outbox is not sent only to be taken back.
    ///
    /// - Parameter isHistoryOnly: True if those that have it keep it, and later members of a channel do not get it.
    private func takeBack(
        _ item: ChatItem, in conversation: ConversationPolicy, isHistoryOnly: Bool = false
    ) throws {
        let payloads: [GroupMessage]?
        if case .contact = try recipients(of: conversation) {
            if try withdraw(item, from: conversation.chat) { return }
            payloads = nil
        } else {
            payloads = try isQueued(item) ? store.groupMessages(of: item.id) : nil
        }
        let scope = try scope(of: item.supportID, in: conversation)
        // That it is deleted is on disk before the first member does not get it: after a crash the others are told.
        let deletions = try owe(item, in: conversation) { sharedID in
            .deletion(MessageDeletion(sharedID, scope: scope, isHistoryOnly: isHistoryOnly))
        } body: {
            try store.revokeFile(of: item)
            if conversation.isFullDelete {
                try store.removeItem(item)
            } else {
                try store.mark(item, nil, by: nil, at: now)
            }
        }
        guard let payloads, try withdraw(payloads) else { return try handOver(deletions) }
        try store.transaction {
            for case .payload(let number) in deletions { try store.removeGroupMessage(number) }
            try remove(item, payloads)
        }
    }

    /// Removes a message that no recipient has got yet.
    ///
    /// - Throws: ``ChatError/notChangeable(_:_:_:)`` if it was sent to any of them.
    func drop(_ id: ChatItemID) throws -> ItemsDeleted {
        let item = try lookup.item(id), before = try lookup.locate([item])[0]
        guard try withdraw(item, from: before.chat) else { throw ChatError.notChangeable(id, .notQueued, .drop) }
        return ItemsDeleted(
            profile: try lookup.profile(before.chat.profileID), deleted: [DeletedItem(before: before, after: nil)])
    }

    // MARK: - Conditions

    /// A message that all sides know, with its conversation, in which they can be told of changes.
    private func changeable(
        _ id: ChatItemID, in chat: ChatTarget, to action: ItemAction
    ) throws -> (ConversationPolicy, ChatItem) {
        _ = try agent
        let chat = try lookup.chat(chat), item = try item(id, of: chat)
        guard item.sharedID != nil else { throw ChatError.notChangeable(id, .noMessage, action) }
        guard item.deletedAt == nil else { throw ChatError.notChangeable(id, .deleted, action) }
        let conversation = try conversation(of: item, in: chat)
        _ = try recipients(of: conversation)
        return (conversation, item)
    }

    /// Throws unless an item is an own message that can still be changed.
    private func checkOwn(_ item: ChatItem, _ action: ItemAction, in conversation: ConversationPolicy) throws(ChatError)
    {
        guard item.direction == .sent else { throw .notChangeable(item.id, .notOwn, action) }
        switch item.status {
        case .sendError, .sendErrorAuthorization: throw .notChangeable(item.id, .unsent, action)
        default: break
        }
        guard !conversation.limitsChanges || now < item.time + ChatItem.changeLimit else {
            throw .notChangeable(item.id, .tooOld, action)
        }
    }

    // MARK: - Telling

    /// Changes an entry and owes the recipients an event about it, in one transaction; then the agent gets the event.
    private func change(
        _ item: ChatItem, in conversation: ConversationPolicy, _ event: (SharedMessageID) -> ChatMessage.Event,
        body: () throws -> Void
    ) throws {
        try handOver(try owe(item, in: conversation, event, body: body))
    }

    /// Changes an entry and owes the recipients an event about it, in one transaction.
    private func owe(
        _ item: ChatItem, in conversation: ConversationPolicy, _ event: (SharedMessageID) -> ChatMessage.Event,
        body: () throws -> Void
    ) throws -> [OwedDelivery] {
        guard let sharedID = item.sharedID else { throw ChatError.notChangeable(item.id, .noMessage, .edit) }
        let message = ChatMessage(id: newSharedID(), event: event(sharedID))
        // A message that is nested too deeply could not be read again.
        guard (try? ChatMessage(decoding: Bytes(message.json.line.utf8))) != nil else { throw ChatError.commandSyntax }
        let recipients = try recipients(of: conversation)
        if !conversation.isAlone { try checkSize(message, for: recipients) }
        return try store.transaction {
            let owed = try enqueue([message], to: recipients)
            try body()
            return owed
        }
    }

    // MARK: - What became of a message

    /// A message of a chat with everything that it said, and what became of it at each member of a group.
    func info(_ id: ChatItemID, in chat: ChatTarget) throws -> ItemInfo {
        let chat = try lookup.chat(chat), item = try item(id, of: chat)
        var versions = try store.versions(of: id)
        if versions.isEmpty, case .message(let content) = item.content {
            versions = [ItemVersion(number: id.number, content: content, time: item.time, createdAt: item.createdAt)]
        }
        let source = try item.source.flatMap { try store.item($0.item) }
        var info = ItemInfo(
            profile: try lookup.profile(chat.profileID), item: LocatedItem(chat: chat, item: item), versions: versions,
            source: try source.map { LocatedItem(chat: try lookup.chat($0.chat), item: $0) })
        if item.direction == .sent {
            info.deliveries = try store.deliveries(of: id).map {
                ItemInfo.Delivery(member: $0.member, state: $0.delivery)
            }
        }
        return info
    }

    /// The members that gave a message of a group a reaction.
    ///
    /// - Parameter profile: The profile that the group has to be of; nil for any.
    func members(
        thatGave reaction: Reaction, to id: ChatItemID, in chat: ChatTarget, of profile: ProfileID? = nil
    ) throws -> [MemberReaction] {
        guard case .reference(.group) = chat else { throw ChatError.commandSyntax }
        let group = try lookup.group(chat)
        guard profile ?? group.profileID == group.profileID else { throw ChatError.groupNotFound(group.id) }
        let item = try item(id, of: .group(group))
        var members = try store.members(thatGave: reaction, to: id)
        if item.reactions.contains(where: { $0.direction == .sent && $0.reaction == reaction }) {
            members.append(MemberReaction(member: group.membership, time: item.createdAt))
        }
        return members
    }
}
