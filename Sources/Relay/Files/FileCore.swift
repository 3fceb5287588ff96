import ByteCoding
import CryptoCore
import SMPProtocol
import Store
import SystemIO
import XFTPProtocol

/// The rules of a file relay.
struct FileRules {
    /// True if clients may create chunks.
    var acceptsNewFiles = true
    /// The password of FNEW.
    var password: ServerPassword?
    /// The largest space of all chunks in bytes.
    var quota = 0
    /// The lifetime of a chunk in hours.
    var hours: Int64 = 48
    /// The free space to keep on the disk.
    var reserve = 0
    /// The blocked chunks.
    var blocked = BlockedEntities()
}

/// A client of a file relay, as far as its commands depend on it.
struct FileClient {
    /// The version and session id.
    let session: FileSession
    /// The relay's session key; nil in version 1.
    let key: X25519.PrivateKey?
    /// Returns true if the address of the client may create another chunk, of so many bytes.
    let mayCreate: (Int) -> Bool
}

/// The result of a command.
enum FileResult {
    /// A response without a body; a body of the client is skipped.
    case answer(FileAnswer)
    /// The body of the client is to be stored.
    case upload(ChunkUpload)
    /// A response with a body.
    case download(FileAnswer, ChunkDownload)
}

/// Executes the commands of file clients, without sockets.
///
/// Each command that changes something is one transaction, which is committed before its response.
final class FileCore {
    let store: FileStore
    var rules: FileRules
    var statistics = RelayStatistics()
    private let clock: () -> Timestamp
    private let random: any RandomSource

    /// Creates a core.
    ///
    /// - Parameter clock: The clock of expiry (``ExpiryClock``).
    init(_ store: FileStore, rules: FileRules, clock: @escaping () -> Timestamp, random: any RandomSource) {
        self.store = store
        self.rules = rules
        self.clock = clock
        self.random = random
    }

    // SECURITY: times of chunks are known to the hour only (smp-agent.md 10.7).
    private var hour: Int64 { clock().seconds / 3600 }

    // MARK: - Commands

    /// Executes the command of a block.
    ///
    /// - Returns: The result, and the transmission to answer; nil for a malformed one.
    func execute(_ block: Bytes, of client: FileClient) -> (result: FileResult, transmission: Transmission?) {
        statistics.commands += 1
        let transmission: Transmission
        do throws(Transmission.Failure) {
            transmission = try FileBlock.decode(block, session: client.session)
        } catch {
            switch error {
            case .malformed: return (.answer(.err(.block)), nil)
            case .otherSession: return (.answer(.err(.session)), nil)
            }
        }
        do {
            return (try execute(transmission, of: client), transmission)
        } catch let error as FileRelayError {
            if error == .authorization { statistics.refusedCommands += 1 }
            if error == .quota { statistics.refusedFiles += 1 }
            return (.answer(.err(error)), transmission)
        } catch let error as CommandError {
            return (.answer(.err(.command(error))), transmission)
        } catch {
            return (.answer(.err(FileCore.failure(error))), transmission)
        }
    }

    private func execute(_ transmission: Transmission, of client: FileClient) throws -> FileResult {
        let command = try FileCommand(decoding: transmission.command)
        try command.tag.checkCredentials(
            isAuthorized: transmission.authorization.isPresent, hasEntity: !transmission.entityID.isEmpty)
        switch command {
        case .ping: return .answer(.pong)
        case .fnew(let chunk): return .answer(try create(chunk, transmission, client))
        case .fadd(let keys):
            let chunk = try sentChunk(transmission, client)
            let ids = keys.map { _ in randomID() }
            guard hasRoom(keys.count * FileStore.recipientCost) else { throw FileRelayError.quota }
            try store.add(keys, ids: ids, to: chunk)
            return .answer(.rids(ids))
        case .fput: return try upload(transmission, client)
        case .fdel:
            let chunk = try sentChunk(transmission, client)
            try store.remove(chunk)
            statistics.deletedFiles += 1
            return .answer(.ok)
        case .fget(let key): return try download(key, transmission, client)
        case .fack:
            let recipient = try recipient(transmission, client)
            try store.remove(recipient)
            statistics.acknowledgedFiles += 1
            return .answer(.ok)
        }
    }

    private func create(_ chunk: NewChunk, _ transmission: Transmission, _ client: FileClient) throws -> FileAnswer {
        guard isAuthorized(transmission, by: chunk.senderKey, client), rules.acceptsNewFiles,
            rules.password.map({ isPassword(chunk.password, $0) }) ?? true
        else { throw FileRelayError.authorization }
        guard XFTP.chunkSizes.contains(chunk.size) else { throw FileRelayError.size }
        guard chunk.digest.count == SHA256.size else { throw FileRelayError.digest }
        guard hasRoom(FileStore.chunkCost + chunk.recipientKeys.count * FileStore.recipientCost),
            client.mayCreate(Int(chunk.size))
        else {
            throw FileRelayError.quota
        }
        let senderID = randomID(), recipientIDs = chunk.recipientKeys.map { _ in randomID() }
        try store.add(chunk, senderID: senderID, recipientIDs: recipientIDs, hour: hour)
        statistics.createdFiles += 1
        return .sids(senderID: senderID, recipientIDs: recipientIDs)
    }

    private func isPassword(_ given: ServerPassword?, _ password: ServerPassword) -> Bool {
        constantTimeEqual(SHA256.hash(Bytes((given?.text ?? "").utf8)), SHA256.hash(Bytes(password.text.utf8)))
    }

