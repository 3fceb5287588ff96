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
    /// The transfers, while they run.
    var transfers: (any CoreTransfers)?
    /// The files whose transfer failed and is repeated later.
    var delayed: Set<ChatFileID> = []
    /// The folder for files if no program has chosen one.
    var ownFolder = ""

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
        try transfers.resume()
        try removeOrphans()
        try handOver()
    }

    /// Interrupts the transfers.
    func pause() {
        transfers?.stop()
        transfers = nil
        delayed = []
    }

    /// True if nothing is transferred now: what was begun is complete, or waits for a later attempt.
    var isIdle: Bool {
        guard let open = context.attempt({ try store.openFiles() }) else { return true }
        return open.allSatisfy { $0.isWaiting || delayed.contains($0.file.id) }
    }

    /// Gives the transfers all files that they should have.
    func handOver() throws {
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
        source.path.hasPrefix("/") ? source.path : "\(folder)/\(source.path)"
    }

    /// The path of a file as it is stored: relative if it is in the folder for files.
    func storedPath(_ path: String) -> String {
        let prefix = folder + "/"
        guard path.hasPrefix(prefix) else { return path }
        let rest = String(path.dropFirst(prefix.count))
        return rest.isEmpty || rest.contains("/") ? path : rest
    }

    func local(_ source: CryptoFile) -> LocalFile {
        LocalFile(path: path(source), key: source.key.map { FileEncryptionKey(key: $0.key, nonce: $0.nonce) })
    }

    // MARK: - Removing

    /// Removes the files whose entry or profile was deleted: their transfers, and what is in the folder for files.
    func removeOrphans() throws {
        let orphans = try store.orphanedFiles()
        guard !orphans.isEmpty else { return }
        for record in orphans {
            if let transfer = record.transfer, record.file.state.isUnderWay {
                try run()
                try record.isSent ? transfers?.deleteSent(transfer) : transfers?.forgetReceived(transfer)
            }
            try removeOwnCopy(record)
            try store.transaction { try store.removeFile(record.file.id) }
        }
    }

    /// Removes the file on the disk if it belongs to the store and to no other entry. It may be gone already.
    func removeOwnCopy(_ record: StoredFile) throws {
        guard let source = record.file.source, !source.path.hasPrefix("/"), try !store.isShared(record.file) else {
            return
        }
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
