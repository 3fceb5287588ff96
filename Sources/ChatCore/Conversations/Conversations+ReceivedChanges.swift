import AgentProtocol
import ByteCoding
import ChatProtocol

/// Changes that other sides make to messages: edits, deletions and reactions. All runs within the transaction of the event.
///
/// Events of a contact come in their order. Those of one member may come in any order, because some come directly and some through
/// another member. What was sent later counts, by the clocks of the relays: in every order the same is left.
extension Conversations {
    // MARK: - Edits

    /// Records an edit of the author. A message that has not come yet is inserted as it is now.
    func recordUpdate(
        _ update: MessageUpdate, _ message: IncomingMessage, _ consequences: inout GroupConsequences
    ) throws -> Bool {
        let container = MessageContainer(
            update.content, ttl: update.ttl, isLive: update.isLive, mentions: update.mentions, scope: update.scope)
        let known = try item(update.id, of: message)
        let place = try known.map { ContentPlace(supportID: $0.supportID) } ?? place(of: update.scope, message)
        if try rejected(container, of: message, in: place) != nil { throw GroupRefusal.featureOff }
        guard let item = known else {
            if try isRemovedForGood(update.id, message) { return true }
            try insertEdited(container, update.id, message, in: place, &consequences)
            return true
        }
        try message.checkSignature(changing: item)
        guard case .message(let former) = item.content, !item.isForwarded else { throw GroupRefusal.unchangeable }
        let wasLive = item.isLive == true
        if message.isUnordered, let latest = try store.versions(of: item.id).first?.time, latest > message.time {
            // It was overtaken by a later edit.
            try store.insertVersion(of: item.id, update.content, at: message.time, now: now)
            return true
        }
        let mentions = try mentions(of: container, message)
        guard update.content != former || wasLive || mentions != item.group?.mentions ?? [:] else { return true }
        try store.update(item, content: update.content, isLive: update.isLive, at: message.time, now: now)
        try store.setMentions(mentions, of: item.id)
        if message.forwarder?.id != item.group?.forwarder?.id {
            try store.setForwarder(message.forwarder?.id, of: item.id)
        }
        if wasLive, !update.isLive, item.status == .receivedRead {
            try store.startTimer(of: item.id, at: now)
            try expiry.schedule()
        }
        consequences.events.append(
            ItemUpdatedEvent(profile: message.profile, item: try located(try lookup.item(item.id), message)))
        return true
    }

    private func insertEdited(
        _ container: MessageContainer, _ id: SharedMessageID, _ message: IncomingMessage, in place: ContentPlace,
        _ consequences: inout GroupConsequences
    ) throws {
        let itemID = try store.insertItem(try newItem(id, container, message, in: place), in: message.chat, at: now)
        // Which of several edits is the last says their time.
        if message.isUnordered {
            try store.insertVersion(of: itemID, container.content, at: message.time, now: now)
        }
        if !container.isLive { try store.setEdited(itemID, at: message.time) }
        if !message.profile.isHidden { context.counters.received += 1 }
        let events = consequences.events.count
        try announce(itemID, message, &consequences)
        // People see a new message. Programs also see that it is edited, where the message may come later.
        guard message.isUnordered, consequences.events.count == events, let item = try store.item(itemID),
            !container.isLive
        else { return }
        consequences.events.append(ItemUpdatedEvent(profile: message.profile, item: try located(item, message)))
    }

    // MARK: - Deletions

    /// Records that the author or a moderator takes a message away.
    func recordDeletion(
        _ deletion: MessageDeletion, _ message: IncomingMessage, _ consequences: inout GroupConsequences
    ) throws -> Bool {
        let (known, author) = try subject(of: deletion, message), moderation = message.moderation(by: deletion)
        guard let item = known else { return try keepEarly(message, about: deletion.id, of: author) }
        // An author that names itself takes the message away as a moderator.
        if moderation == nil { try message.checkSignature(changing: item) }
        let chat = try located(item, message).chat
        // The user's own message: a moderator decides about its file too.
        if moderation != nil { try store.revokeFile(of: item) }
        guard
            try moderation.map({ try moderate(item, by: $0.author, in: $0.group, at: $0.time) })
                ?? takeBack(item, deletion, message)
        else { return true }
        try noteDeleted(item, in: chat, message.profile, &consequences)
        if let moderation { try settleReports(of: item.id, moderation, &consequences) }
        return true
    }

