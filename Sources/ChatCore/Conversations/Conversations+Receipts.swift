import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import SMPClient
import SMPProtocol
import SecureTransport

/// How far sent messages have come, and the receipts that others get for theirs.
extension Conversations {
    // MARK: - Receipts for others

    /// Returns true if the author of a payload gets a receipt (chat.md 1.9).
    func wantsReceipt(_ elements: [ChatElement], in chat: Chat, _ profile: OwnProfile) -> Bool {
        let conversation = ConversationPolicy(chat)
        guard conversation.sendsReceipts(profile), isSmall(conversation) else { return false }
        return elements.contains { element in
            guard case .success(.message(let message)) = element.content else { return false }
            return conversation.confirms(message.event)
        }
    }

    /// True if a chat has so few members that they send receipts.
    private func isSmall(_ conversation: ConversationPolicy) -> Bool {
        guard let group = conversation.group else { return true }
        return context.attempt { try store.memberCount(of: group.id) }.map { $0 <= Conversations.mostForReceipts }
            ?? false
    }

    /// The most members of a group in which receipts are sent (chat.md 1.9).
    static let mostForReceipts = 20

    /// Returns true if the other side of a connection gets receipts at present.
    func sendsReceipts(_ id: ConnectionID) throws -> Bool {
        guard let chat = try chat(through: id), let profile = try store.profile(chat.profileID) else { return false }
        return ConversationPolicy(chat).sendsReceipts(profile)
    }

    /// The contact of a connection, or the group of its member.
    private func chat(through id: ConnectionID) throws -> Chat? {
        guard let connection = try store.connection(id) else { return nil }
        if let member = try connection.memberID.flatMap({ try store.member($0) }) {
            return try store.group(member.groupID).map(Chat.group)
        }
        return try connection.contactID.flatMap { try store.contact($0) }.map(Chat.direct)
    }

    /// Asks again for the receipts of events that were recorded here, and that the agent did not forget before the program
    /// ended.
    func repeatReceipts(through lastEvent: Int64) throws {
        let agent = try agent
        for event in try agent.unforgottenEvents(through: lastEvent) {
            guard case .connection(.msg(let message)) = event.content,
                let chat = try chat(through: event.connectionID), let profile = try store.profile(event.profileID)
            else { continue }
            let elements = ChatPayload.elements(of: message.body)
            if wantsReceipt(elements, in: chat, profile) { agent.confirm(event) }
        }
        agent.forgetEvents(through: lastEvent)
    }

    // MARK: - Receipts of contacts

    /// Contacts have messages. A receipt may come before the relay's own answer.
    func recordReceipts(
        _ event: AgentEvent, _ receipts: [DeliveryReceipt], from known: Contact?, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let events = try context.commit(event) {
            guard let known else { return [] }
            var items: [LocatedItem] = []
            for receipt in receipts {
                guard let id = SharedMessageID(stored: receipt.token),
                    let item = try store.item(id, .sent, in: .direct(known.id)),
                    item.status.isUnsent || item.status == .sendSent || item.status == .sendUnconfirmed
                else { continue }
                try store.update(item.id, status: .sendReceived(isIntact: receipt.isIntact))
                if item.status.isUnsent { try store.startTimer(of: item.id, at: now, again: true) }
                if item.status.isUnsent, !profile.isHidden { context.counters.sent += 1 }
                items.append(LocatedItem(chat: .direct(known), item: try lookup.item(item.id)))
            }
            items += try noteUnconfirmed(items, to: known)
            return items.isEmpty ? [] : [ItemsUpdatedEvent(profile: profile, items: items)]
        }
        try expiry.schedule()
        return events
    }

    /// How many entries are looked at to find those that were not confirmed: some more than one message can confirm.
    private static let mostRecent = 300

