import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

/// The outbox: messages are handed to the agent, and taken back from it.
extension Conversations {
    /// Hands over what a crash may have kept from the agent.
    func retryPendingMessages() throws {
        for item in try store.unsentItems() {
            if let contact = try lookup.chat(item.chat).contact { try retry(item, of: contact) }
        }
        try handOverOwed()
    }

    /// Hands over what was written to a contact while its ratchet was out of step, or while another connection was its current
    /// one.
    func retryPendingMessages(to id: ContactID) throws {
        let contact = try lookup.contact(id)
        for item in try store.unsentItems() where item.chat == .direct(id) { try retry(item, of: contact) }
        try handOverOwed(to: id)
    }

    /// Hands a message over through the current connection, unless another one has sent it: the contact must not get it twice.
    private func retry(_ item: ChatItem, of contact: Contact) throws {
        // Until the current connection can send, another one may.
        guard let connection = contact.connection, !connection.status.isBeginning else { return }
        let others = try store.connections(of: contact.id).filter { $0 != connection.id }
        if try withdraw(item, from: others) { try handOver(item, of: contact) }
    }

    /// Takes a message out of the outboxes of connections. Returns false if it was sent through one of them, or is being sent.
    private func withdraw(_ item: ChatItem, from ids: [ConnectionID]) throws -> Bool {
        guard let sharedID = item.sharedID else { return true }
        return try ids.allSatisfy { try !agent.contains($0) || agent.withdraw(sharedID.bytes, to: $0) }
    }

    /// Gives a message to the agent, which takes each only once.
    func handOver(_ item: ChatItem, of contact: Contact) throws {
        guard let event = item.outgoing, let sharedID = item.sharedID, let connection = contact.connection,
            !connection.status.isBeginning
        else { return }
        do {
            let message = try encode(ChatMessage(id: sharedID, event: event), for: contact)
            let isProtected = try agent.send(
                message.encoded, notifies: message.notifies, postQuantum: connection.quantumResistance.isWanted,
                token: sharedID.bytes, to: connection.id)
            try context.noteProtection(of: contact) { $0.protectsSent = isProtected }
        } catch AgentError.connection(.outOfStep) {
            // It is handed over when the ratchets fit again.
        } catch AgentError.connection, AgentError.unknownConnection, ChatError.messageTooLarge {
            // The connection was lost after the message was written, or has less room now.
            try store.transaction { try store.update(item.id, status: .sendError(.other)) }
        }
    }

    /// Gives the agent what contacts have to be told, or one of them.
    func handOverOwed(to id: ContactID? = nil) throws {
        for owed in try store.owedEvents() where id == nil || owed.contactID == id {
            do {
                // A message that cannot be read is not sent.
                if owed.message != nil { try handOver(owed) }
            } catch AgentError.connection(.outOfStep) {
                // When the ratchets fit again.
                continue
            } catch AgentError.connection, AgentError.unknownConnection, ChatError.messageTooLarge {
                // The connection was lost meanwhile.
            }
            try store.transaction { try store.removeOwedEvent(owed.number) }
        }
    }

    private func handOver(_ owed: OwedEvent) throws {
        guard let contact = try store.contact(owed.contactID), let connection = contact.connection,
            let event = owed.message, let token = event.id
        else { return }
        let message = try encode(event, for: contact)
        let isProtected = try agent.send(
            message.encoded, notifies: message.notifies, postQuantum: connection.quantumResistance.isWanted,
            token: Conversations.token(of: token, about: event.subject), to: connection.id)
        try context.noteProtection(of: contact) { $0.protectsSent = isProtected }
    }

    /// The token of an owed event, which begins with that of the message it is about, so that both can be withdrawn together. Ids
    /// of contacts may be so long that both do not fit into a token; nothing of theirs is ever withdrawn.
    static func token(of id: SharedMessageID, about subject: SharedMessageID?) -> Bytes {
        let joined = (subject?.bytes ?? []) + id.bytes
        return joined.count <= Int(UInt8.max) ? joined : id.bytes
    }

    /// Hands an event over that is no entry. It is in the outbox of the agent when this returns.
    ///
    /// - Parameter messageID: The id of the message; nil for a new one.
    func say(_ event: ChatMessage.Event, as messageID: SharedMessageID? = nil, to id: ContactID) throws {
        let contact = try lookup.contact(id)
        guard let connection = contact.connection else { return }
        let token = newSharedID()
        do {
            let message = try encode(ChatMessage(id: messageID ?? token, event: event), for: contact)
            _ = try agent.send(
                message.encoded, notifies: message.notifies, postQuantum: connection.quantumResistance.isWanted,
                token: token.bytes, to: connection.id)
        } catch AgentError.connection, AgentError.unknownConnection {
            // The contact cannot be told.
        }
    }

    // MARK: - Encoding

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

    // MARK: - Withdrawing

    /// Removes a message that no recipient has got yet, together with the events about it. Returns false if it was sent to any, or
    /// is being sent.
    func withdraw(_ item: ChatItem, from chat: Chat) throws -> Bool {
        if ConversationPolicy(chat).hasManyRecipients { return try withdraw(item) }
        guard item.status.isUnsent, let sharedID = item.sharedID else { return false }
        if let contact = chat.contact, try !withdraw(item, from: store.connections(of: contact.id)) { return false }
        try store.transaction {
            for owed in try store.owedEvents()
            where owed.contactID == chat.contact?.id && owed.message?.subject == sharedID {
                try store.removeOwedEvent(owed.number)
            }
            try store.revokeFile(of: item)
            try store.removeItem(item)
        }
        return true
    }
}

extension ChatItem {
    /// What is sent for it; nil for a notice.
    fileprivate var outgoing: ChatMessage.Event? {
        switch content {
        case .message(let content):
            .message(
                MessageContainer(
                    content, ttl: ttl, isLive: isLive == true, isForwarded: isForwarded, quote: quote
                ).with(file.map { FileInvitation(name: $0.name, size: $0.size) }))
        case .call(let record) where direction == .sent: .call(CallMessage(record.id, .invitation(record.invitation)))
        default: nil
        }
    }
}

extension ChatMessage {
    /// The message that a change is about.
    var subject: SharedMessageID? {
        switch event {
        case .update(let update): update.id
        case .deletion(let deletion): deletion.id
        case .reaction(let reaction): reaction.id
        case .fileDescription(let part): part.messageID
        case .fileCancelled(let id, _): id
        default: nil
        }
    }
}
