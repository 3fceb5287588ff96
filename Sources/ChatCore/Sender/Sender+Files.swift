import AgentProtocol
import ByteCoding
import ChatProtocol
import XFTPProtocol

/// What contacts are told of files.
extension Sender {
    /// Owes a contact the description of a file that relays have. Must be called within a transaction.
    func describe(_ item: ChatItem, _ description: FileDescription?) throws -> ChatFiles.DescribedFile {
        guard let contact = try lookup.chat(item.chat).contact, let id = item.sharedID, let description,
            let connection = contact.connection, connection.status.canSend
        else { return ChatFiles.DescribedFile() }
        var token: Bytes?
        for event in ChatFiles.parts(description.text, of: id) {
            let message = newSharedID()
            try store.owe(ChatMessage(id: message, event: event), to: contact.id)
            token = Sender.token(of: message, about: id)
        }
        return ChatFiles.DescribedFile(token: token) { [weak self] in
            guard let self else { return }
            try handOverOwed(to: contact.id)
            try agent.deliver(connection.id)
        }
    }

    /// Owes a contact the message that the file of an entry is cancelled. Must be called within a transaction.
    ///
    /// - Returns: Hands the message over.
    func withdrawFile(of item: ChatItem) throws -> () throws -> Void {
        guard let id = item.sharedID else { return {} }
        return try inform(item, .fileCancelled(id))
    }

    /// Owes the contact of an entry an event about it. Must be called within a transaction.
    ///
    /// - Returns: Hands the event over.
    func inform(_ item: ChatItem, _ event: ChatMessage.Event) throws -> () throws -> Void {
        guard let contact = try lookup.chat(item.chat).contact, let connection = contact.connection,
            connection.status.canSend
        else { return {} }
        try store.owe(ChatMessage(id: newSharedID(), event: event), to: contact.id)
        return { [weak self] in try self?.handOverOwed(to: contact.id) }
    }
}
