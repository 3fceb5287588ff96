import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding

/// The messages of all chats: composing them, changing them, receiving them, handing them to the agent, and their statuses.
///
/// A message is stored first, together with what is to become of it at its recipients, and handed to the agent then, which takes
/// each only once. What a crash keeps from the agent is handed over at the next start, see ``retryPendingMessages()``. In what kinds
/// of chats differ says ``ConversationPolicy``.
final class Conversations: Collaborator {
    let context: CoreContext
    let expiry: Expiry
    let files: ChatFiles

    init(_ context: CoreContext, expiry: Expiry, files: ChatFiles) {
        self.context = context
        self.expiry = expiry
        self.files = files
        files.describe = { [unowned self] in try describe($0, $1, $2) }
        files.withdraw = { [unowned self] in try withdrawFile(of: $0) }
        files.inform = { [unowned self] in try inform($0, $1) }
    }

    /// The length of the ids that this program gives to messages, in bytes.
    private static let sharedIDSize = 12

    /// The id of a new message.
    func newSharedID() -> SharedMessageID {
        SharedMessageID(context.environment.random.bytes(Conversations.sharedIDSize))
    }

    // MARK: - Finding

    /// The conversation of a command.
    func conversation(_ target: ChatTarget) throws -> ConversationPolicy { ConversationPolicy(try lookup.chat(target)) }

    /// The conversation that an entry of a chat belongs to.
    func conversation(of item: ChatItem, in chat: Chat) throws -> ConversationPolicy {
        guard let group = chat.group else { return ConversationPolicy(chat) }
        return ConversationPolicy(.group(group.supporting(try item.supportID.flatMap { try store.member($0) })))
    }

    /// An entry of a chat.
    func item(_ id: ChatItemID, of chat: Chat) throws -> ChatItem {
        let item = try lookup.item(id)
        guard item.chat == chat.reference else { throw ChatError.itemNotFound(id) }
        return item
    }

    /// The entries of a chat that have some numbers, each once. Those that are gone are left out.
    func known(_ ids: [ChatItemID], of chat: Chat) throws -> [ChatItem] {
        try ids.uniqued.compactMap { try store.item($0) }.filter { $0.chat == chat.reference }
    }

    // MARK: - Sending

    /// Sends messages to a chat. Messages that were sent with the same key before are not sent again.
    func send(_ command: SendMessages) throws -> MessagesSent {
        let conversation = try conversation(command.chat), chat = conversation.chat
        let profile = try lookup.profile(chat.profileID)
        if let sent = try sentBefore(command, to: chat, profile) { return sent }
        try check(command)
        try conversation.checkRole()
        let scope = try scope(of: conversation.supportID, in: conversation)
        let drafts = try command.messages.flatMap { message in
            let container = MessageContainer(
                message.content, ttl: expiry.ttl(command.ttl, in: chat),
                isLive: command.isLive && conversation.allowsLive,
                quote: try message.quoted.map { try quote($0, in: conversation, for: message.content) },
                mentions: try mentions(message.mentions, in: message.content.text, of: conversation), scope: scope,
                isFromGroup: conversation.isFromGroup)
            return try self.drafts(container, with: message.file, isSplit: command.isSplit, in: chat)
        }
        return .newItems(
            profile, try write(drafts, once: command.once, isSigned: command.isSigned, to: conversation))
    }

    /// What was sent with the key of a command before; nil if nothing was.
    private func sentBefore(_ command: SendMessages, to chat: Chat, _ profile: OwnProfile) throws -> MessagesSent? {
        guard let key = command.once else { return nil }
        if let parts = try store.parts(sentWith: key, to: chat.reference, at: now) {
            return .partsSentBefore(profile, chat, try lookup.locate(parts))
        }
        guard let known = try store.item(sentWith: key, to: chat.reference, at: now) else { return nil }
        return .sentBefore(profile, chat, known, try store.item(known).map { LocatedItem(chat: chat, item: $0) })
    }

    /// Throws unless the messages of a command can be sent together, for as long as they are to stay.
    private func check(_ command: SendMessages) throws {
        try expiry.checkTTL(command.ttl)
        guard command.messages.count > 1 else { return }
        guard !command.isLive, command.messages.count(where: { $0.quoted != nil }) <= 1 else {
            throw ChatError.unsupported(.liveTogether)
        }
    }

