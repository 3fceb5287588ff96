import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// A message of another side on its way into the store, with what its kind of chat says of it.
///
/// This is all that kinds of chats differ in when messages are received, as ``ConversationPolicy`` is for those that are sent.
struct IncomingMessage {
    /// Who wrote it.
    enum Author {
        case contact(Contact)
        /// A member, with the group and the way on which the message came.
        case member(MemberMessage)
    }

    let author: Author
    /// The id of the message that all sides know; nil for a message without one.
    let id: SharedMessageID?
    let event: ChatMessage.Event
    /// When it was sent, by the clock of a relay.
    let time: Timestamp
    let profile: OwnProfile

    init(_ message: MemberMessage) {
        author = .member(message)
        (id, event, time, profile) = (message.id, message.event, message.time, message.profile)
    }

    init(_ message: ChatMessage, from contact: Contact, _ profile: OwnProfile, at time: Timestamp) {
        author = .contact(contact)
        (id, event, self.time, self.profile) = (message.id, message.event, time, profile)
    }

    /// The message as one of a member; nil for that of a contact.
    var member: MemberMessage? {
        if case .member(let message) = author { message } else { nil }
    }

    /// The chat that it belongs to.
    var chat: ChatReference {
        switch author {
        case .contact(let contact): .direct(contact.id)
        case .member(let message): .group(message.group.id)
        }
    }

    // MARK: - What its kind of chat says

    /// True if messages of its author may come in any order: some directly, and others through another member. Events about a
    /// message may then come before it. Those of a contact come in their order.
    var isUnordered: Bool { member != nil }

    /// True if its author may use a feature.
    func allows(_ feature: Preferences.Feature) -> Bool {
        switch author {
        case .contact(let contact): Preferences.effect(feature, with: contact).other
        case .member(let message): Preferences.allows(feature, in: message.group, message.author.role)
        }
    }

    /// True if its file is received. What the role of a member does not allow is rejected before.
    var acceptsFile: Bool { member != nil || allows(.files) }

    /// The time of the message in seconds, if messages disappear in its chat.
    func acceptedTTL(_ ttl: Int64?) -> Int64? {
        guard let ttl, ttl > 0, allows(.timedMessages) else { return nil }
        return min(ttl, Expiry.longestTTL)
    }

    /// Why the user does not see it; nil if it does. Nothing of a blocked contact is recorded.
    var removal: GroupEntry.Removal? {
        guard let author = sender else { return nil }
        if author.isBlockedForAll { return .blockedForAll }
        return author.showsMessages ? nil : .blocked
    }

    /// False if nothing of what it says is stored. With full deletion nothing is kept of what no member is to see.
    var isKept: Bool { removal != .blockedForAll || member?.group.preferences.isOn(.fullDelete) != true }

    /// True if the user has to look at an entry with this content. Moderators have a list of the reports.
    func isUnread(_ content: MessageContent) -> Bool {
        guard isKept else { return false }
        if member != nil, case .report = content.kind { return false }
        return true
    }

    /// The message as one of a moderator, if it takes the message of a named member away; nil if an author takes its own back.
    func moderation(by deletion: MessageDeletion) -> MemberMessage? { deletion.memberID == nil ? nil : member }

    // MARK: - The way

    /// The member that wrote it; nil for a contact.
    var sender: GroupMember? { member?.author }

    /// The member that passed it on; nil if it came from its author.
    var forwarder: GroupMember? { member?.forwarder }

    /// True if it was passed on although its author sends such messages itself.
    var isPassedOnForConnected: Bool { forwarder != nil && sender?.isConnected == true }

    /// Throws if it changes a signed message and is not signed by the author (network-7.md 9.6).
    func checkSignature(changing item: ChatItem) throws(GroupRefusal) {
        guard item.group?.signature == .verified else { return }
        switch member?.signatureStatus {
        case .verified?: return
        case .some: throw .unverifiedChange
        case nil: throw .signature
        }
    }

    // MARK: - The entry

    /// What only entries of groups have, of its author; nil in other chats.
    func entry(in place: Conversations.ContentPlace) -> GroupEntry? {
        guard let member else { return nil }
        var entry = GroupEntry(of: member)
        entry.supportID = place.supportID
        return entry
    }
}

extension MemberMessage {
    /// An event of another member that came before this message.
    func replaced(by event: ChatMessage.Event, of author: GroupMember, at time: Timestamp) -> MemberMessage {
        MemberMessage(
            id: nil, event: event, bytes: [], author: author, forwarder: nil, time: time, group: group, profile: profile
        )
    }
}

/// What the store says of the author of a received message. All runs within the transaction of the event.
extension Conversations {
    /// The part of a chat that a message belongs to.
    struct ContentPlace {
        /// The member of a group whose conversation with the moderators it is; nil for that of all.
        let supportID: GroupMemberID?
    }

