import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

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

    // MARK: - New messages

    private func recordMessage(
        _ container: MessageContainer, _ message: IncomingMessage, _ consequences: inout GroupConsequences
    ) throws -> Bool {
        let place = try place(of: container.scope, message)
        let container = container.with(
            container.content.keepingOwnerSignature(boundTo: try bindings(of: message, container)))
        if let feature = try rejected(container, of: message, in: place) {
            try insertRejection(feature, of: message, in: place, &consequences)
            return false
        }
        if let id = message.id {
            if try isRemovedForGood(id, message) { return true }
            if let known = try item(id, of: message) {
                // A message of an author whose messages have an order is a copy.
                if message.isUnordered { try complete(known, container, message, in: place, &consequences) }
                return true
            }
        }
        let item = try newItem(message.id, container, message, in: place)
        let id = try store.insertItem(item, in: message.chat, at: now)
        if let file = container.file, case .message = item.content, message.acceptsFile {
            try files.insert(file, of: id, container.content, for: message.profile.id)
        }
        if !message.profile.isHidden { context.counters.received += 1 }
        try announce(id, message, &consequences)
        return true
    }

    /// A message as an entry.
    ///
    /// - Parameter id: The id that all sides know the message by.
    func newItem(
        _ id: SharedMessageID?, _ container: MessageContainer, _ message: IncomingMessage, in place: ContentPlace
    ) throws -> NewItem {
        let isKept = message.isKept
        return NewItem(
            content: isKept ? .message(container.content) : .blocked, direction: .received,
            isUnread: message.isUnread(container.content), sharedID: id, quote: isKept ? container.quote : nil,
            isForwarded: container.isForwarded, ttl: message.acceptedTTL(container.ttl), isLive: container.isLive,
            time: message.time, entry: try entry(for: container, message, in: place))
    }

    /// Adds what came with a message to the entry that an edit of it made before.
    private func complete(
        _ known: ChatItem, _ container: MessageContainer, _ message: IncomingMessage, in place: ContentPlace,
        _ consequences: inout GroupConsequences
    ) throws {
        // What a moderator took away has its place among the others, and nothing else.
        guard case .message = known.content else { return try store.setTime(message.time, of: known.id) }
        try store.insertVersion(of: known.id, container.content, at: message.time, now: now)
        try store.complete(known.id, try newItem(known.sharedID, container, message, in: place), in: message.chat)
        if let file = container.file {
            try files.insert(file, of: known.id, container.content, for: message.profile.id)
        }
        if container.isLive { try store.setCompleted(known.id) }
        let item = try lookup.item(known.id)
        guard item.deletedAt == nil || item.group?.removal != nil else { return }
        consequences.events.append(ItemUpdatedEvent(profile: message.profile, item: try located(item, message)))
    }

    /// Notes that the author sent what its role does not allow.
    private func insertRejection(
        _ feature: GroupPreferences.Feature, of message: IncomingMessage, in place: ContentPlace,
        _ consequences: inout GroupConsequences
    ) throws {
        guard message.removal == nil else { return }
        if let id = message.id, try item(id, of: message) != nil { return }
        let id = try store.insertItem(
            NewItem(
                content: .groupFeatureRejected(feature), direction: .received, sharedID: message.id,
                time: message.time, entry: message.entry(in: place)), in: message.chat, at: now)
        consequences.items.append(try located(try lookup.item(id), message))
    }

    /// Applies what came before a message, and tells the message unless it is gone by that.
    func announce(
        _ id: ChatItemID, _ message: IncomingMessage, _ consequences: inout GroupConsequences
    ) throws {
        try applyEarlyEvents(to: try lookup.item(id), message)
        guard let item = try store.item(id) else { return }
        consequences.items.append(try located(item, message, isNew: true))
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