    /// A message with a file, or one without as one draft or several.
    private func drafts(
        _ container: MessageContainer, with file: CryptoFile?, isSplit: Bool, in chat: Chat
    ) throws -> [Draft] {
        if let file { return [try draft(container, with: file, in: chat)] }
        return (isSplit ? try split(container, for: chat) : [container]).map { Draft(container: $0) }
    }

    /// A message that is not stored yet.
    private struct Draft {
        let container: MessageContainer
        /// Where it is taken from.
        var source: ForwardSource?
        var file: ChatFiles.Outgoing?
    }

    /// A message with a file on the disk.
    private func draft(_ container: MessageContainer, with source: CryptoFile, in chat: Chat) throws -> Draft {
        let isAlone = ConversationPolicy(chat).isAlone
        if !isAlone { try files.checkServer(of: chat.profileID) }
        let file = try files.outgoing(source)
        return Draft(container: isAlone ? container : container.with(file.invitation), file: file)
    }

    /// Sends a report about a message to the moderators, in the user's conversation with them.
    func report(
        _ id: ChatItemID, _ reason: ReportReason, _ text: String, in chat: ChatTarget
    ) throws -> NewChatItems {
        let group = try lookup.group(chat)
        let own = ConversationPolicy(.group(group.supporting(group.membership)))
        let content = MessageContent(text, kind: .report(reason))
        let container = MessageContainer(
            content, quote: try quote(id, in: own, for: content), scope: .support(group.membership.memberID))
        return NewChatItems(
            profile: try lookup.profile(group.profileID),
            items: try write([Draft(container: container)], once: nil, to: own))
    }

    // MARK: - Passing on

    /// Passes messages of one conversation on in another.
    func forward(
        _ ids: [ChatItemID], from: ChatTarget, to target: ChatTarget, ttl: Int64? = nil
    ) throws -> NewChatItems {
        let conversation = try conversation(target)
        let drafts = try drafts(forwarding: ids, from: from, to: conversation, ttl: ttl)
        return NewChatItems(
            profile: try lookup.profile(conversation.chat.profileID),
            items: drafts.isEmpty ? [] : try write(drafts, once: nil, to: conversation))
    }

    /// Messages of one conversation as they are passed on in another.
    private func drafts(
        forwarding ids: [ChatItemID], from: ChatTarget, to conversation: ConversationPolicy, ttl: Int64?
    ) throws -> [Draft] {
        let origin = try lookup.chat(from), chat = conversation.chat
        try expiry.checkTTL(ttl)
        let isSame = origin.reference == chat.reference && origin.supportID == conversation.supportID
        let items = try known(ids, of: origin), scope = try scope(of: conversation.supportID, in: conversation)
        return try items.compactMap { item in
            // What was deleted after it was chosen is left out, and so is what is no message.
            guard case .message(let content) = item.content, item.deletedAt == nil else { return nil }
            // The members of another group have other names.
            let mentions = isSame ? item.group?.mentions.mapValues(\.memberID) ?? [:] : [:]
            let container = MessageContainer(
                content, ttl: expiry.ttl(ttl, in: chat), isForwarded: true, mentions: Mentions(mentions), scope: scope,
                isFromGroup: conversation.isFromGroup)
            // What is not here is passed on without its file.
            var draft =
                try files.available(item).map { try self.draft(container, with: $0, in: chat) }
                ?? Draft(container: container)
            draft.source = item.source ?? ForwardSource(item, of: origin)
            return draft
        }
    }

    /// Which of some messages of a conversation can be passed on.
    func planForward(_ ids: [ChatItemID], from: ChatTarget) throws -> ForwardPlan {
        let chat = try lookup.chat(from)
        let messages = try known(ids, of: chat).filter { $0.content.isMessage && $0.deletedAt == nil }
        let obstacles = messages.compactMap(files.forwardObstacle(of:))
        // The first kind is asked about, as in the official applications.
        let kind = obstacles.min { $0.rawValue < $1.rawValue }
        let concerned = messages.filter { kind != nil && files.forwardObstacle(of: $0) == kind }
        let confirmation: ForwardConfirmation? =
            switch kind {
            case .notAccepted: .notAccepted(concerned.compactMap { $0.file?.id })
            case .inProgress: .inProgress(count: concerned.count)
            case .missing: .missing(count: concerned.count)
            case .failed: .failed(count: concerned.count)
            case nil: nil
            }
        return ForwardPlan(
            profile: try lookup.profile(chat.profileID), count: ids.count,
            items: messages.filter { files.forwardObstacle(of: $0) == nil || $0.saysSomethingWithoutFile }.map(\.id),
            confirmation: confirmation)
    }

