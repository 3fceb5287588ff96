import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import SMPClient
import SMPProtocol
import SystemIO
import XFTPClient
import XFTPProtocol

/// Sending files.
extension ChatFiles {
    /// A file that is to be sent, as it was found on the disk.
    struct Outgoing {
        /// The place as it is stored.
        let source: CryptoFile
        /// The name without folders.
        let name: String
        /// The size of the content in bytes.
        let size: Int64

        /// What the other side is told of it.
        var invitation: FileInvitation { FileInvitation(name: name, size: size) }
    }

    /// The largest file of a message in bytes (chat.md 5.1).
    static let largestInChat: Int64 = 1 << 30
    /// The least number of descriptions, so that relays do not learn how many recipients there are (chat.md 5.2).
    private static let leastRecipients = 4
    /// The most characters of a description in one message (chat.md 1.5).
    private static let partSize = 14000

    /// Looks at a file that is to be sent.
    ///
    /// - Parameter limit: The largest size in bytes.
    /// - Throws: ``FileObstacle``.
    func outgoing(_ given: CryptoFile, limit: Int64 = largestInChat) throws -> Outgoing {
        var source = given
        // A program that has chosen no folder names files as its own folder has them.
        if !StoredPath.isAbsolute(given.path), context.fileFolders.files == nil, !Files.exists(path(given)),
            let resolved = Files.resolved(given.path)
        {
            source.path = resolved
        }
        let path = path(source)
        guard !Files.isFolder(path) else { throw ChatError.file(.folder(given.path)) }
        let size: Int64
        do throws(FileFailure) {
            size = try local(source).contentSize()
        } catch .sourceSize {
            throw ChatError.file(.tooLarge(given.path))
        } catch {
            throw ChatError.file(.missing(given.path))
        }
        guard size <= limit else { throw ChatError.file(.tooLarge(given.path)) }
        source.path = storedPath(path)
        return Outgoing(source: source, name: FileName.last(of: path), size: size)
    }

    /// Why the file of an entry cannot be passed on, the most urgent first.
    enum ForwardObstacle: Int {
        case notAccepted, inProgress, missing, failed
    }

    /// Nil if the entry has no file, or can be passed on with it.
    func forwardObstacle(of item: ChatItem) -> ForwardObstacle? {
        guard let file = item.file else { return nil }
        switch file.state {
        case .offered, .aborted: return .notAccepted
        case .accepted, .receiving: return .inProgress
        case .receivedCancelled, .receivedError, .receivedWarning: return .failed
        case .sentStored, .sending, .sentCancelled, .sentComplete, .sentError, .sentWarning, .received:
            return available(item) == nil ? .missing : nil
        }
    }

    /// The file of an entry that is passed on; nil if it is not here.
    func available(_ item: ChatItem) -> CryptoFile? {
        guard let file = item.file, let source = file.source else { return nil }
        switch file.state {
        case .accepted, .receiving, .receivedWarning, .offered, .aborted, .receivedCancelled, .receivedError: return nil
        case .sentStored, .sending, .sentCancelled, .sentComplete, .sentError, .sentWarning, .received:
            return Files.exists(path(source)) ? source : nil
        }
    }

    /// Stores the file of an own entry. Must be called within a transaction; ``handOverSoon()`` follows it.
    func insert(_ file: Outgoing, of item: ChatItemID, in chat: Chat) throws {
        _ = try store.insertFile(
            name: file.name, size: file.size, source: file.source, ConversationPolicy(chat).isAlone ? .local : .xftp,
            .sentStored,
            isSent: true, item: item, of: chat.profileID, at: now)
    }

    /// Throws unless a profile has a file relay.
    func checkServer(of id: ProfileID) throws {
        guard try servers.fileServer(for: id) != nil else { throw ChatError.file(.noServer) }
    }

    // MARK: - Uploading

    /// Gives the transfers an own file.
    func upload(_ record: StoredFile) throws {
        guard let profileID = record.profileID, let source = record.file.source else { return }
        let transfer = record.transfer ?? FileID(random: context.environment.random)
        if record.transfer == nil { try store.transaction { try store.setTransfer(transfer, of: record.file.id) } }
        do {
            let file = local(source)
            try transfers?.send(
                file, name: record.file.name, recipients: try recipients(of: record),
                usesRedirect: !record.isOfItem && usesRedirect(record.file), for: profileID.number, as: transfer)
        } catch let failure as FileFailure {
            try fail(sending: record, FileProblem(failure))
        }
    }

    /// The number of descriptions: that of the recipients, rounded up to a power of two. In a group at least one is left for
    /// newcomers.
    private func recipients(of record: StoredFile) throws -> Int {
        guard let id = record.itemID else { return max(ChatFiles.leastRecipients, record.recipientCount) }
        let members = try store.deliveries(of: id).count
        var count = ChatFiles.leastRecipients
        while count <= members { count *= 2 }
        return count
    }

