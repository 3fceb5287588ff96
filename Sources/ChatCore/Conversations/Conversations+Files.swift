import AgentProtocol
import ByteCoding
import ChatProtocol
import XFTPProtocol

/// What the other sides are told of files, and what they tell.
extension Conversations {
    // MARK: - Own files

    /// Owes the recipients of an entry the description of its file, which relays have. Must be called within a transaction.
    func describe(
        _ record: StoredFile, _ item: ChatItem, _ descriptions: [FileDescription]
    ) throws -> ChatFiles.DescribedFile {
        guard let id = item.sharedID else { return ChatFiles.DescribedFile() }
        switch try lookup.chat(item.chat) {
        case .direct(let contact): return try describe(id, descriptions.first, to: contact)
        case .group(let group): return try describe(record, item, id, descriptions, in: group)
        case .notes: return ChatFiles.DescribedFile()
        }
    }

    private func describe(
        _ id: SharedMessageID, _ description: FileDescription?, to contact: Contact
    ) throws -> ChatFiles.DescribedFile {
        guard let description, let connection = contact.connection, connection.status.canSend else {
            return ChatFiles.DescribedFile()
        }
        var token: Bytes?
        for event in ChatFiles.parts(description.text, of: id) {
            let message = newSharedID()
            try store.owe(ChatMessage(id: message, event: event), to: contact.id)
            token = Conversations.token(of: message, about: id)
        }
        return ChatFiles.DescribedFile(token: token) { [weak self] in
            guard let self else { return }
            try handOverOwed(to: contact.id)
            try agent.deliver(connection.id)
        }
    }

    /// Each member that gets the message from the user gets a description of its own, so that relays cannot tell who downloads
    /// the same file (chat.md 5.2). The others are kept for members that come later.
    private func describe(
        _ record: StoredFile, _ item: ChatItem, _ id: SharedMessageID, _ descriptions: [FileDescription],
        in group: Group
    ) throws -> ChatFiles.DescribedFile {
        var rest = descriptions[...], numbers: [Int64] = [], connections: [ConnectionID] = []
        for (memberID, delivery) in try store.deliveries(of: item.id) where delivery != .forwarded && delivery != .error
        {
            guard let member = try store.member(memberID), let description = rest.popFirst() else { continue }
            for event in ChatFiles.parts(description.text, of: id) {
                numbers += try enqueue(event, to: [member], of: group)
            }
            if let connection = member.connection { connections.append(connection.id) }
        }
        for description in rest {
            try store.insertDescription(description.text, isOfSender: false, of: record.file.id)
        }
        return ChatFiles.DescribedFile { [weak self] in
            guard let self else { return }
            for number in numbers { try handOver(number) }
            for id in connections { try agent.deliver(id) }
        }
    }

    /// Owes the recipients of an entry the message that its file is cancelled. Must be called within a transaction.
    ///
    /// - Returns: Hands the message over.
    func withdrawFile(of item: ChatItem) throws -> () throws -> Void {
        guard let id = item.sharedID else { return {} }
        guard case .group(let group) = try lookup.chat(item.chat) else { return try inform(item, .fileCancelled(id)) }
        let conversation = try conversation(of: item, in: .group(group))
        guard case .members(let members, _)? = try? recipients(of: conversation) else { return {} }
        let numbers = try enqueue(.fileCancelled(id), to: members, of: group)
        return { [weak self] in for number in numbers { try self?.handOver(number) } }
    }

    /// Owes the author of an entry, or the contact whose entry it is, an event about it. Must be called within a transaction.
    ///
    /// - Returns: Hands the event over.
    func inform(_ item: ChatItem, _ event: ChatMessage.Event) throws -> () throws -> Void {
        switch try lookup.chat(item.chat) {
        case .direct(let contact):
            guard let connection = contact.connection, connection.status.canSend else { return {} }
            try store.owe(ChatMessage(id: newSharedID(), event: event), to: contact.id)
            return { [weak self] in try self?.handOverOwed(to: contact.id) }
        case .group(let group):
            guard let author = try item.group?.author.flatMap({ try store.member($0.id) }) else { return {} }
            let numbers = try enqueue(event, to: [author], of: group)
            return { [weak self] in for number in numbers { try self?.handOver(number) } }
        case .notes: return {}
        }
    }

    // MARK: - Files of others

    /// Records a part of the description of a file, or that it is cancelled.
    func recordFile(_ message: IncomingMessage, _ consequences: inout GroupConsequences) throws {
        switch message.event {
        case .fileDescription(let part):
            guard let item = try item(ofFile: part.messageID, message) else { return }
            consequences.events += try files.record(part.description, of: item, message.profile)
        case .fileCancelled(let id, _):
            guard let item = try item(ofFile: id, message) else { return }
            consequences.events += try files.recordWithdrawal(of: item, message.profile)
        default: break
        }
    }

    /// The entry of a file message of an author.
    ///
    /// - Throws: ``GroupRefusal/connected`` if an admin forwards something about a message that the author sent itself.
    private func item(ofFile id: SharedMessageID, _ message: IncomingMessage) throws -> ChatItem? {
        guard let item = try item(id, of: message) else { return nil }
        if message.isPassedOnForConnected, item.group?.forwarder == nil { throw GroupRefusal.connected }
        return item
    }

    /// Records a piece of a small file that a member of an old version sends in messages. Pieces are not passed on.
    func record(
        _ piece: FileChunk, from member: GroupMember, _ group: Group, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard !member.isBlockedForAll, let item = try store.item(piece.messageID, by: member.id, in: group.id) else {
            return []
        }
        return try files.record(piece, of: item, profile)
    }

    /// The file of an entry as a new member gets it: the invitation, and the parts of a description; nil if there is none. Must be
    /// called within a transaction.
    func history(ofFile item: ChatItem) throws -> (invitation: FileInvitation, parts: [ChatMessage.Event])? {
        guard let id = item.sharedID, let record = try store.file(of: item.id), record.file.transport == .xftp,
            now < record.createdAt + ChatFiles.life
        else { return nil }
        let text: String?
        switch record.file.state {
        case .sentComplete: text = try store.takeDescription(of: record.file.id)
        case .sentCancelled, .sentError, .receivedCancelled, .receivedError: text = nil
        default: text = record.description.isComplete ? record.description.text : nil
        }
        guard let text else { return nil }
        let invitation = FileInvitation(name: record.file.name, size: record.file.size)
        return (invitation, ChatFiles.parts(text, of: id))
    }
}