    // MARK: - Writing

    /// - Parameter isSigned: True if the user signs them in a channel, whether or not it demands that.
    private func write(
        _ drafts: [Draft], once key: String?, isSigned: Bool = false, to conversation: ConversationPolicy
    ) throws -> [LocatedItem] {
        let chat = conversation.chat
        try conversation.checkRole()
        for draft in drafts {
            try conversation.checkFeatures(draft.container.content, hasFile: draft.file != nil)
        }
        let recipients = try recipients(of: conversation)
        guard !drafts.isEmpty else { throw ChatError.emptyMessage }
        let messages = drafts.map { ChatMessage(id: newSharedID(), event: .message($0.container)) }
        for message in messages { try checkSize(message, for: recipients) }
        let time = now
        var owed: [OwedDelivery] = []
        let ids = try store.transaction {
            let ids = try zip(messages, drafts).map { message, draft in
                try insert(
                    draft, message.id, isSigned: isSigned || conversation.demandsSignatures, in: conversation, at: time)
            }
            // Posts of a channel say nothing of the owner that writes them.
            if case .members(let members, let group) = recipients, group.supportID == nil, !conversation.isFromGroup,
                let changed = try changedPresentation(in: group)
            {
                owed = try enqueue([changed], to: members, of: group).map(OwedDelivery.payload)
                try store.setProfileSent(group.id, at: time)
            }
            owed += try enqueue(messages, as: ids, to: recipients)
            for id in ids {
                let status = try status(ofNew: id, to: recipients)
                if status != .sendNew { try store.update(id, status: status) }
                try store.startTimer(of: id, at: time)
            }
            if let key, let first = ids.first, let last = ids.last {
                try store.note(key: key, for: first, through: last, to: chat.reference, at: time)
            }
            return ids
        }
        try handOver(owed)
        if drafts.contains(where: { $0.file != nil }) { files.handOverSoon() }
        try expiry.schedule()
        return try lookup.locate(try ids.map { try lookup.item($0) })
    }

    private func insert(
        _ draft: Draft, _ id: SharedMessageID?, isSigned: Bool, in conversation: ConversationPolicy,
        at time: Timestamp
    ) throws -> ChatItemID {
        let container = draft.container
        var entry = conversation.ownEntry
        if let group = conversation.group {
            if let author = container.quote?.reference.memberID, author != group.membership.memberID {
                entry?.quotedAuthor = try store.member(author, in: group.id)
            }
            entry?.mentions = try entries(of: container.mentions, in: group)
            // Its edits and its deletion are signed too.
            if isSigned, group.isChannel { entry?.signature = .verified }
        }
        let itemID = try store.insertItem(
            NewItem(
                content: .message(container.content), direction: .sent, sharedID: id, quote: container.quote,
                isForwarded: container.isForwarded, source: draft.source, ttl: container.ttl,
                isLive: container.isLive, time: time, entry: entry), in: conversation.chat.reference, at: time)
        if let file = draft.file { try files.insert(file, of: itemID, in: conversation.chat) }
        return itemID
    }

    /// A text as one message if it fits, else in parts that fit also if the connection gets post-quantum keys before they are
    /// sent. The first one carries the quote.
    func split(_ container: MessageContainer, for chat: Chat) throws -> [MessageContainer] {
        let content = container.content
        guard content.kind == .text else { return [container] }
        func message(_ text: String, _ index: Int) -> MessageContainer {
            MessageContainer(
                MessageContent(text, kind: content.kind, otherFields: content.otherFields), ttl: container.ttl,
                quote: index == 0 ? container.quote : nil, scope: container.scope, isFromGroup: container.isFromGroup)
        }
        func encoded(_ container: MessageContainer) -> ChatMessage {
            ChatMessage(id: newSharedID(), event: .message(container))
        }
        do {
            _ = try encode(encoded(container), for: chat.contact)
            return [container]
        } catch ChatError.messageTooLarge(let size, let limit) {
            let rooms = [0, 1].map { ChatLimit.postQuantumMessage - encoded(message("", $0)).encoded.count }
            // A quote may fill the message alone.
            guard rooms.allSatisfy({ $0 >= Conversations.leastRoom }) else {
                throw ChatError.messageTooLarge(size: size, limit: limit)
            }
            let parts = TextParts(content.text).parts { rooms[min($0, 1)] }
            return parts.enumerated().map { message($0.element, $0.offset) }
        }
    }