    private func randomID() -> EntityID { EntityID(random.bytes(XFTP.idSize)) }

    /// Returns true if the quota and the disk have room for `bytes`.
    private func hasRoom(_ bytes: Int) -> Bool {
        store.usedBytes + bytes <= rules.quota && store.hasSpace(bytes)
    }

    /// The error of a response for one of the database or the system.
    static func failure(_ error: any Error) -> FileRelayError {
        switch error {
        case let error as FileRelayError: error
        case let error as StoreError: error.code == .diskFull ? .quota : .fileIO
        case let error as SystemError: FileRelayError(error)
        default: .internal
        }
    }

    // MARK: - Uploads

    private func upload(_ transmission: Transmission, _ client: FileClient) throws -> FileResult {
        let chunk = try sentChunk(transmission, client)
        // A repetition, because the client did not get the response.
        guard !chunk.isStored else { return .answer(.ok) }
        guard hasRoom(Int(chunk.size)) else { throw FileRelayError.quota }
        return .upload(store.beginUpload(of: chunk))
    }

    /// Appends bytes to an upload, which fails if the quota or the disk has no room for them.
    func write(_ bytes: Bytes, to upload: ChunkUpload) {
        guard upload.failure == nil, !bytes.isEmpty else { return }
        guard hasRoom(bytes.count) else {
            statistics.refusedFiles += 1
            return upload.fail(.quota)
        }
        upload.write(bytes)
    }

    /// Completes an upload whose draft has its name, or ends one that failed.
    ///
    /// - Parameter source: The address that uploaded it.
    func end(_ upload: ChunkUpload, of source: UploadPlaces.Source? = nil) -> FileAnswer {
        upload.release()
        if let failure = upload.failure {
            statistics.failedUploads += 1
            return .err(failure)
        }
        do throws(StoreError) {
            guard try store.confirm(upload.chunk, of: source) else { return .err(.authorization) }
        } catch {
            statistics.failedUploads += 1
            return .err(FileCore.failure(error))
        }
        statistics.uploadedFiles += 1
        statistics.uploadedBytes += Int(upload.chunk.size)
        return .ok
    }

    // MARK: - Downloads

    private func download(
        _ key: X25519.PublicKey, _ transmission: Transmission, _ client: FileClient
    ) throws -> FileResult {
        let chunk = try recipient(transmission, client).chunk
        guard chunk.isStored else { throw FileRelayError.noFile }
        let path = store.path(of: chunk)
        do throws(SystemError) {
            try ChunkDownload.prepare(path, size: chunk.size)
        } catch {
            // For the recipient a chunk that is gone is a deleted one.
            throw error.condition == .missing ? .authorization : FileRelayError(error)
        }
        let own = X25519.PrivateKey(random: random), nonce = Nonce(random: random)
        let stream: SecretBoxStream
        do throws(CryptoError) {
            stream = try ChunkStream.sealing(own, with: key, nonce: nonce)
        } catch {
            throw FileRelayError.crypto
        }
        let download = ChunkDownload(path, size: chunk.size, stream: stream) { [weak self] in
            self?.statistics.downloadedFiles += 1
            self?.statistics.downloadedBytes += Int(chunk.size)
        }
        return .download(.file(key: own.publicKey, nonce: nonce), download)
    }

    // MARK: - Authorization

    // SECURITY: as in `RelayCore`, an unauthorized client must not learn whether a chunk exists. A command for a missing
    // one is verified with a key without a holder.

    private func sentChunk(_ transmission: Transmission, _ client: FileClient) throws -> StoredChunk {
        let chunk = try store.chunk(senderID: transmission.entityID)
        guard isAuthorized(transmission, by: chunk?.senderKey, client), let chunk else {
            throw FileRelayError.authorization
        }
        try refuseBlocked([transmission.entityID])
        return chunk
    }

    private func recipient(_ transmission: Transmission, _ client: FileClient) throws -> ChunkRecipient {
        let recipient = try store.recipient(transmission.entityID)
        guard isAuthorized(transmission, by: recipient?.key, client), let recipient else {
            throw FileRelayError.authorization
        }
        try refuseBlocked([transmission.entityID, recipient.chunk.senderID])
        return recipient
    }

    private func refuseBlocked(_ ids: [EntityID]) throws(FileRelayError) {
        if let blocking = rules.blocked.blocking(of: ids) { throw .blocked(blocking) }
    }

    private func isAuthorized(_ transmission: Transmission, by key: AuthorizationKey?, _ client: FileClient) -> Bool {
        guard let stranger = transmission.authorization.stranger else { return false }
        let isFitting = key?.kind == stranger.kind
        let isValid = transmission.authorization.verifies(
            transmission.authorized(in: client.session.transmission), key: isFitting ? key ?? stranger : stranger,
            correlationID: transmission.correlationID, relayKey: client.key)
        return isValid && isFitting
    }

    // MARK: - Expiry

    /// Removes up to `limit` chunks that are older than the lifetime.
    ///
    /// - Returns: True if there may be more.
    func expire(limit: Int) throws(StoreError) -> Bool {
        // A chunk of the last minute of an hour has its whole lifetime too.
        let removed = try store.expire(before: hour - rules.hours, limit: limit)
        statistics.expiredFiles += removed
        return removed == limit
    }
}
