import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import SMPProtocol
import SystemIO
import XFTPClient
import XFTPProtocol

/// The files of messages, and those that are sent and received by a link.
///
/// What is to become of a file is stored first, and given to the transfers then, which take each file only once. What a crash keeps
/// from them is given at the next start, see ``handOver()``. Transfers run while the core uses the network, from ``run()`` to
/// ``pause()``.
final class ChatFiles: Collaborator {
    let context: CoreContext
    let servers: Servers
    /// Makes the transfers, whose events go to ``handle(_:)``; nil in a core that only reads.
    var makeTransfers: (() throws -> any CoreTransfers)?
    /// Stores what tells a chat that file relays have a file, within a transaction.
    var describe: (StoredFile, ChatItem, [FileDescription]) throws -> DescribedFile = { _, _, _ in DescribedFile() }
    /// Stores what tells a chat that the file of an entry is cancelled, within a transaction. Returns what hands that over.
    var withdraw: (ChatItem) throws -> () throws -> Void = { _ in {} }
    /// Stores an event for the author of an entry, within a transaction. Returns what hands that over.
    var inform: (ChatItem, ChatMessage.Event) throws -> () throws -> Void = { _, _ in {} }
    /// The transfers, while they run.
    var transfers: (any CoreTransfers)?
    /// The files whose transfer failed and is repeated later.
    var delayed: Set<ChatFileID> = []
    /// True if the file of a link is left to recipients with other links to the same file.
    var sharesLinks = true
    /// The files that are accepted without asking where this process knows better than the store; nil for the setting of the store.
    var acceptance: FileAcceptance?
    /// The same for commands that are carried out now, the last first.
    private var acceptances: [(id: Int, acceptance: FileAcceptance)] = []
    /// The folder for files if no program has chosen one.
    var ownFolder = ""
    /// Cancels the timer for files whose descriptions do not come.
    private var cancelLook: () -> Void = {}
    /// The time between two looks for files whose descriptions do not come.
    private static let lookInterval = Duration.seconds(3600)

    init(_ context: CoreContext, servers: Servers) {
        self.context = context
        self.servers = servers
    }

    /// What was stored for the recipients of a file.
    struct DescribedFile {
        /// The token of the last message, if the file is complete when that is sent.
        var token: Bytes?
        /// Hands the messages over to the agent, after the transaction.
        var handOver: () throws -> Void = {}
    }

    // MARK: - Running

    /// Starts the transfers, and continues those that were interrupted.
    func run() throws {
        guard transfers == nil, let makeTransfers else { return }
        let transfers = try makeTransfers()
        self.transfers = transfers
        try transfers.resume { [store] id in
            guard let record = try store.file(id), let source = record.file.source else { return nil }
            return FilePlace(local(source), contentSize: record.offeredSize)
        }
        try removeOrphans()
        try handOver()
        try look()
    }

    /// Ends files that are lost, now and then.
    private func look() throws {
        try endLost()
        cancelLook = context.after(ChatFiles.lookInterval) { [weak self] in try self?.look() }
    }

    /// Interrupts the transfers.
    func pause() {
        cancelLook()
        transfers?.stop()
        transfers = nil
        delayed = []
    }

    /// True if nothing is transferred now: what was begun is complete, or waits for a later attempt.
    var isIdle: Bool {
        if transfers?.isDeleting == true { return false }
        guard let open = context.attempt({ try store.openFiles() }) else { return true }
        return open.allSatisfy { $0.isWaiting || delayed.contains($0.file.id) }
    }

    /// Has a transfer that waits for room look for it now.
    func retry(_ record: StoredFile) {
        guard let transfer = record.transfer, transfers?.retry(transfer) == true else { return }
        delayed.remove(record.file.id)
    }

    /// Gives the transfers all files that they should have.
    func handOver() throws {
        try writeInlineFiles()
        guard transfers != nil else { return }
        for record in try store.openFiles() where !record.isWaiting {
            if record.isSent { try upload(record) } else { try download(record) }
        }
    }

    /// The same at the end of the turn, behind the events that are told now.
    func handOverSoon() {
        context.environment.atEndOfTurn { [weak self] in
            guard let self, context.failure == nil else { return }
            do { try handOver() } catch { context.failure = ChatError(error) }
        }
    }

    // MARK: - Paths

    /// The folder for files, as an absolute path.
    var folder: String { context.fileFolders.files ?? ownFolder }

    /// The absolute path of a file.
    func path(_ source: CryptoFile) -> String {
        StoredPath.isAbsolute(source.path) ? source.path : "\(folder)/\(source.path)"
    }

    /// The path of a file as it is stored: relative if it is in the folder for files.
    func storedPath(_ path: String) -> String {
        let prefix = folder + "/"
        guard path.hasPrefix(prefix) else { return path }
        return StoredPath(String(path.dropFirst(prefix.count))).flatMap { $0.isName ? $0.text : nil } ?? path
    }

    func local(_ source: CryptoFile) -> LocalFile {
        LocalFile(path: path(source), key: source.key.map { FileEncryptionKey(key: $0.key, nonce: $0.nonce) })
    }

    // MARK: - Accepting without asking

    /// The largest size of the files of each kind that are accepted without asking.
    func acceptedSizes() throws -> [FileKind: Int64] {
        try (acceptances.first?.acceptance ?? acceptance)?.sizes ?? store.fileAcceptance()
    }

