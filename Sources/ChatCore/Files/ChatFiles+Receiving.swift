import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import SMPClient
import SMPProtocol
import SystemIO
import XFTPClient
import XFTPProtocol

/// Receiving files.
extension ChatFiles {
    /// The longest description of a file of a message, in characters. That of 5 GiB has about 200,000.
    private static let longestDescription = 1 << 20

    // MARK: - Offers

    /// Stores the file of a received entry. Must be called within a transaction.
    func insert(
        _ file: FileInvitation, of item: ChatItemID, _ content: MessageContent, for profileID: ProfileID
    ) throws {
        guard try store.file(of: item) == nil else { return }
        let size = max(0, file.size), name = FileName.safe(file.name), mode = file.inlineMode
        let isWanted = try accepts(content, size)
        // Voice messages of old versions follow without being asked for, as in the official applications.
        let isVoice = if case .voice = content.kind { true } else { false }
        let comesAnyway = mode == .sent && isVoice
        let comesInline = mode != nil && (isWanted || comesAnyway) && isSmall(size, isAsked: false)
        let isAccepted = file.description != nil ? isWanted : comesInline
        let id = try store.insertFile(
            name: name, size: size, source: nil, file.description == nil ? .smp : .xftp,
            isAccepted ? .accepted : .offered, isSent: false, item: item, of: profileID, digest: file.contentDigest,
            inlineMode: mode, at: now)
        if isAccepted {
            try store.update(id, source: target(name, isEncrypted: context.fileFolders.isEncrypted))
            if mode == .offer { try askForPieces(try storedFile(id), named: file.name) }
            handOverSoon()
        }
        // The whole description may come at once.
        if let description = file.description, description.part > 0 {
            _ = try append(description, to: try storedFile(id))
        }
    }

    func storedFile(_ id: ChatFileID) throws -> StoredFile {
        guard let record = try store.file(id) else { throw ChatError.file(.unknown(id)) }
        return record
    }

    /// True if the user wants files like this without being asked.
    private func accepts(_ content: MessageContent, _ size: Int64) throws -> Bool {
        let kind: FileKind =
            switch content.kind {
            case .image: .image
            case .voice: .voice
            case .video: .video
            default: .file
            }
        return try acceptedSizes()[kind].map { size <= $0 } ?? false
    }

    /// Records a part of the description of a received entry. Must be called within a transaction.
    func record(_ part: DescriptionPart, of item: ChatItem, _ profile: OwnProfile) throws -> [any ChatEvent] {
        guard let record = try store.file(of: item.id), !record.isSent else { return [] }
        let progress = try append(part, to: record)
        guard progress != .incomplete, let changed = try store.file(record.file.id), let located = try located(changed)
        else { return [] }
        let transfer = ReceivedFileTransfer(changed, of: located)
        if case .rejected(let problem) = progress {
            return [FileReceivingFailedEvent(profile: profile, item: located, file: transfer, problem: problem)]
        }
        handOverSoon()
        return [
            FileDescriptionEvent(profile: profile, item: located, file: transfer, description: changed.description)
        ]
    }

    /// What became of a description with one more part.
    private enum DescriptionProgress: Equatable {
        /// More parts follow, or the part was not the next one.
        case incomplete
        case complete
        case rejected(FileProblem)
    }

    /// Appends a part of a description.
    private func append(_ part: DescriptionPart, to record: StoredFile) throws -> DescriptionProgress {
        let known = record.description, text = known.text + part.text
        guard !known.isComplete, part.part == known.part + 1 else { return .incomplete }
        let isTooLong = text.utf8.count > ChatFiles.longestDescription
        if !isTooLong {
            try store.setDescription(
                DescriptionPart(text, part: part.part, isComplete: part.isComplete), of: record.file.id)
            guard part.isComplete else { return .incomplete }
            if let description = try? FileDescription(text: text), record.isDescribed(by: description) {
                return .complete
            }
        }
        let problem = FileProblem.other("file.description")
        try store.update(record.file.id, .receivedError(problem))
        return .rejected(problem)
    }

    /// Records that the sender cancelled the file of an entry. Must be called within a transaction.
    func recordWithdrawal(of item: ChatItem, _ profile: OwnProfile) throws -> [any ChatEvent] {
        guard let record = try store.file(of: item.id), !record.isSent, record.file.state != .received,
            record.file.state != .receivedCancelled
        else { return [] }
        try store.update(record.file.id, .receivedCancelled)
        try store.update(record.file.id, source: nil)
        if let transfer = record.transfer {
            context.environment.atEndOfTurn { [weak self] in
                self?.context.attempt { try self?.transfers?.forgetReceived(transfer) }
            }
        }
        guard let changed = try store.file(record.file.id), let item = try located(changed) else { return [] }
        return [
            FileWithdrawnEvent(profile: profile, item: item, file: ReceivedFileTransfer(changed, of: item))
        ]
    }