    /// The least bytes for the text of a part.
    private static let leastRoom = 1000

    // MARK: - Quotes, mentions and scopes

    /// The quote of a message: a reference to it, and its text in case others do not have it.
    private func quote(_ id: ChatItemID, in conversation: ConversationPolicy, for answer: MessageContent) throws
        -> Quote
    {
        let item = try item(id, of: conversation.chat)
        guard case .message(let content) = item.content, let sharedID = item.sharedID else {
            throw ChatError.notChangeable(id, .noMessage, .quote)
        }
        guard item.deletedAt == nil else { throw ChatError.notChangeable(id, .deleted, .quote) }
        // SECURITY: others must not read here what was said to the moderators.
        let isReport = if case .report = answer.kind { true } else { false }
        guard isReport || item.supportID == nil || item.supportID == conversation.supportID else {
            throw ChatError.itemNotFound(id)
        }
        let reference = MessageReference(
            id: sharedID, sentAt: WireTime(item.time), isOwn: item.direction == .sent,
            memberID: conversation.author(of: item))
        return Quote(reference, content: Conversations.quoted(content, of: item, for: answer))
    }

    /// The content of a message as an answer quotes it (chat.md 2.2).
    private static func quoted(_ content: MessageContent, of item: ChatItem, for answer: MessageContent)
        -> MessageContent
    {
        let text = content.text.isEmpty ? item.file?.name ?? "" : content.text
        switch answer.kind {
        case .text, .file, .voice, .report: break
        case .link, .image, .video, .chat, .unknown: return MessageContent(text)
        }
        let kept: MessageContent =
            switch content.kind {
            case .file: MessageContent(text, kind: content.kind)
            case .image: MessageContent(text, kind: content.kind, otherFields: content.otherFields)
            case .text, .link, .video, .voice, .report, .chat, .unknown: content
            }
        // A large picture would leave no room for the answer.
        return kept.json.encoded.count <= mostQuoted ? kept : MessageContent(text)
    }

    /// The largest quoted picture with its text, in bytes.
    private static let mostQuoted = 6000

    /// The members that an own message mentions: those whose names are in the text.
    func mentions(
        _ members: [String: GroupMemberID], in text: String, of conversation: ConversationPolicy
    ) throws -> Mentions {
        guard let group = conversation.group else { return [:] }
        guard members.count <= Mentions.mostSent else { throw ChatError.inGroup(.tooManyMentions) }
        let ids = try members.mapValues { try lookup.member($0, of: group).memberID }
        let names = Set(FormattedText.mentionedNames(in: text))
        return Mentions(ids.filter { names.contains($0.key) })
    }

    /// The mentions of an own message, with the members as they are known.
    func entries(of mentions: Mentions, in group: Group) throws -> [String: GroupEntry.Mention] {
        try mentions.members.mapValues { id in
            GroupEntry.Mention(
                memberID: id, member: try store.member(id, in: group.id).map(GroupEntry.Mention.Reference.init))
        }
    }

    /// The part of a group that a message of a conversation with the moderators names.
    func scope(of id: GroupMemberID?, in conversation: ConversationPolicy) throws -> MessageScope? {
        guard let id, let group = conversation.group else { return nil }
        if id == group.membership.id { return .support(group.membership.memberID) }
        return .support(try lookup.member(id, of: group).memberID)
    }
}

extension Chat {
    /// True if messages disappear here that are to disappear. Elsewhere a message is sent without its time.
    public var allowsTimers: Bool { Preferences.allows(.timedMessages, in: self) }
}

extension [ChatItemID] {
    /// Each once, in their order.
    var uniqued: [ChatItemID] {
        var seen: Set<ChatItemID> = []
        return filter { seen.insert($0).inserted }
    }
}

extension ForwardSource {
    /// Nil for a note.
    fileprivate init?(_ item: ChatItem, of chat: Chat) {
        guard let name = ConversationPolicy(chat).sourceName else { return nil }
        self.init(chat: chat.reference, chatName: name, direction: item.direction, item: item.id)
    }
}

extension ChatItem {
    /// True if something is left of a message without its file.
    fileprivate var saysSomethingWithoutFile: Bool {
        guard case .message(let content) = content else { return false }
        return switch content.kind {
        case .voice, .video, .file: !content.text.isEmpty
        default: true
        }
    }
}