    /// The conversation that a message belongs to, in which its author may write.
    func place(of scope: MessageScope?, _ message: IncomingMessage) throws -> ContentPlace {
        guard let message = message.member else { return ContentPlace(supportID: nil) }
        let author = message.author, membership = message.group.membership
        guard let scope else {
            if author.status.isPending { return ContentPlace(supportID: author.id) }
            if membership.status.isPending { return ContentPlace(supportID: membership.id) }
            return ContentPlace(supportID: nil)
        }
        if scope.memberID == membership.memberID { return ContentPlace(supportID: membership.id) }
        guard let member = try store.member(scope.memberID, in: message.group.id) else {
            throw GroupRefusal.unknownMember
        }
        return ContentPlace(supportID: member.id)
    }

    /// What a message has that its author may not send; nil if all of it is allowed. What a contact may not send is left out where
    /// it is used. Source: the reference implementation.
    func rejected(
        _ container: MessageContainer, of message: IncomingMessage, in place: ContentPlace
    ) throws -> GroupPreferences.Feature? {
        guard let message = message.member else { return nil }
        let membership = message.group.membership
        let supported = try place.supportID.map { $0 == membership.id ? membership : try lookup.member($0) }
        return message.group.prohibited(
            container.content, hasFile: container.otherFields["file"] != nil, role: message.author.role,
            isSupport: place.supportID != nil, isNewSupport: supported?.hasNoSupportChat == true,
            // A moderator may want to hear a newcomer, and answer it (network-7.md 2.6).
            isAdmission: place.supportID == membership.id && membership.status.isPending
                && message.author.role >= .moderator)
    }

    /// The entry of a message that the author of another one sent before.
    func item(_ id: SharedMessageID, of message: IncomingMessage) throws -> ChatItem? {
        switch message.author {
        case .contact: try store.item(id, .received, in: message.chat)
        case .member(let message): try item(id, by: message)
        }
    }

    /// The entry of a message of a member. An owner may have written it as the channel, which not every event says.
    private func item(_ id: SharedMessageID, by message: MemberMessage) throws -> ChatItem? {
        let group = message.group.id
        if message.isFromGroup { return try store.post(id, in: group) }
        if let item = try store.item(id, by: message.author.id, in: group) { return item }
        guard message.group.isChannel, message.author.role == .owner else { return nil }
        return try store.post(id, in: group)
    }

    /// What only entries of groups have, for a message; nil in other chats.
    func entry(
        for container: MessageContainer, _ message: IncomingMessage, in place: ContentPlace
    ) throws -> GroupEntry? {
        guard var entry = message.entry(in: place), let group = message.member?.group else { return nil }
        entry.mentions = try mentions(of: container, message)
        let quoted = container.quote?.reference.memberID
        if let quoted, quoted != group.membership.memberID {
            entry.quotedAuthor = try store.member(quoted, in: group.id)
        }
        entry.mentionsUser =
            entry.mentions.values.contains { $0.memberID == group.membership.memberID }
            || quoted == group.membership.memberID
        entry.removal = message.removal
        return entry
    }

    /// The members that a received message mentions: those whose names are in the text, each once and at most five. None in chats
    /// without members.
    func mentions(
        of container: MessageContainer, _ message: IncomingMessage
    ) throws -> [String: GroupEntry.Mention] {
        guard let group = message.member?.group, !container.mentions.isEmpty else { return [:] }
        var found: [String: GroupEntry.Mention] = [:]
        for name in FormattedText.mentionedNames(in: container.content.text) {
            guard found.count < Mentions.mostReceived, found[name] == nil, let id = container.mentions.members[name],
                !found.values.contains(where: { $0.memberID == id })
            else { continue }
            found[name] = GroupEntry.Mention(
                memberID: id, member: try store.member(id, in: group.id).map(GroupEntry.Mention.Reference.init))
        }
        return found
    }

    /// What the proof in a card of a link may be bound to where a message came (network-7.md 9.12).
    func bindings(of message: IncomingMessage, _ container: MessageContainer) throws -> [Bytes] {
        guard case .chat = container.content.kind else { return [] }
        switch message.author {
        case .contact(let contact):
            let hash = try contact.connection.flatMap { try agent.securityHash(of: $0.id) }
            return hash.map { [ElementSignature.Binding.direct.bytes($0)] } ?? []
        case .member(let message):
            guard let id = message.group.channel?.publicID else { return [] }
            return message.isFromGroup
                ? [ElementSignature.Binding.channel.bytes(ElementSignature.channelBinding(id))]
                : [ElementSignature.Binding.group.bytes(ElementSignature.groupBinding(id, message.author.memberID))]
        }
    }

    /// An entry with its chat, and the conversation that it belongs to. A new message brings a deleted chat back.
    func located(_ item: ChatItem, _ message: IncomingMessage, isNew: Bool = false) throws -> LocatedItem {
        switch message.author {
        case .contact(var contact):
            if isNew { contact.marks.isDeleted = false }
            return LocatedItem(chat: .direct(contact), item: item)
        case .member(let message):
            let chat = try lookup.chat(ChatReference.group(message.group.id))
            return LocatedItem(chat: try lookup.scope(chat, of: item), item: item)
        }
    }

    // MARK: - Early events