    /// Marks the messages between two confirmed ones that were not confirmed themselves, and returns them.
    ///
    /// Receipts come in the order of the messages, so that the contact did not receive these: another message with the same
    /// number came instead, from a copy of the store, or they were lost. A receipt that comes later takes the mark back.
    private func noteUnconfirmed(_ confirmed: [LocatedItem], to contact: Contact) throws -> [LocatedItem] {
        guard let newest = confirmed.map(\.item.id).max(by: { $0.number < $1.number }) else { return [] }
        let ids = Set(confirmed.map(\.item.id))
        var open: [ChatItem] = [], unconfirmed: [ChatItem] = []
        for item in try store.items(in: .direct(contact.id), .before(newest, Conversations.mostRecent)).reversed() {
            guard item.direction == .sent, case .message = item.content else { continue }
            switch item.status {
            case .sendSent: open.append(item)
            case .sendReceived:
                unconfirmed += open
                open = []
                if !ids.contains(item.id) { return try mark(unconfirmed, contact) }
            default: break
            }
        }
        return try mark(unconfirmed, contact)
    }

    private func mark(_ items: [ChatItem], _ contact: Contact) throws -> [LocatedItem] {
        try items.map { item in
            try store.update(item.id, status: .sendUnconfirmed)
            return LocatedItem(chat: .direct(contact), item: try lookup.item(item.id))
        }
    }

    // MARK: - Statuses

    func recordDelivery(
        _ event: AgentEvent, _ token: Bytes, _ status: ChatItem.Status, to known: Contact?, _ profile: OwnProfile,
        consequences: () throws -> [any ChatEvent]
    ) throws -> [any ChatEvent] {
        let events = try context.commit(event) {
            let consequences = try consequences()
            guard let known, let id = SharedMessageID(stored: token),
                let item = try store.item(id, .sent, in: .direct(known.id)), item.status.isUnsent
            else { return consequences }
            try store.update(item.id, status: status)
            if !status.isUnsent { try store.startTimer(of: item.id, at: now, again: true) }
            if status == .sendSent, !profile.isHidden { context.counters.sent += 1 }
            let located = LocatedItem(chat: .direct(known), item: try lookup.item(item.id))
            return [ItemsUpdatedEvent(profile: profile, items: [located])] + consequences
        }
        try expiry.schedule()
        return events
    }

    /// A message is not with its relay yet, and will not be at once. It stands with the message until the relay has it.
    func recordWarning(_ id: ConnectionID, _ token: Bytes?, _ error: SessionError) throws {
        guard context.failure == nil, let problem = ChatItem.SendProblem(warning: error) else { return }
        var inactive: [any ChatEvent] = []
        let updated: LocatedItem? = try store.transaction {
            if problem == .quota, let former = try store.connection(id) {
                try store.countQuotaError(of: id)
                let isLast = former.quotaErrorCount + 1 == ContactConnection.mostQuotaErrors
                if isLast { inactive = try lookup.activity(of: id) }
            }
            guard let sharedID = token.flatMap(SharedMessageID.init(stored:)),
                let contactID = try store.connection(id)?.contactID,
                let item = try store.item(sharedID, .sent, in: .direct(contactID)), item.status.isUnsent,
                item.status != .sendWarning(problem)
            else { return nil }
            try store.update(item.id, status: .sendWarning(problem))
            return LocatedItem(chat: .direct(try lookup.contact(contactID)), item: try lookup.item(item.id))
        }
        for event in inactive { tell(event) }
        if let updated { tell(ItemsUpdatedEvent(profile: try lookup.owner(updated.chat.profileID), items: [updated])) }
    }
}

extension ChatItem.SendProblem {
    /// The problem that a person has to solve; nil for networks that come and go. Source: the
    /// reference implementation.
    fileprivate init?(warning error: SessionError) {
        switch error {
        case .refused(.quota): self = .quota
        case .connection(.unknownHost), .refused(.proxy(.broker(.host))): self = .host
        case .handshake(.version), .refused(.proxy(.broker(.transport(.version)))): self = .version
        case .forwarder(let error): self.init(warning: error)
        default: return nil
        }
    }
}

extension ChatItem.Status {
    init(_ problem: DeliveryProblem) {
        self =
            switch problem {
            case .refused: .sendErrorAuthorization
            case .blocked: .sendError(.blocked)
            case .expired: .sendError(.expired)
            case .full: .sendError(.quota)
            case .unsendable: .sendError(.other)
            }
    }
}