    /// Notes what follows from a deletion: its file is not received, and the deletion is told.
    private func noteDeleted(
        _ item: ChatItem, in chat: Chat, _ profile: OwnProfile, _ consequences: inout GroupConsequences
    ) throws {
        _ = try files.recordWithdrawal(of: item, profile)
        files.removeOrphansSoon()
        let after = try store.item(item.id).map { LocatedItem(chat: chat, item: $0) }
        consequences.events.append(
            ItemsDeletedEvent(
                profile: profile, items: [DeletedItem(before: LocatedItem(chat: chat, item: item), after: after)]))
    }

    /// True if its author can still take a message back.
    private func isInTime(_ item: ChatItem, at time: Timestamp) -> Bool {
        // A relay could date a message so that it can be taken back forever.
        time < min(item.time, item.createdAt + .seconds(60)) + ChatItem.toleratedChangeLimit
    }

    /// The author takes a message back: it is removed if its chat allows that, and marked otherwise. Returns false if that changes
    /// nothing.
    func takeBack(_ item: ChatItem, _ deletion: MessageDeletion, _ message: IncomingMessage) throws -> Bool {
        guard isInTime(item, at: message.time), message.isUnordered || item.deletedAt == nil else { return false }
        if message.allows(.fullDelete) {
            // Nothing that is still on its way brings it back.
            try keepEarly(message, about: deletion.id, of: message.sender?.memberID)
            try store.removeItem(item)
            return true
        }
        guard isEarlier(message.time, than: item) else { return false }
        try store.mark(item, nil, by: nil, at: message.time)
        return true
    }

    /// True if no moderator took a message away later. What a moderator does counts more than what the author does.
    private func mayModerate(_ item: ChatItem, at time: Timestamp) -> Bool {
        guard let deletedAt = item.deletedAt, item.group?.removal == .moderated else { return true }
        // A relay tells whole seconds.
        return time + .seconds(1) > deletedAt
    }

    /// A moderator takes a message away. Returns false if that changes nothing.
    func moderate(_ item: ChatItem, by moderator: GroupMember, in group: Group, at time: Timestamp) throws -> Bool {
        guard item.content.isMessage || item.content == .blocked || item.content == .moderated else { return false }
        let isEmptied = group.preferences.allows(.fullDelete, moderator.role)
        guard mayModerate(item, at: time) else {
            // The moderator that took it away last stays, but nothing of it is kept.
            if isEmptied, item.content.isMessage {
                try store.mark(
                    item, item.group?.removal, by: item.group?.moderator?.id, isEmptied: true,
                    at: item.deletedAt ?? time)
                return true
            }
            return false
        }
        try store.mark(
            item, .moderated, by: moderator.id, isEmptied: isEmptied, at: time)
        return true
    }

    /// True if its author did not take a message away before a time, and no moderator did.
    private func isEarlier(_ time: Timestamp, than item: ChatItem) -> Bool {
        guard let deletedAt = item.deletedAt else { return true }
        switch item.group?.removal {
        case .blocked, .blockedForAll: return true
        case .moderated: return false
        case nil: return time < deletedAt
        }
    }

    // MARK: - Reactions

    /// Records a reaction, or its removal.
    func recordReaction(
        _ event: MessageReaction, _ message: IncomingMessage, _ consequences: inout GroupConsequences
    ) throws -> Bool {
        guard message.allows(.reactions) else { throw GroupRefusal.featureOff }
        let (known, author) = try subject(of: event, message)
        guard let item = known else { return try keepEarly(message, about: event.id, of: author) }
        guard try give(event, to: item, message) else { return true }
        consequences.events.append(
            ItemReactionEvent(
                profile: message.profile, item: try located(try lookup.item(item.id), message),
                reaction: event.reaction, isAdded: event.isAdded, time: message.time, member: message.sender))
        return true
    }
}
