import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding

/// The messages that this side sends: composing them, changing them, handing them to the agent, and their statuses.
///
/// A message is stored first and handed to the agent then, which takes each only once. What a crash keeps from the agent is
/// handed over at the next start, see ``retryPendingMessages()``.
final class Sender: Collaborator {
    let context: CoreContext
    let expiry: Expiry
    let files: ChatFiles

    init(_ context: CoreContext, expiry: Expiry, files: ChatFiles) {
        self.context = context
        self.expiry = expiry
        self.files = files
    }

    /// The length of the ids that this program gives to messages, in bytes.
    private static let sharedIDSize = 12

    /// Sends messages to a chat. Messages that were sent with the same key before are not sent again.
    func send(_ command: SendMessages) throws -> MessagesSent {
        let chat = try lookup.chat(command.chat), profile = try lookup.profile(chat.profileID)
        if let sent = try sentBefore(command, to: chat, profile) { return sent }
        try check(command, in: chat)
        let drafts = try command.messages.flatMap { message in
            let container = MessageContainer(
                message.content, ttl: expiry.ttl(command.ttl, in: chat), isLive: command.isLive && !chat.isNotes,
                quote: try message.quoted.map { try quote($0, in: chat, for: message.content) })
            return try self.drafts(container, with: message.file, isSplit: command.isSplit, in: chat)
        }
        return .newItems(profile, try write(drafts, once: command.once, to: chat))
    }

    /// What was sent with the key of a command before; nil if nothing was.
    func sentBefore(_ command: SendMessages, to chat: Chat, _ profile: OwnProfile) throws -> MessagesSent? {
        guard let key = command.once else { return nil }
        if let parts = try store.parts(sentWith: key, to: chat.reference, at: now) {
            return .partsSentBefore(profile, chat, try lookup.locate(parts))
        }
        guard let known = try store.item(sentWith: key, to: chat.reference, at: now) else { return nil }
        return .sentBefore(profile, chat, known, try store.item(known).map { LocatedItem(chat: chat, item: $0) })
    }

    /// Throws unless the messages of a command can be sent together, for as long as they are to stay.
    func check(_ command: SendMessages, in chat: Chat) throws {
        try expiry.checkTTL(command.ttl)
        guard command.messages.count > 1 else { return }
        guard !command.isLive, command.messages.count(where: { $0.quoted != nil }) <= 1 else {
            throw ChatError.unsupported(.liveTogether)
        }
    }

    /// A message with a file, or one without as one draft or several.
    func drafts(
        _ container: MessageContainer, with file: CryptoFile?, isSplit: Bool, in chat: Chat
    ) throws -> [Draft] {
        if let file { return [try draft(container, with: file, in: chat)] }
        return (isSplit ? try split(container, for: chat) : [container]).map { Draft(container: $0) }
    }

    /// A message that is not stored yet.
    struct Draft {
        let container: MessageContainer
        /// Where it is taken from.
        var source: ForwardSource?
        var file: ChatFiles.Outgoing?
    }

    /// A message with a file on the disk.
    func draft(_ container: MessageContainer, with source: CryptoFile, in chat: Chat) throws -> Draft {
        if !chat.isNotes { try files.checkServer(of: chat.profileID) }
        let file = try files.outgoing(source)
        return Draft(container: chat.isNotes ? container : container.with(file.invitation), file: file)
    }

    /// Passes messages of one conversation on in another.
    func forward(
        _ ids: [ChatItemID], from: ChatTarget, to chat: ChatTarget, ttl: Int64? = nil
    ) throws -> NewChatItems {
        let chat = try lookup.chat(chat)
        let drafts = try drafts(forwarding: ids, from: from, to: chat, ttl: ttl)
        return NewChatItems(
            profile: try lookup.profile(chat.profileID),
            items: drafts.isEmpty ? [] : try write(drafts, once: nil, to: chat))
    }

