import AgentProtocol
import ByteCoding
import ChatProtocol
import XFTPProtocol

/// What members are told of files.
extension Groups {
    /// Stores the description of a file for each member that gets the message from the user: each its own, so that relays cannot
    /// tell who downloads the same file (chat.md 5.2). The others are kept for members that come later. Must be called within a
    /// transaction.
    func describe(
        _ record: StoredFile, _ item: ChatItem, _ descriptions: [FileDescription]
    ) throws -> ChatFiles.DescribedFile {
        guard case .group(let id) = item.chat, let group = try store.group(id), let sharedID = item.sharedID else {
            return ChatFiles.DescribedFile()
        }
        var rest = descriptions[...], numbers: [Int64] = [], connections: [ConnectionID] = []
        for (memberID, delivery) in try store.deliveries(of: item.id) where delivery != .forwarded && delivery != .error
        {
            guard let member = try store.member(memberID), let description = rest.popFirst() else { continue }
            for event in ChatFiles.parts(description.text, of: sharedID) {
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

    /// Stores the message that the file of an entry is cancelled. Must be called within a transaction.
    ///
    /// - Returns: Hands the message over.
    func withdrawFile(of item: ChatItem) throws -> () throws -> Void {
        guard case .group(let id) = item.chat, let group = try store.group(id), let sharedID = item.sharedID else {
            return {}
        }
        let named = group.supporting(try item.group?.supportID.flatMap { try store.member($0) })
        guard let members = try? recipients(of: named) else { return {} }
        let numbers = try enqueue(.fileCancelled(sharedID), to: members, of: group)
        return { [weak self] in for number in numbers { try self?.handOver(number) } }
    }

    /// Records a part of the description of a file that a member sent, or that the member cancelled it.
    func recordFile(_ message: MemberMessage, _ consequences: inout GroupConsequences) throws {
        switch message.event {
        case .fileDescription(let part):
            guard let item = try item(part.messageID, of: message) else { return }
            consequences.events += try sender.files.record(part.description, of: item, message.profile)
        case .fileCancelled(let id, _):
            guard let item = try item(id, of: message) else { return }
            consequences.events += try sender.files.recordWithdrawal(of: item, message.profile)
        default: break
        }
    }

    /// The entry of a file message of an author.
    ///
    /// - Throws: ``GroupRefusal/connected`` if an admin forwards something about a message that the author sent itself.
    private func item(_ id: SharedMessageID, of message: MemberMessage) throws -> ChatItem? {
        guard let item = try store.item(id, by: message.author.id, in: message.group.id) else { return nil }
        guard message.forwarder == nil || item.group?.forwarder != nil || !message.author.isConnected else {
            throw GroupRefusal.connected
        }
        return item
    }

    /// Records a piece of a small file that a member of an old version sends in messages. Pieces are not passed on.
    func record(
        _ piece: FileChunk, from member: GroupMember, _ group: Group, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard !member.isBlockedForAll, let item = try store.item(piece.messageID, by: member.id, in: group.id) else {
            return []
        }
        return try sender.files.record(piece, of: item, profile)
    }

    /// Owes the author of an entry an event about it. Must be called within a transaction.
    ///
    /// - Returns: Hands the event over.
    func inform(_ item: ChatItem, _ event: ChatMessage.Event) throws -> () throws -> Void {
        guard case .group(let id) = item.chat, let group = try store.group(id),
            let author = try item.group?.author.flatMap({ try store.member($0.id) })
        else { return {} }
        let numbers = try enqueue(event, to: [author], of: group)
        return { [weak self] in for number in numbers { try self?.handOver(number) } }
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
