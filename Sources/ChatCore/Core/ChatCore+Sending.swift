import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding

extension ChatCore {
    /// The length of the ids that this program gives to messages, in bytes.
    private static let sharedIDSize = 12

    func send(_ contents: [MessageContent], to chat: ChatTarget) throws -> ChatResponse {
        _ = try agent
        let contact = try contact(chat)
        guard contact.status == .active, contact.connection?.status != .failed,
            contact.connection?.isDisabled != true
        else {
            throw ChatError.contactNotActive(contact.name)
        }
        guard contact.isReady else { throw ChatError.contactNotReady(contact.name) }
        guard !contents.isEmpty, contents.allSatisfy({ $0.kind != .text || !$0.text.isEmpty }) else {
            throw ChatError.emptyMessage
        }
        let messages = contents.map { (newSharedID(), $0) }
        for (id, content) in messages { _ = try encode(content, id, for: contact) }
        let time = now
        let ids = try store.transaction {
            try messages.map { id, content in
                try store.insertItem(
                    .message(content), .sent, in: contact.id, sharedID: id, time: time, at: time)
            }
        }
        for id in ids { try handOver(try item(id), of: contact) }
        return .newItems(try profile(contact.profileID), try locate(try ids.map { try item($0) }))
    }

    /// The id of a new message.
    func newSharedID() -> SharedMessageID {
        SharedMessageID(environment.random.bytes(ChatCore.sharedIDSize))
    }

    /// Gives a message to the agent, which takes each only once.
    func handOver(_ item: ChatItem, of contact: Contact) throws {
        guard case .message(let content) = item.content, let sharedID = item.sharedID,
            let connection = contact.connection
        else { return }
        do {
            let message = try encode(content, sharedID, for: contact)
            let isProtected = try agent.send(
                message.encoded, notifies: message.notifies, postQuantum: connection.quantumResistance.isWanted,
                token: sharedID.bytes, to: connection.id)
            try note(contact) { $0.protectsSent = isProtected }
        } catch AgentError.connection(.outOfStep) {
            // It is handed over when the ratchets fit again.
        } catch AgentError.connection, AgentError.unknownConnection, ChatError.messageTooLarge {
            // The connection was lost after the message was written, or has less room now.
            try store.transaction { try store.update(item.id, status: .sendError(.other)) }
        }
    }

    /// A message as the agent takes it. It is compressed only where the KEM leaves too little room for it, which is tried
    /// again each time: a ratchet that was without the KEM when the message was written may have it when it is sent.
    private func encode(
        _ content: MessageContent, _ id: SharedMessageID, for contact: Contact
    ) throws -> (encoded: Bytes, notifies: Bool) {
        let event = ChatMessage.Event.message(MessageContainer(content))
        let isWanted = contact.connection?.quantumResistance.isWanted ?? false
        let isPostQuantum =
            try contact.connection.map { try agent.isPostQuantum($0.id, ifWanted: isWanted) } ?? false
        do throws(PayloadSizeError) {
            let encoded = try ChatPayload.prepare(
                ChatMessage(id: id, event: event).encoded, for: .connection, postQuantum: isPostQuantum)
            return (encoded, event.notifies)
        } catch .tooLarge(let size, let limit) {
            throw ChatError.messageTooLarge(size: size, limit: limit)
        }
    }

    func item(_ id: ChatItemID) throws -> ChatItem {
        guard let item = try store.item(id) else { throw ChatError.itemNotFound(id) }
        return item
    }
}