    // MARK: - Accepting

    /// The choices of the user about a file that is received.
    struct Acceptance {
        /// True if relays may be used that are not among those of the profile.
        var isApproved = false
        /// True if the file is encrypted on the disk; nil for the setting.
        var isEncrypted: Bool?
        /// A folder or a path; nil for the folder for files.
        var path: String?
        /// True if the file may come in more messages than without being asked.
        var isInline = false
    }

    /// Accepts a file, and receives it as soon as its description is there.
    func accept(_ id: ChatFileID, _ acceptance: Acceptance) throws -> StoredFile {
        let record = try file(id)
        guard !record.isSent else { throw ChatError.file(.unknown(id)) }
        if record.file.transport != .xftp {
            guard record.inlineMode == .offer, isSmall(record.file.size, isAsked: acceptance.isInline) else {
                throw ChatError.file(.inline(id))
            }
        }
        switch record.file.state {
        case .offered, .aborted, .receivedError: break
        case .receivedCancelled: throw ChatError.file(.cancelled(record.file.name))
        default: throw ChatError.file(.receiving(record.file.name))
        }
        if record.description.isComplete, !acceptance.isApproved {
            let unknown = try unknownServers(of: record)
            guard unknown.isEmpty else { throw ChatError.file(.notApproved(id, unknown)) }
        }
        let source = try target(
            record.file.name, at: acceptance.path,
            isEncrypted: acceptance.isEncrypted ?? context.fileFolders.isEncrypted)
        try checkTarget(source, as: acceptance.path)
        try store.transaction {
            try store.setApproved(acceptance.isApproved, id)
            try store.update(id, source: source)
            try store.setTransfer(nil, of: id)
            try store.update(id, .accepted)
            if record.inlineMode != nil { try askForPieces(record) }
        }
        handOverSoon()
        return try file(id)
    }

    /// The place of a received file. If its name is taken when it arrives, a number is added.
    private func target(_ name: String, at path: String? = nil, isEncrypted: Bool) throws -> CryptoFile {
        let key = isEncrypted ? LocalFileKey(random: context.environment.random) : nil
        if let path {
            let absolute = StoredPath.isAbsolute(path) ? path : "\(folder)/\(path)"
            if let folder = ChatFiles.folder(absolute) {
                return CryptoFile(path: storedPath(free(folder + name)), key: key)
            }
            guard !Files.exists(absolute) else { throw ChatError.file(.exists(path)) }
            return CryptoFile(path: storedPath(absolute), key: key)
        }
        return CryptoFile(path: storedPath(free("\(folder)/\(name)")), key: key)
    }

    /// The path of a folder with a slash at its end; nil for the path of a file. With the slash the folder need not exist.
    static func folder(_ path: String) -> String? {
        if path.hasSuffix("/") { return path }
        return Files.isFolder(path) ? "\(path)/" : nil
    }

    /// Checks that a file can be written at its place before relays are asked for it.
    ///
    /// - Parameter given: The place in the words of the user; nil if that was not chosen.
    func checkTarget(_ source: CryptoFile, as given: String?) throws {
        do throws(FileFailure) {
            try local(source).checkTarget()
        } catch {
            guard case .target(let reason) = error else { throw error }
            throw ChatError.file(.notWritable(given ?? path(source), reason.reason))
        }
    }

    /// The path, or the first with a number that is free.
    private func free(_ path: String) -> String {
        let name = FileName.last(of: path), parent = path.dropLast(name.count)
        return FileName.candidates(name).lazy.map { parent + $0 }.first { !Files.exists($0) } ?? path
    }

    /// The addresses of the relays of a file that are not among those of the profile.
    private func unknownServers(of record: StoredFile) throws -> [String] {
        // Behind a proxy a relay does not learn the address of this machine.
        guard context.environment.network.route.proxy == nil, let profileID = record.profileID else { return [] }
        let known = try servers.knownFileServers(of: profileID)
        let description = try? FileDescription(text: record.description.text)
        return (description?.servers ?? []).filter { known.relay(meantBy: $0) == nil }.map { $0.text(scheme: .xftp) }
    }

    // MARK: - Downloading

