import AgentProtocol
import ByteCoding
import ChatProtocol

/// Changes that contacts make to messages: edits, deletions and reactions. All run within the transaction of the event.
extension Inbox {
    /// Records an edit of the author. A message that was never received is inserted as it is now.
    func recordUpdate(
        _ update: MessageUpdate, from contact: Contact, _ profile: OwnProfile, at time: Timestamp,
        _ newItems: inout [LocatedItem]
    ) throws -> (any ChatEvent)? {
        guard let item = try store.item(update.id, .received, in: .direct(contact.id)) else {
            if !profile.isHidden { context.counters.received += 1 }
            let located = try store.insertReceived(
                .message(update.content), from: contact, sharedID: update.id,
                ttl: expiry.acceptedTTL(update.ttl, from: contact), isLive: update.isLive,
                at: time, now: now)
            if !update.isLive {
                try store.update(located.item, content: update.content, isLive: false, at: time, now: now)
            }
            newItems.append(LocatedItem(chat: .direct(contact), item: try lookup.item(located.item.id)))
            return nil
        }
        let wasLive = item.isLive == true
        guard case .message(let former) = item.content, !item.isForwarded, update.content != former || wasLive
        else { return nil }
        try store.update(item, content: update.content, isLive: update.isLive, at: time, now: now)
        if wasLive, !update.isLive, item.status == .receivedRead {
            try store.startTimer(of: item.id, at: now)
            try expiry.schedule()
        }
        return ItemUpdatedEvent(
            profile: profile, item: LocatedItem(chat: .direct(contact), item: try lookup.item(item.id)))
    }

    /// Records that the author takes a message back. The message is removed if both sides allow it, and marked otherwise. After
    /// the time limit nothing happens.
    func recordDeletion(
        _ deletion: MessageDeletion, from contact: Contact, _ profile: OwnProfile, at time: Timestamp
    ) throws -> (any ChatEvent)? {
        guard let item = try store.item(deletion.id, .received, in: .direct(contact.id)), item.deletedAt == nil,
            // A relay could date a message so that it can be taken back forever.
            time < min(item.time, item.createdAt + .seconds(60)) + ChatItem.toleratedChangeLimit
        else { return nil }
        if Preferences.effect(.fullDelete, with: contact).other {
            try store.removeItem(item)
            files.removeOrphansSoon()
        } else {
            _ = try files.recordWithdrawal(of: item, profile)
            try store.markDeleted(item.id, at: time)
        }
        let after = try store.item(item.id).map { LocatedItem(chat: .direct(contact), item: $0) }
        let deleted = DeletedItem(before: LocatedItem(chat: .direct(contact), item: item), after: after)
        return ItemsDeletedEvent(profile: profile, items: [deleted])
    }

    /// Records a reaction of the contact, or its removal.
    func recordReaction(
        _ event: MessageReaction, from contact: Contact, _ profile: OwnProfile, at time: Timestamp
    ) throws -> (any ChatEvent)? {
        guard Preferences.effect(.reactions, with: contact).other,
            let item = try store.item(event.id, in: .direct(contact.id)), item.deletedAt == nil
        else { return nil }
        let given = item.reactions.filter { $0.direction == .received }.map(\.reaction)
        guard given.contains(event.reaction) != event.isAdded else { return nil }
        if event.isAdded {
            guard given.count < Reaction.most else { return nil }
            try store.addReaction(event.reaction, .received, to: item.id)
        } else {
            try store.removeReaction(event.reaction, .received, from: item.id)
        }
        let located = LocatedItem(chat: .direct(contact), item: try lookup.item(item.id))
        return ItemReactionEvent(
            profile: profile, item: located, reaction: event.reaction, isAdded: event.isAdded, time: time)
    }
}
