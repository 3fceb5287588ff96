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
        let place = try known.map { ContentPlace(supportID: $0.group?.supportID) } ?? place(of: update.scope, message)
        if let member = message.member, try rejected(container, of: member, in: place) != nil {
            throw GroupRefusal.featureOff
        }
        guard let item = known else {
            if try isRemovedForGood(update.id, message) { return true }
            try insertEdited(container, update.id, message, in: place, &consequences)
            return true
        }
        try checkSignature(of: message, changing: item)
        guard case .message(let former) = item.content, !item.isForwarded else { throw GroupRefusal.unchangeable }
        let wasLive = item.isLive == true
        // Edits of a contact come in their order.
        if message.member != nil, let latest = try store.versions(of: item.id).first?.time, latest > message.time {
            // It was overtaken by a later edit.
            try store.insertVersion(of: item.id, update.content, at: message.time, now: now)
            return true
        }
        let mentions = try mentions(of: container, message)
        guard update.content != former || wasLive || mentions != item.group?.mentions ?? [:] else { return true }
        try store.update(item, content: update.content, isLive: update.isLive, at: message.time, now: now)
        if let member = message.member {
            try store.setMentions(mentions, of: item.id)
            if member.forwarder?.id != item.group?.forwarder?.id {
                try store.setForwarder(member.forwarder?.id, of: item.id)
            }
        }
        if wasLive, !update.isLive, item.status == .receivedRead {
            try store.startTimer(of: item.id, at: now)
            try expiry.schedule()
        }
        consequences.events.append(
            ItemUpdatedEvent(profile: message.profile, item: try located(try lookup.item(item.id), message)))
        return true
    }

    private func mentions(
        of container: MessageContainer, _ message: IncomingMessage
    ) throws -> [String: GroupEntry.Mention] {
        guard let group = message.member?.group else { return [:] }
        return try mentions(container.mentions, in: container.content.text, of: group)
    }

    private func insertEdited(
        _ container: MessageContainer, _ id: SharedMessageID, _ message: IncomingMessage, in place: ContentPlace,
        _ consequences: inout GroupConsequences
    ) throws {
        var entry: GroupEntry?
        if let member = message.member {
            var own = GroupEntry(of: member)
            own.supportID = place.supportID
            own.mentions = try mentions(of: container, message)
            own.mentionsUser = own.mentions.values.contains { $0.memberID == member.group.membership.memberID }
            if !member.author.showsMessages { own.removal = .blocked }
            entry = own
        }
        let itemID = try store.insertItem(
            NewItem(
                content: .message(container.content), direction: .received, isUnread: true,
                sharedID: id, ttl: acceptedTTL(container.ttl, message), isLive: container.isLive,
                time: message.time, entry: entry), in: message.chat, at: now)
        if message.member != nil {
            try store.insertVersion(of: itemID, container.content, at: message.time, now: now)
        }
        if !container.isLive { try store.setEdited(itemID, at: message.time) }
        if !message.profile.isHidden { context.counters.received += 1 }
        let events = consequences.events.count
        try announce(itemID, message, &consequences)
        // People see a new message, programs also that a message of a group is edited.
        guard message.member != nil, consequences.events.count == events, let item = try store.item(itemID),
            !container.isLive
        else { return }
        consequences.events.append(ItemUpdatedEvent(profile: message.profile, item: try located(item, message)))
    }

    // MARK: - Deletions

    /// Records that the author or a moderator takes a message away.
    func recordDeletion(
        _ deletion: MessageDeletion, _ message: IncomingMessage, _ consequences: inout GroupConsequences
    ) throws -> Bool {
        switch message.author {
        case .contact(let contact):
            guard let item = try item(deletion.id, of: message), try takeBack(item, by: contact, at: message.time)
            else {
                return false
            }
            try noteDeleted(item, in: .direct(contact), message.profile, &consequences)
            return true
        case .member(let message): return try recordDeletion(deletion, message, &consequences)
        }
    }

    private func recordDeletion(
        _ deletion: MessageDeletion, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws -> Bool {
        let group = message.group, sender = message.author
        let authorID = deletion.memberID ?? sender.memberID
        let author = authorID == sender.memberID ? sender : try store.member(authorID, in: group.id)
        guard let author else { throw GroupRefusal.unknownMember }
        // An author that names itself takes the message away as a moderator.
        let isModeration = deletion.memberID != nil
        let incoming = IncomingMessage(message)
        let known =
            author.id == sender.id
            ? try item(deletion.id, of: incoming)
            : try store.item(deletion.id, by: author.isUser ? nil : author.id, in: group.id)
        guard let item = known else {
            guard !author.isUser else { return false }
            try store.insertEarlyEvent(
                message.event, about: deletion.id, of: isModeration ? authorID : message.writerID, from: sender.id,
                in: group.id, time: message.time, at: now)
            return true
        }
        if !isModeration { try checkSignature(of: incoming, changing: item) }
        let chat = try located(item, IncomingMessage(message)).chat
        // The user's own message: a moderator decides about its file too.
        if isModeration { try store.revokeFile(of: item) }
        guard
            try isModeration
                ? moderate(item, by: sender, in: group, at: message.time)
                : takeBack(item, by: sender, deletion, in: group, at: message.time)
        else { return true }
        try noteDeleted(item, in: chat, message.profile, &consequences)
        if isModeration { try settleReports(of: item.id, by: sender, message, &consequences) }
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

    /// A contact takes a message back: it is removed if both sides allow it, and marked otherwise. Returns false if that changes
    /// nothing.
    private func takeBack(_ item: ChatItem, by contact: Contact, at time: Timestamp) throws -> Bool {
        guard item.deletedAt == nil, isInTime(item, at: time) else { return false }
        if Preferences.effect(.fullDelete, with: contact).other {
            try store.removeItem(item)
        } else {
            try store.mark(item, nil, by: nil, at: time)
        }
        return true
    }

    /// The author takes a message back. Returns false if that changes nothing.
    private func takeBack(
        _ item: ChatItem, by author: GroupMember, _ deletion: MessageDeletion, in group: Group, at time: Timestamp
    ) throws -> Bool {
        guard isInTime(item, at: time) else { return false }
        if group.preferences.allows(.fullDelete, author.role) {
            // Nothing that is still on its way brings it back.
            try store.insertEarlyEvent(
                .deletion(deletion), about: deletion.id, of: author.memberID, from: author.id, in: group.id,
                time: time, at: now)
            try store.removeItem(item)
            return true
        }
        guard isEarlier(time, than: item) else { return false }
        try store.mark(item, nil, by: nil, at: time)
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

    /// True if a message must not come back: its author took it away where nothing is kept of that.
    func isRemovedForGood(_ id: SharedMessageID, _ message: IncomingMessage) throws -> Bool {
        guard let message = message.member, message.group.preferences.allows(.fullDelete, message.author.role) else {
            return false
        }
        return try store.earlyEvents(about: id, of: message.writerID, in: message.group.id).contains {
            guard case .deletion = $0.message.event else { return false }
            return message.isFromGroup || $0.senderID == message.author.id
        }
    }

    // MARK: - Reactions

    /// Records a reaction, or its removal.
    func recordReaction(
        _ event: MessageReaction, _ message: IncomingMessage, _ consequences: inout GroupConsequences
    ) throws -> Bool {
        let given: ChatItem?
        switch message.author {
        case .contact(let contact): given = try give(event, by: contact)
        case .member(let member):
            let item = try subject(of: event, member)
            guard let item = item.entry else { return item.isKept }
            given = try give(event, to: item, by: member.author, in: member.group, at: member.time) ? item : nil
        }
        guard let item = given else { return true }
        consequences.events.append(
            ItemReactionEvent(
                profile: message.profile, item: try located(try lookup.item(item.id), message),
                reaction: event.reaction, isAdded: event.isAdded, time: message.time, member: message.member?.author))
        return true
    }

    /// The entry that gets a reaction of a member. The reaction is kept if it comes before the message.
    private func subject(
        of event: MessageReaction, _ message: MemberMessage
    ) throws -> (entry: ChatItem?, isKept: Bool) {
        let group = message.group, giver = message.author
        guard group.preferences.isOn(.reactions) else { throw GroupRefusal.featureOff }
        if event.memberID == nil, let id = group.channel.flatMap({ MemberID($0.publicID) }) {
            if let item = try store.post(event.id, in: group.id) { return (item, true) }
            try store.insertEarlyEvent(
                message.event, about: event.id, of: id, from: giver.id, in: group.id, time: message.time, at: now)
            return (nil, true)
        }
        guard let authorID = event.memberID, let author = try store.member(authorID, in: group.id) else {
            throw GroupRefusal.unknownMember
        }
        if let item = try store.item(event.id, by: author.isUser ? nil : author.id, in: group.id) {
            return (item, true)
        }
        guard !author.isUser else { return (nil, false) }
        try store.insertEarlyEvent(
            message.event, about: event.id, of: authorID, from: giver.id, in: group.id, time: message.time, at: now)
        return (nil, true)
    }

    /// Returns the entry that a contact gave a reaction, or nil if that changes nothing.
    private func give(_ event: MessageReaction, by contact: Contact) throws -> ChatItem? {
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
        return item
    }

    /// Returns false if that changes nothing.
    private func give(
        _ event: MessageReaction, to item: ChatItem, by giver: GroupMember, in group: Group, at time: Timestamp
    ) throws -> Bool {
        guard item.content.isMessage else { return false }
        // Members of a conversation with the moderators are those that see it.
        if let supportID = item.group?.supportID, supportID != giver.id, giver.role < .moderator { return false }
        if event.isAdded, try store.reactionCount(of: giver.id, to: item.id) >= Reaction.most { return false }
        return try store.setReaction(
            event.reaction, isGiven: event.isAdded, by: giver.id, to: item.id, at: time)
    }

    // MARK: - What came before its message

    /// Applies the events about a message that came before it.
    func applyEarlyEvents(to item: ChatItem, _ message: MemberMessage) throws {
        guard let id = item.sharedID else { return }
        for event in try store.earlyEvents(about: id, of: message.writerID, in: message.group.id) {
            guard let sender = try store.member(event.senderID), let item = try store.item(item.id) else { return }
            switch event.message.event {
            case .reaction(let reaction):
                _ = try give(reaction, to: item, by: sender, in: message.group, at: event.time)
                try store.removeEarlyEvent(event.number)
            case .deletion(let deletion):
                if deletion.memberID == nil {
                    _ = try takeBack(item, by: sender, deletion, in: message.group, at: event.time)
                } else {
                    _ = try moderate(item, by: sender, in: message.group, at: event.time)
                }
            default: break
            }
        }
    }
}