    /// Gives the transfers a file that was accepted.
    func download(_ record: StoredFile) throws {
        guard let profileID = record.profileID, let source = record.file.source, record.description.isComplete,
            let description = try? FileDescription(text: record.description.text)
        else { return }
        if !record.isApproved {
            // A transfer that was begun behind a proxy may go on without one.
            let unknown = try unknownServers(of: record)
            guard unknown.isEmpty else { return try askForApproval(record, unknown) }
        }
        let known = try servers.knownFileServers(of: profileID)
        let transfer = record.transfer ?? FileID(random: context.environment.random)
        let isNew = record.transfer == nil
        if isNew {
            try store.transaction {
                try store.setTransfer(transfer, of: record.file.id)
                try store.update(record.file.id, .receiving(0, total: 1))
            }
            try tell(record.file.id) { profile, record, item in
                item.map { FileStartedEvent(profile: profile, item: $0) }
            }
        }
        do {
            try Files.createFolder(String(path(source).dropLast(FileName.last(of: source.path).count + 1)))
            let stored = description.replacingServers { known.relay(meantBy: $0)?.address ?? $0 }
            try transfers?.receive(
                stored, to: local(source), contentSize: record.offeredSize, contentDigest: record.digest,
                for: profileID.number, as: transfer)
        } catch let failure as FileFailure {
            try fail(receiving: record, FileProblem(failure))
        } catch let error as SystemError {
            try fail(receiving: record, FileProblem(.target(error)))
        }
    }

    /// Offers a file again that was accepted before it was known on which relays it is.
    private func askForApproval(_ record: StoredFile, _ servers: [String]) throws {
        if let transfer = record.transfer { try transfers?.forgetReceived(transfer) }
        try store.transaction {
            try store.setTransfer(nil, of: record.file.id)
            try store.update(record.file.id, .offered)
            try store.update(record.file.id, source: nil)
        }
        try tell(record.file.id) { profile, record, item in
            FileNotApprovedEvent(profile: profile, item: item, file: record.file.id, servers: servers)
        }
    }

    func recordReceiving(_ record: StoredFile, received: Int64, total: Int64) throws {
        guard record.file.state.isUnderWay else { return }
        try update(record, .receiving(received, total: total)) { profile, record, item in
            FileReceivingEvent(
                profile: profile, item: item, file: ReceivedFileTransfer(record, of: item), receivedSize: received,
                totalSize: total)
        }
    }

    func recordReceived(_ record: StoredFile, _ arrived: String, name: String) throws {
        guard let transfer = record.transfer else { return }
        // It was told before; the chunks are acknowledged since then, or never will be.
        guard record.file.state.isUnderWay else { return try transfers?.forgetReceived(transfer) ?? () }
        var path = arrived
        if record.file.name.isEmpty {
            path = free("\(arrived.dropLast(FileName.last(of: arrived).count))\(FileName.safe(name))")
            try Files.rename(arrived, to: path)
        }
        let source = CryptoFile(path: storedPath(path), key: record.file.source?.key)
        try store.transaction {
            if record.file.name.isEmpty { try store.setName(FileName.last(of: path), of: record.file.id) }
            // A link tells only the size of the encrypted file.
            if !record.isOfItem, let size = try? local(source).contentSize() {
                try store.setSize(size, of: record.file.id)
            }
            try store.update(record.file.id, source: source)
            try store.update(record.file.id, .received)
        }
        try tell(record.file.id) { profile, record, item in
            guard let item else {
                return LinkedFileReceivedEvent(
                    profile: profile, path: record.file.source?.path ?? "",
                    file: ReceivedFileTransfer(record, of: nil))
            }
            return FileReceivedEvent(profile: profile, item: item)
        }
    }

    /// Ends files whose descriptions did not come while relays had them: their senders deleted them, or never sent them.
    func endLost() throws {
        for record in try store.openFiles()
        where !record.isSent && record.isWaiting && record.createdAt + ChatFiles.life < now {
            try fail(receiving: record, .gone)
        }
    }

    /// The time that relays store a file (chat.md 5.6).
    static let life = Duration.seconds(48 * 3600)

    func fail(receiving record: StoredFile, _ problem: FileProblem) throws {
        guard record.file.state.isUnderWay else { return }
        if let transfer = record.transfer { try transfers?.forgetReceived(transfer) }
        try update(record, .receivedError(problem)) { profile, record, item in
            FileReceivingFailedEvent(
                profile: profile, item: item, file: ReceivedFileTransfer(record, of: item), problem: problem)
        }
    }
}

extension StoredFile {
    /// True if a description belongs to the offer.
    ///
    /// SECURITY: an offer of a small file, which may be accepted without asking, must not lead to a large download.
    fileprivate func isDescribed(by description: FileDescription) -> Bool {
        // Descriptions in messages have no redirect (chat.md 5.2).
        description.party == .recipient && description.redirect == nil
            && ChunkPlan.encryptedSizes(ofContent: file.size)?.contains(description.size) == true
    }
}
