import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// A message of another side on its way into the store.
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
}

/// Messages that are received. All runs within the transaction of the event.
extension Conversations {
    /// Records a message or a change of one. Other events are left out.
    ///
    /// - Returns: True if members that the author is not connected with may get it too.
    /// - Throws: ``GroupRefusal`` if its author may not do it.
    func recordContent(_ message: IncomingMessage, _ consequences: inout GroupConsequences) throws -> Bool {
        switch message.event {
        case .message(let container): return try recordMessage(container, message, &consequences)
        case .update(let update): return try recordUpdate(update, message, &consequences)
        case .deletion(let deletion): return try recordDeletion(deletion, message, &consequences)
        case .reaction(let reaction): return try recordReaction(reaction, message, &consequences)
        case .fileDescription, .fileCancelled:
            try recordFile(message, &consequences)
            return true
        case .profile, .contactRequest, .ok, .contactDeleted, .call, .probe, .group, .other: return false
        }
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

    /// Throws if a change of a signed message is not signed by its author (network-7.md 9.6).
    func checkSignature(of message: IncomingMessage, changing item: ChatItem) throws(GroupRefusal) {
        guard item.group?.signature == .verified, let status = message.member?.signatureStatus, status == .verified
        else {
            guard item.group?.signature == .verified, message.member != nil else { return }
            throw message.member?.signatureStatus == nil ? .signature : .unverifiedChange
        }
    }

    // MARK: - New messages

    private func recordMessage(
        _ container: MessageContainer, _ message: IncomingMessage, _ consequences: inout GroupConsequences
    ) throws -> Bool {
        let place = try place(of: container.scope, message)
        let container = container.with(
            container.content.keepingOwnerSignature(boundTo: try bindings(of: message, container)))
        if let member = message.member, let feature = try rejected(container, of: member, in: place) {
            try insertRejection(feature, of: member, in: place, &consequences)
            return false
        }
        if let id = message.id {
            if try isRemovedForGood(id, message) { return true }
            if let known = try item(id, of: message) {
                if let member = message.member { try complete(known, container, member, in: place, &consequences) }
                return true
            }
        }
        let item = try newItem(container, message, in: place)
        let id = try store.insertItem(item, in: message.chat, at: now)
        if let file = container.file, case .message = item.content, allowsFiles(message) {
            try files.insert(file, of: id, container.content, for: message.profile.id)
        }
        if !message.profile.isHidden { context.counters.received += 1 }
        try announce(id, message, &consequences)
        return true
    }

    /// What the proof in a card of a link may be bound to where a message came (network-7.md 9.12).
    private func bindings(of message: IncomingMessage, _ container: MessageContainer) throws -> [Bytes] {
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

    /// True if the file of a message that is not rejected is accepted.
    private func allowsFiles(_ message: IncomingMessage) -> Bool {
        guard case .contact(let contact) = message.author else { return true }
        return Preferences.effect(.files, with: contact).other
    }

    /// A message as an entry.
    private func newItem(
        _ container: MessageContainer, _ message: IncomingMessage, in place: ContentPlace
    ) throws -> NewItem {
        if let member = message.member { return try newItem(container, member, in: place) }
        return NewItem(
            content: .message(container.content), direction: .received, isUnread: true, sharedID: message.id,
            quote: container.quote, isForwarded: container.isForwarded, ttl: acceptedTTL(container.ttl, message),
            isLive: container.isLive, time: message.time)
    }

    /// A message of a member as an entry.
    private func newItem(
        _ container: MessageContainer, _ message: MemberMessage, in place: ContentPlace
    ) throws -> NewItem {
        let group = message.group, isReport = if case .report = container.content.kind { true } else { false }
        var entry = GroupEntry(of: message)
        entry.supportID = place.supportID
        entry.mentions = try mentions(container.mentions, in: container.content.text, of: group)
        if let author = container.quote?.reference.memberID, author != group.membership.memberID {
            entry.quotedAuthor = try store.member(author, in: group.id)
        }
        entry.mentionsUser =
            entry.mentions.values.contains { $0.memberID == group.membership.memberID }
            || container.quote?.reference.memberID == group.membership.memberID
        if message.author.isBlockedForAll {
            entry.removal = .blockedForAll
        } else if !message.author.showsMessages {
            entry.removal = .blocked
        }
        // With full deletion nothing is kept of what nobody is to see.
        let isKept = entry.removal != .blockedForAll || !group.preferences.isOn(.fullDelete)
        return NewItem(
            content: isKept ? .message(container.content) : .blocked, direction: .received,
            isUnread: isKept && !isReport, sharedID: message.id,
            quote: isKept ? container.quote : nil, isForwarded: container.isForwarded,
            ttl: acceptedTTL(container.ttl, IncomingMessage(message)), isLive: container.isLive, time: message.time,
            entry: entry)
    }

    /// Adds what came with a message to the entry that an edit of it made before.
    private func complete(
        _ known: ChatItem, _ container: MessageContainer, _ message: MemberMessage, in place: ContentPlace,
        _ consequences: inout GroupConsequences
    ) throws {
        // What a moderator took away has its place among the others, and nothing else.
        guard case .message = known.content else { return try store.setTime(message.time, of: known.id) }
        try store.insertVersion(of: known.id, container.content, at: message.time, now: now)
        try store.complete(known.id, try newItem(container, message, in: place), in: message.group.id)
        if let file = container.file {
            try files.insert(file, of: known.id, container.content, for: message.profile.id)
        }
        if container.isLive { try store.setCompleted(known.id) }
        let item = try lookup.item(known.id)
        guard item.deletedAt == nil || item.group?.removal != nil else { return }
        consequences.events.append(
            ItemUpdatedEvent(profile: message.profile, item: try located(item, IncomingMessage(message))))
    }

    /// Notes that a member sent what its role does not allow.
    private func insertRejection(
        _ feature: GroupPreferences.Feature, of message: MemberMessage, in place: ContentPlace,
        _ consequences: inout GroupConsequences
    ) throws {
        guard message.author.showsMessages, !message.author.isBlockedForAll else { return }
        if let id = message.id, try store.item(id, by: message.author.id, in: message.group.id) != nil { return }
        var entry = GroupEntry(of: message)
        entry.supportID = place.supportID
        let id = try store.insertItem(
            NewItem(
                content: .groupFeatureRejected(feature), direction: .received, sharedID: message.id,
                time: message.time, entry: entry), in: .group(message.group.id), at: now)
        consequences.items.append(try located(try lookup.item(id), IncomingMessage(message)))
    }

    /// Applies what came before a message, and tells the message unless it is gone by that.
    func announce(
        _ id: ChatItemID, _ message: IncomingMessage, _ consequences: inout GroupConsequences
    ) throws {
        if let member = message.member { try applyEarlyEvents(to: try lookup.item(id), member) }
        guard let item = try store.item(id) else { return }
        consequences.items.append(try located(item, message, isNew: true))
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

    // MARK: - Where it belongs

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

    /// What a message has that its author may not send; nil if all of it is allowed. Source: the reference implementation.
    func rejected(
        _ container: MessageContainer, of message: MemberMessage, in place: ContentPlace
    ) throws -> GroupPreferences.Feature? {
        let membership = message.group.membership
        let supported = try place.supportID.map { $0 == membership.id ? membership : try lookup.member($0) }
        return message.group.prohibited(
            container.content, hasFile: container.otherFields["file"] != nil, role: message.author.role,
            isSupport: place.supportID != nil, isNewSupport: supported?.hasNoSupportChat == true,
            // A moderator may want to hear a newcomer, and answer it (network-7.md 2.6).
            isAdmission: place.supportID == membership.id && membership.status.isPending
                && message.author.role >= .moderator)
    }

    /// The members that a received message mentions: those whose names are in the text, each once and at most five.
    func mentions(
        _ mentions: Mentions, in text: String, of group: Group
    ) throws -> [String: GroupEntry.Mention] {
        guard !mentions.isEmpty else { return [:] }
        var found: [String: GroupEntry.Mention] = [:]
        for name in FormattedText.mentionedNames(in: text) {
            guard found.count < Mentions.mostReceived, found[name] == nil, let id = mentions.members[name],
                !found.values.contains(where: { $0.memberID == id })
            else { continue }
            found[name] = GroupEntry.Mention(
                memberID: id, member: try store.member(id, in: group.id).map(GroupEntry.Mention.Reference.init))
        }
        return found
    }

    /// The time of a received message in seconds, if messages disappear in its chat.
    func acceptedTTL(_ ttl: Int64?, _ message: IncomingMessage) -> Int64? {
        switch message.author {
        case .contact(let contact): return expiry.acceptedTTL(ttl, from: contact)
        case .member(let message):
            guard let ttl, ttl > 0, message.group.preferences.isOn(.timedMessages) else { return nil }
            return min(ttl, Expiry.longestTTL)
        }
    }
}

extension GroupMember {
    /// True for a member that has no support chat, and that waits for no admission, which is talked of there.
    var hasNoSupportChat: Bool { supportChat == nil && !status.isPending }
}

extension Group {
    /// True where a message would begin a support chat.
    var beginsSupport: Bool {
        switch support {
        case nil: false
        case .own: membership.hasNoSupportChat
        case .member(let member): member.hasNoSupportChat
        }
    }

    /// The feature that content needs and a role may not use.
    ///
    /// - Parameter isAdmission: True for what a moderator writes to a member that waits for its admission.
    func prohibited(
        _ content: MessageContent, hasFile: Bool, role: GroupRole, isSupport: Bool,
        isNewSupport: Bool = false, isAdmission: Bool = false
    ) -> GroupPreferences.Feature? {
        let preferences = preferences
        // Support chats that exist go on.
        if isNewSupport, !preferences.isOn(.support) { return .support }
        if case .voice = content.kind { return isAdmission || preferences.allows(.voice, role) ? nil : .voice }
        guard !isSupport else { return nil }
        if hasFile || content.isFile, !preferences.allows(.files, role) { return .files }
        if case .report = content.kind { return preferences.isOn(.reports) ? nil : .reports }
        if content.hasSimplexLink, !preferences.allows(.simplexLinks, role) { return .simplexLinks }
        return nil
    }

    /// What its members may do.
    var preferences: GroupPreferences { profile.preferences ?? GroupPreferences() }
}

extension GroupEntry.Mention.Reference {
    init(_ member: GroupMember) {
        self.init(id: member.id, displayName: member.profile.displayName, role: member.role)
    }
}

extension FormattedText {
    /// The names that a text mentions, in their order.
    static func mentionedNames(in text: String) -> [String] {
        (parts(of: text) ?? []).compactMap { part in
            guard case .mention(let name) = part.format else { return nil }
            return name
        }
    }
}

extension MessageContent {
    /// True if it cannot be without a file.
    fileprivate var isFile: Bool {
        switch kind {
        case .image, .video, .file: true
        case .text, .link, .voice, .report, .chat, .unknown: false
        }
    }

    /// True if it leads to a contact or a group.
    fileprivate var hasSimplexLink: Bool {
        if case .chat = kind { return true }
        return text.isSimplexLinkInside || text.hasSplitSimplexLink
    }
}

extension String {
    /// The most places of a text that are tried for a link. It limits the time for a hostile text.
    private static let mostAttempts = 100
    /// The most bytes of a link in a text.
    private static let longestLink = 8192

    fileprivate var isSimplexLinkInside: Bool {
        (FormattedText.parts(of: self) ?? []).contains { part in
            if case .simplexLink = part.format { true } else { false }
        }
    }

    /// True if the text has a link when its white space is taken out (chat.md 4.5).
    fileprivate var hasSplitSimplexLink: Bool {
        let scalars: String.UnicodeScalarView = unicodeScalars.filter { !$0.properties.isWhitespace }
        var rest = String(scalars)[...], attempts = 0
        while let start = rest.firstIndex(where: { $0 == "s" || $0 == "h" }), attempts < String.mostAttempts {
            rest = rest[start...]
            if rest.hasPrefix("simplex:/") || rest.hasPrefix("https://") {
                attempts += 1
                if String(rest.prefix(String.longestLink)).isSimplexLinkInside { return true }
            }
            rest = rest.dropFirst()
        }
        return false
    }
}
