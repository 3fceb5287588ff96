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
        let messages = contents.map { (SharedMessageID(environment.random.bytes(ChatCore.sharedIDSize)), $0) }
        for (id, content) in messages { _ = try ChatCore.encode(content, id) }
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

    /// Gives a message to the agent, which takes each only once.
    func handOver(_ item: ChatItem, of contact: Contact) throws {
        guard case .message(let content) = item.content, let sharedID = item.sharedID,
            let connection = contact.connection
        else { return }
        let message = try ChatCore.encode(content, sharedID)
        do {
            try agent.send(message.encoded, notifies: message.notifies, token: sharedID.bytes, to: connection.id)
        } catch AgentError.connection(.outOfStep) {
            // It is handed over when the ratchets fit again.
        } catch AgentError.connection, AgentError.unknownConnection {
            // The connection was lost after the message was written.
            try store.transaction { try store.update(item.id, status: .sendError(.other)) }
        }
    }

    private static func encode(
        _ content: MessageContent, _ id: SharedMessageID
    ) throws -> (encoded: Bytes, notifies: Bool) {
        let event = ChatMessage.Event.message(MessageContainer(content))
        do throws(PayloadSizeError) {
            let encoded = try ChatPayload.prepare(
                ChatMessage(id: id, event: event).encoded, for: .connection, postQuantum: false)
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