    /// Messages of one conversation as they are passed on in another.
    func drafts(forwarding ids: [ChatItemID], from: ChatTarget, to chat: Chat, ttl: Int64?) throws -> [Draft] {
        let origin = try lookup.chat(from)
        try expiry.checkTTL(ttl)
        let isSame = origin.reference == chat.reference && origin.group?.supportID == chat.group?.supportID
        return try known(ids, of: origin).compactMap { item in
            // What was deleted after it was chosen is left out, and so is what is no message.
            guard case .message(let content) = item.content, item.deletedAt == nil else { return nil }
            // The members of another group have other names.
            let mentions = isSame ? item.group?.mentions.mapValues(\.memberID) ?? [:] : [:]
            let container = MessageContainer(
                content, ttl: expiry.ttl(ttl, in: chat), isForwarded: true, mentions: Mentions(mentions))
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

    /// The entries of a conversation that have some numbers, each once. Those that are gone are left out.
    func known(_ ids: [ChatItemID], of chat: Chat) throws -> [ChatItem] {
        try ids.uniqued.compactMap { try store.item($0) }.filter { $0.chat == chat.reference }
    }

    private func write(_ drafts: [Draft], once key: String?, to chat: Chat) throws -> [LocatedItem] {
        try checkReach(chat)
        guard !drafts.isEmpty else { throw ChatError.emptyMessage }
        let messages = drafts.map { (id: newSharedID(), draft: $0) }
        for message in messages {
            _ = try encode(ChatMessage(id: message.id, event: .message(message.draft.container)), for: chat.contact)
        }
        let time = now
        let ids = try store.transaction {
            let ids = try messages.map { id, draft in
                let container = draft.container
                let itemID = try store.insertItem(
                    .message(container.content), .sent, in: chat.reference, sharedID: id, quote: container.quote,
                    isForwarded: container.isForwarded, source: draft.source, ttl: container.ttl,
                    isLive: container.isLive, time: time, at: time)
                if let file = draft.file { try files.insert(file, of: itemID, in: chat) }
                try store.startTimer(of: itemID, at: time)
                return itemID
            }
            if chat.isNotes { for id in ids { try store.keepNote(id, at: time) } }
            if let key, let first = ids.first, let last = ids.last {
                try store.note(key: key, for: first, through: last, to: chat.reference, at: time)
            }
            return ids
        }
        if let contact = chat.contact { for id in ids { try handOver(try lookup.item(id), of: contact) } }
        if chat.isNotes { try expiry.schedule() }
        if drafts.contains(where: { $0.file != nil }) { files.handOverSoon() }
        return try lookup.locate(try ids.map { try lookup.item($0) })
    }

    /// A text as one message if it fits, else in parts that fit also if the connection gets post-quantum keys before they are
    /// sent. The first one carries the quote.
    func split(_ container: MessageContainer, for chat: Chat) throws -> [MessageContainer] {
        let content = container.content
        guard content.kind == .text else { return [container] }
        func message(_ text: String, _ index: Int) -> MessageContainer {
            MessageContainer(
                MessageContent(text, kind: content.kind, otherFields: content.otherFields), ttl: container.ttl,
                quote: index == 0 ? container.quote : nil, scope: container.scope)
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
            guard rooms.allSatisfy({ $0 >= Sender.leastRoom }) else {
                throw ChatError.messageTooLarge(size: size, limit: limit)
            }
            let parts = TextParts(content.text).parts { rooms[min($0, 1)] }
            return parts.enumerated().map { message($0.element, $0.offset) }
        }
    }

    /// The least bytes for the text of a part.
    private static let leastRoom = 1000

    /// The quote of a message: a reference to it, and its text in case the other side does not have it.
    private func quote(_ id: ChatItemID, in chat: Chat, for answer: MessageContent) throws -> Quote {
        let item = try lookup.item(id)
        guard item.chat == chat.reference else { throw ChatError.itemNotFound(id) }
        guard case .message(let content) = item.content, let sharedID = item.sharedID else {
            throw ChatError.notChangeable(id, .noMessage, .quote)
        }
        guard item.deletedAt == nil else { throw ChatError.notChangeable(id, .deleted, .quote) }
        let reference = MessageReference(id: sharedID, sentAt: WireTime(item.time), isOwn: item.direction == .sent)
        return Quote(reference, content: Sender.quoted(content, of: item, for: answer))
    }

    /// The content of a message as an answer quotes it (chat.md 2.2).
    static func quoted(_ content: MessageContent, of item: ChatItem, for answer: MessageContent) -> MessageContent {
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

    /// The id of a new message.
    func newSharedID() -> SharedMessageID {
        SharedMessageID(context.environment.random.bytes(Sender.sharedIDSize))
    }

    /// A message as the agent takes it. It is compressed only where the KEM leaves too little room for it, which is tried
    /// again each time: a ratchet that was without the KEM when the message was written may have it when it is sent.
    ///
    /// - Parameter contact: Nil for notes, which have the same limit.
    func encode(_ message: ChatMessage, for contact: Contact?) throws -> (encoded: Bytes, notifies: Bool) {
        let isWanted = contact?.connection?.quantumResistance.isWanted ?? false
        let isPostQuantum =
            try contact?.connection.map { try agent.isPostQuantum($0.id, ifWanted: isWanted) } ?? false
        do throws(PayloadSizeError) {
            let encoded = try ChatPayload.prepare(
                message.encoded, for: .connection, postQuantum: isPostQuantum)
            return (encoded, message.event.notifies)
        } catch .tooLarge(let size, let limit) {
            throw ChatError.messageTooLarge(size: size, limit: limit)
        }
    }

    /// Throws unless something can be written in a chat.
    func checkReach(_ chat: Chat) throws(ChatError) {
        switch chat {
        case .direct(let contact): try checkReach(contact)
        case .group(let group): throw .groupNotFound(group.id)
        case .notes: break
        }
    }

    private func checkReach(_ contact: Contact) throws(ChatError) {
        guard contact.status == .active, contact.connection?.status != .failed,
            contact.connection?.isDisabled != true
        else { throw .contactNotActive(contact.name) }
        guard contact.isReady else { throw .contactNotReady(contact.name) }
        guard !contact.isBlocked else { throw .contactBlocked(contact.name) }
    }
}

extension Chat {
    /// True if messages disappear here that are to disappear. Elsewhere a message is sent without its time.
    public var allowsTimers: Bool { Preferences.allows(.timedMessages, in: self) }
}

extension ForwardSource {
    /// Nil for a note, which comes from nobody else.
    fileprivate init?(_ item: ChatItem, of chat: Chat) {
        let name: String
        switch chat {
        case .direct(let contact):
            name = contact.choices.alias.isEmpty ? contact.profile.displayName : contact.choices.alias
        case .group(let group): name = group.name
        case .notes: return nil
        }
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