    /// Accepts files in another way while `body` runs; in the same way if that is nil.
    func accepting<Result>(
        _ acceptance: FileAcceptance?, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard let acceptance else { return try await body() }
        let id = (acceptances.map(\.id).max() ?? 0) + 1
        acceptances.insert((id, acceptance), at: 0)
        defer { acceptances.removeAll { $0.id == id } }
        return try await body()
    }

    // MARK: - Removing

    /// Removes the files whose entry or profile was deleted: their transfers, what is in the folder for files, and what relays
    /// have of files whose entries were deleted for all.
    ///
    /// - Parameter isActive: False to leave what needs the network to the next command that uses it.
    func removeOrphans(isActive: Bool = true) throws {
        let revoked = try store.revokedFiles(), orphans = try store.orphanedFiles()
        let needsTransfers = !revoked.isEmpty || orphans.contains(where: \.hasTransfer)
        // It comes back here.
        if needsTransfers, isActive, transfers == nil, makeTransfers != nil { return try run() }
        for record in revoked where transfers != nil {
            try removeFromRelays(record)
            try store.transaction {
                try store.setRevoked(false, record.file.id)
                try store.setDescriptionToken(nil, of: record.file.id)
                try store.update(record.file.id, .sentCancelled)
            }
        }
        for record in orphans {
            try removeOwnCopy(record)
            if record.hasTransfer {
                guard let transfers else { continue }
                if record.isSent {
                    try removeFromRelays(record)
                } else if let transfer = record.transfer {
                    try transfers.forgetReceived(transfer)
                }
            }
            try store.transaction { try store.removeFile(record.file.id) }
        }
    }

    /// The same at the end of the turn, without starting to use the network.
    func removeOrphansSoon() {
        context.environment.atEndOfTurn { [weak self] in
            guard let self, context.failure == nil else { return }
            do { try removeOrphans(isActive: false) } catch { context.failure = ChatError(error) }
        }
    }

    /// Stops the upload of an own file, and deletes what relays have of it. What they cannot be told now they are told later.
    func removeFromRelays(_ record: StoredFile) throws {
        let sender = try store.descriptions(ofSender: true, of: record.file.id).compactMap {
            try? FileDescription(text: $0)
        }
        if !sender.isEmpty, let profileID = record.profileID {
            // A deletion that a crash repeats has the same id.
            let id = record.transfer ?? FileID(random: context.environment.random)
            try run()
            try transfers?.delete(sender, for: profileID.number, as: id)
        } else if let transfer = record.transfer {
            try run()
            try transfers?.deleteSent(transfer)
        }
    }

    /// Removes the file on the disk if it belongs to the store and to no other entry. It may be gone already.
    func removeOwnCopy(_ record: StoredFile) throws {
        guard let source = record.file.source, source.isOwn, try !store.isShared(record.file) else { return }
        let path = path(source)
        if Files.exists(path) { try Files.remove(path) }
    }

    // MARK: - Lookup

    /// A file that the caller may know of.
    func file(_ id: ChatFileID) throws -> StoredFile {
        guard let record = try store.file(id), let profileID = record.profileID,
            (try? lookup.profile(profileID)) != nil
        else { throw ChatError.file(.unknown(id)) }
        return record
    }

    /// The entry of a file.
    func located(_ record: StoredFile) throws -> LocatedItem? {
        guard let item = try record.itemID.flatMap({ try store.item($0) }) else { return nil }
        return LocatedItem(chat: try lookup.scope(lookup.chat(item.chat), of: item), item: item)
    }

    /// Stores a new state and tells an event about the file, if its profile is there.
    func update(
        _ record: StoredFile, _ state: FileState,
        telling event: (OwnProfile, StoredFile, LocatedItem?) -> (any ChatEvent)?
    ) throws {
        try store.transaction { try store.update(record.file.id, state) }
        try tell(record.file.id, event)
    }

    /// Tells an event about a file as it is now.
    func tell(_ id: ChatFileID, _ event: (OwnProfile, StoredFile, LocatedItem?) -> (any ChatEvent)?) throws {
        guard let record = try store.file(id), let profile = try record.profileID.flatMap({ try store.profile($0) }),
            let event = event(profile, record, try located(record))
        else { return }
        context.tellWithHooks(event)
    }
}

extension StoredFile {
    /// The size of the content that the sender announced. A link tells only that of the encrypted file.
    var offeredSize: Int64? { isOfItem && !isSent ? file.size : nil }

    /// True if the transfers or relays have something of it that must go with its entry.
    fileprivate var hasTransfer: Bool { isRevoked || transfer != nil && file.state.isUnderWay }

    /// True if it waits for its sender, or for the relay of a contact.
    var isWaiting: Bool {
        if isSent { return descriptionToken != nil }
        return file.state == .accepted && !description.isComplete
    }
}

extension FileProblem {
    init(_ failure: FileFailure) {
        switch failure {
        case .relay(_, .refused(.authorization)), .expired: self = .gone
        case .relay(let server, .refused(.blocked)):
            self = .blocked(server: server.text(scheme: .xftp), reason: "content")
        case .relay(_, .refused(.quota)): self = .other(failure.code)
        case _ where failure.isFullDisk: self = .other(failure.code)
        case .relay(let server, _): self = .relay(server.location)
        case .source, .sourceSize: self = .noFile
        default: self = .other(failure.code)
        }
    }

    /// The problem for a stored code of ``FileFailure``.
    init(code: String) {
        switch code {
        case "file.gone", "file.expired": self = .gone
        case "file.source", "file.source-size": self = .noFile
        default: self = .other(code)
        }
    }
}