    /// Keeps an event about a message that may come after it.
    ///
    /// - Parameter author: Who wrote the message.
    /// - Returns: False if messages of its kind of chat come in their order: the event is then about nothing.
    @discardableResult
    func keepEarly(
        _ message: IncomingMessage, about id: SharedMessageID, of author: MemberID?
    ) throws -> Bool {
        guard let member = message.member, let author else { return false }
        try store.insertEarlyEvent(
            message.event, about: id, of: author, from: member.author.id, in: member.group.id, time: message.time,
            at: now)
        return true
    }

    /// True if a message must not come back: its author took it away where nothing is kept of that.
    func isRemovedForGood(_ id: SharedMessageID, _ message: IncomingMessage) throws -> Bool {
        guard message.allows(.fullDelete), let message = message.member else { return false }
        return try store.earlyEvents(about: id, of: message.writerID, in: message.group.id).contains {
            guard case .deletion = $0.message.event else { return false }
            return message.isFromGroup || $0.senderID == message.author.id
        }
    }

    /// Applies the events about a message that came before it.
    func applyEarlyEvents(to item: ChatItem, _ message: IncomingMessage) throws {
        guard let id = item.sharedID, let member = message.member else { return }
        for event in try store.earlyEvents(about: id, of: member.writerID, in: member.group.id) {
            guard let sender = try store.member(event.senderID), let item = try store.item(item.id) else { return }
            let early = IncomingMessage(member.replaced(by: event.message.event, of: sender, at: event.time))
            switch event.message.event {
            case .reaction(let reaction):
                _ = try give(reaction, to: item, early)
                try store.removeEarlyEvent(event.number)
            case .deletion(let deletion):
                if let moderation = early.moderation(by: deletion) {
                    _ = try moderate(item, by: moderation.author, in: moderation.group, at: event.time)
                } else {
                    _ = try takeBack(item, deletion, early)
                }
            default: break
            }
        }
    }

    // MARK: - Whose message an event is about

    /// The message that a deletion takes away; nil if it did not come yet.
    ///
    /// - Returns: The entry, and its author for an event that is kept until the message comes; nil for none.
    func subject(
        of deletion: MessageDeletion, _ message: IncomingMessage
    ) throws -> (entry: ChatItem?, author: MemberID?) {
        guard let member = message.member, let id = deletion.memberID, id != member.author.memberID else {
            let isModeration = message.moderation(by: deletion) != nil
            let writer = isModeration ? message.sender?.memberID : message.member?.writerID
            return (try item(deletion.id, of: message), writer)
        }
        guard let author = try store.member(id, in: member.group.id) else { throw GroupRefusal.unknownMember }
        let entry = try store.item(deletion.id, by: author.isUser ? nil : author.id, in: member.group.id)
        return (entry, author.isUser ? nil : id)
    }

    /// The message that gets a reaction; nil if it did not come yet.
    ///
    /// - Returns: The entry, and its author for an event that is kept until the message comes; nil for none.
    func subject(
        of reaction: MessageReaction, _ message: IncomingMessage
    ) throws -> (entry: ChatItem?, author: MemberID?) {
        guard let group = message.member?.group else { return (try store.item(reaction.id, in: message.chat), nil) }
        if reaction.memberID == nil, let channel = group.channel.flatMap({ MemberID($0.publicID) }) {
            return (try store.post(reaction.id, in: group.id), channel)
        }
        guard let id = reaction.memberID, let author = try store.member(id, in: group.id) else {
            throw GroupRefusal.unknownMember
        }
        let entry = try store.item(reaction.id, by: author.isUser ? nil : author.id, in: group.id)
        return (entry, author.isUser ? nil : id)
    }

    /// Gives an entry a reaction of the author of an event, or takes it back. Returns false if that changes nothing.
    func give(_ event: MessageReaction, to item: ChatItem, _ message: IncomingMessage) throws -> Bool {
        switch message.author {
        case .contact: try give(event, to: item)
        case .member(let member): try give(event, to: item, by: member.author, at: message.time)
        }
    }

    private func give(_ event: MessageReaction, to item: ChatItem) throws -> Bool {
        guard item.deletedAt == nil else { return false }
        let given = item.reactions.filter { $0.direction == .received }.map(\.reaction)
        guard given.contains(event.reaction) != event.isAdded else { return false }
        if event.isAdded {
            guard given.count < Reaction.most else { return false }
            try store.addReaction(event.reaction, .received, to: item.id)
        } else {
            try store.removeReaction(event.reaction, .received, from: item.id)
        }
        return true
    }

    private func give(
        _ event: MessageReaction, to item: ChatItem, by giver: GroupMember, at time: Timestamp
    ) throws -> Bool {
        guard item.content.isMessage else { return false }
        // Members of a conversation with the moderators are those that see it.
        if let supportID = item.supportID, supportID != giver.id, giver.role < .moderator { return false }
        if event.isAdded, try store.reactionCount(of: giver.id, to: item.id) >= Reaction.most { return false }
        return try store.setReaction(
            event.reaction, isGiven: event.isAdded, by: giver.id, to: item.id, at: time)
    }
}