    /// True if the description of a file is too long for a link.
    private func usesRedirect(_ file: ChatFile) -> Bool {
        let plan = ChunkPlan(header: EncryptedFileHeader(name: file.name), contentSize: file.size)
        return (plan?.sizes.count ?? 0) > 1
    }

    func recordSending(_ record: StoredFile, sent: Int64, total: Int64) throws {
        guard record.file.state.isUnderWay, record.descriptionToken == nil else { return }
        try update(record, .sending(sent, total: total)) { profile, record, item in
            FileSendingEvent(
                profile: profile, item: item, file: SentFileTransfer(record), sentSize: sent, totalSize: total)
        }
    }

    /// Relays have a file: its recipients are told how they get it.
    func recordSent(_ record: StoredFile, _ sender: [FileDescription], _ recipients: [FileDescription]) throws {
        guard let transfer = record.transfer else { return }
        guard record.file.state.isUnderWay, record.descriptionToken == nil else {
            try transfers?.forgetSent(transfer)
            return
        }
        let id = record.file.id
        let described = try store.transaction {
            for description in sender { try store.insertDescription(description.text, isOfSender: true, of: id) }
            guard let item = try record.itemID.flatMap({ try store.item($0) }) else {
                for description in recipients {
                    try store.insertDescription(description.text, isOfSender: false, of: id)
                }
                try store.update(id, .sentComplete)
                return DescribedFile()
            }
            let described = try describe(record, item, recipients)
            try store.setDescriptionToken(described.token, of: id)
            let isComplete = described.token == nil
            let size = sender.reduce(0) { $0 + $1.size }
            try store.update(id, isComplete ? .sentComplete : .sending(size, total: size))
            return described
        }
        try described.handOver()
        try transfers?.forgetSent(transfer)
        if described.token == nil { try tellSent(id) }
    }

    private func tellSent(_ id: ChatFileID) throws {
        let links = try store.descriptions(ofSender: false, of: id).compactMap { text in
            (try? FileDescription(text: text)).map { FileLink(description: $0).text }
        }
        try tell(id) { profile, record, item in
            guard let item else {
                return LinkedFileSentEvent(profile: profile, file: SentFileTransfer(record), links: links)
            }
            return FileSentEvent(profile: profile, item: item, file: SentFileTransfer(record))
        }
    }

    /// Records that the relay of a contact has the last part of a description. Must be called within a transaction.
    func recordDescribed(_ token: Bytes, _ profile: OwnProfile) throws -> [any ChatEvent] {
        guard !token.isEmpty, let record = try store.file(describedBy: token) else { return [] }
        try store.setDescriptionToken(nil, of: record.file.id)
        try store.update(record.file.id, .sentComplete)
        guard let changed = try store.file(record.file.id), let item = try located(changed) else { return [] }
        return [FileSentEvent(profile: profile, item: item, file: SentFileTransfer(changed))]
    }

    /// Records that the relay of a contact does not take a description. Must be called within a transaction.
    func recordUndescribed(_ token: Bytes, _ profile: OwnProfile) throws -> [any ChatEvent] {
        guard !token.isEmpty, let record = try store.file(describedBy: token) else { return [] }
        try store.setDescriptionToken(nil, of: record.file.id)
        let problem = FileProblem.other("file.recipient")
        try store.update(record.file.id, .sentError(problem))
        guard let changed = try store.file(record.file.id) else { return [] }
        return [
            FileSendingFailedEvent(
                profile: profile, item: try located(changed), file: SentFileTransfer(changed), problem: problem)
        ]
    }

    func fail(sending record: StoredFile, _ problem: FileProblem) throws {
        guard record.file.state.isUnderWay else { return }
        if let transfer = record.transfer { try transfers?.deleteSent(transfer) }
        try update(record, .sentError(problem)) { profile, record, item in
            FileSendingFailedEvent(profile: profile, item: item, file: SentFileTransfer(record), problem: problem)
        }
    }

    // MARK: - Descriptions

    /// The messages that tell a recipient how to get the file of a message (chat.md 5.2).
    static func parts(_ description: String, of id: SharedMessageID) -> [ChatMessage.Event] {
        let characters = Array(description)
        let starts = Array(stride(from: 0, to: max(1, characters.count), by: partSize))
        return starts.enumerated().map { index, start in
            let text = String(characters[start..<min(start + partSize, characters.count)])
            return .fileDescription(
                FileDescriptionPart(
                    id, DescriptionPart(text, part: Int64(index + 1), isComplete: index == starts.count - 1)))
        }
    }
}
