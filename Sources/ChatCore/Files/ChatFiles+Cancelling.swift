import Agent
import AgentProtocol
import ChatProtocol
import SystemIO
import XFTPClient
import XFTPProtocol

/// Cancelling files, and files without a chat.
extension ChatFiles {
    /// Stops a transfer, and for an own file deletes it at the file relays.
    ///
    /// - Parameter declines: True if a received file of a chat is aborted, false if it is an offer again.
    /// - Returns: The file as it is then.
    func cancel(_ id: ChatFileID, declines: Bool = false) throws -> StoredFile {
        let record = try file(id)
        if record.isSent {
            try cancel(sending: record)
        } else {
            try cancel(receiving: record, to: !record.isOfItem ? .receivedCancelled : declines ? .aborted : .offered)
        }
        return try file(id)
    }

    private func cancel(sending record: StoredFile) throws {
        let id = record.file.id
        switch record.file.state {
        case .sentCancelled, .sentError: throw ChatError.file(.notCancellable(id, "file already cancelled"))
        default: break
        }
        guard record.file.transport == .xftp else {
            throw ChatError.file(.notCancellable(id, "the file is not sent to anybody"))
        }
        let handOver = try store.transaction {
            try store.setDescriptionToken(nil, of: id)
            try store.update(id, .sentCancelled)
            return try record.itemID.flatMap { try store.item($0) }.map(withdraw) ?? {}
        }
        try handOver()
        try removeFromRelays(record)
    }

    private func cancel(receiving record: StoredFile, to state: FileState) throws {
        let id = record.file.id
        switch record.file.state {
        case .receivedCancelled: throw ChatError.file(.notCancellable(id, "file already cancelled"))
        case .received: throw ChatError.file(.notCancellable(id, "file transfer is complete"))
        default: break
        }
        if let transfer = record.transfer {
            try run()
            try transfers?.forgetReceived(transfer)
        }
        try store.transaction {
            try store.setTransfer(nil, of: id)
            try store.update(id, source: nil)
            try store.update(id, state)
        }
    }

    // MARK: - Files without a chat

    /// The name of the file of a link until that of its sender is known.
    private static let unnamed = "download"

    /// Uploads a file for links.
    ///
    /// - Parameter recipients: The number of links. There are more if it is small.
    func upload(_ source: CryptoFile, of profile: OwnProfile, recipients: Int64) throws -> StoredFile {
        let file = try outgoing(source, limit: XFTP.hardFileLimit)
        try checkServer(of: profile.id)
        let id = try store.transaction {
            let id = try store.insertFile(
                name: file.name, size: file.size, source: file.source, .xftp, .sentStored, isSent: true, item: nil,
                of: profile.id, at: now)
            try store.setRecipientCount(recipients, of: id)
            return id
        }
        handOverSoon()
        return try self.file(id)
    }

    /// Downloads the file of a link.
    ///
    /// - Parameter source: The place of the file.
    func download(_ link: FileLink, to source: CryptoFile, of profile: OwnProfile) throws -> StoredFile {
        var place = CryptoFile(path: storedPath(path(source)), key: source.key)
        // Of a file for a folder the name is known when it is here.
        let target = path(source), folder = ChatFiles.folder(target), isNamed = folder == nil
        if let folder { place.path = storedPath(folder + ChatFiles.unnamed) }
        guard !isNamed || !Files.exists(target) else { throw ChatError.file(.exists(source.path)) }
        try checkTarget(place, as: source.path)
        let id = try store.transaction {
            let id = try store.insertFile(
                name: isNamed ? FileName.last(of: place.path) : "",
                size: link.description.redirect?.size ?? link.description.size,
                source: place, .xftp, .accepted, isSent: false, item: nil, of: profile.id, at: now)
            try store.setDescription(
                DescriptionPart(link.description.text, part: 1, isComplete: true), of: id)
            // Who opens a link decides about its relays.
            try store.setApproved(true, id)
            return id
        }
        handOverSoon()
        return try file(id)
    }
}
