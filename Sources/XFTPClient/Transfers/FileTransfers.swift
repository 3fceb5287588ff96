public import ByteCoding
public import CryptoCore
public import SMPProtocol
import Synchronization
public import SystemIO
public import XFTPProtocol

/// The parameters of all transfers.
public struct FileTransferParameters: Sendable {
    /// The parameters of sessions.
    public var session = FileSessionParameters()
    /// The largest number of chunks that are transferred at the same time.
    public var mostAtOnce = 4
    /// The largest number of connections over which the chunks of one file are sent to one relay, each with one chunk at a time.
    public var mostConnections = 4
    /// The pause before the first repetition of a failed attempt. Each further pause is 1.5 times as long.
    public var firstPause: Duration = .seconds(2)
    /// The pause before the first look for room on a full disk. Each further pause is 1.5 times as long.
    public var fullDiskPause: Duration = .seconds(5)
    /// The free space in bytes that transfers leave to others.
    public var reserve = 1 << 20
    /// The longest pause.
    public var longestPause: Duration = .seconds(120)
    /// The time after which unfinished transfers fail: relays delete chunks after 48 hours.
    public var lifetime: Duration = .seconds(48 * 3600)

    /// Creates the default parameters.
    public init() {}
}

/// The files of all profiles that are sent and received: encrypts and decrypts them, transfers several chunks at the same
/// time, repeats failed attempts, and resumes after a restart at the chunk.
///
/// All calls and callbacks are on the loop's thread. A failure of the storage stops all transfers.
public final class FileTransfers {
    /// A unit of work with one relay.
    struct ChunkTask: Hashable {
        enum Kind: Hashable {
            /// Create and upload a chunk of this part.
            case upload(part: Int)
            /// Delete a chunk of this part.
            case delete(part: Int)
            /// Download a chunk.
            case download
            /// Acknowledge a chunk.
            case acknowledge
        }

        let file: FileID
        let kind: Kind
        let index: Int
    }

    /// A session belongs to one file, so that relays cannot connect files by their connection.
    private struct SessionKey: Hashable {
        let file: FileID
        let server: ServerAddress
        /// The number of the connection, from 0.
        var lane = 0
    }

    let store: any FileTransferStore
    let folder: String
    let loop: EventLoop
    let parameters: FileTransferParameters
    let random: any RandomSource
    let now: () -> Timestamp
    let servers: (Int64, Set<ServerAddress>) -> ConfiguredServer?
    let handler: (FileEvent) -> Void
    /// Called once if the storage fails; all transfers have stopped then.
    public var onStorageFailure: (any Error) -> Void = { _ in }

    var uploads: [FileID: UploadRecord] = [:]
    var downloads: [FileID: DownloadRecord] = [:]
    /// The downloads that were repeated once because their bytes were wrong.
    var repeated: Set<FileID> = []
    /// True if relays keep a file behind a redirect after it was received: other links may lead to the same file, with redirects of
    /// their own. Otherwise they delete it for this recipient.
    public var sharesLinks = false
    /// Returns true if the relays keep the chunks of a received file, because its description is passed on to others.
    public var leavesChunks: (FileID) -> Bool = { _ in false }
    /// The chunks of the descriptions that led to downloads with a redirect. They are acknowledged when the file is complete.
    var redirects: [FileID: [FileDescription.Replica]] = [:]
    /// The chunks of redirects that relays are being told of.
    private var endingRedirects: [FileID: Int] = [:]
    /// The relays that rejected a chunk.
    var excluded: [ChunkTask: Set<ServerAddress>] = [:]
    private var queue: [ChunkTask] = []
    private var running: Set<ChunkTask> = []
    private var transfers: [ChunkTask: FileTransfer] = [:]
    private var attempts: [ChunkTask: Int] = [:]
    private var pauses: [ChunkTask: Timer] = [:]
    private var sessions: [SessionKey: FileRelaySession] = [:]
    /// The sessions of the running commands.
    private var used: [ChunkTask: SessionKey] = [:]
    /// The largest numbers of connections of files to relays that have not coped with more.
    private var connectionLimits: [SessionKey: Int] = [:]
    /// The number of sessions above which unused ones are closed.
    private static let mostSessions = 16
    private var cancellations: [FileID: CancellationFlag] = [:]
    /// The files that wait for room on the disk: the time of the next look, and the number of looks.
    private var stalled: [FileID: (timer: Timer, looks: Int)] = [:]
    /// Returns the free space at a path in bytes. Tests replace it.
    package var freeSpace: (String) throws(SystemError) -> Int = { path throws(SystemError) in
        try Files.freeSpace(at: path)
    }
    private var isStopped = false

    /// Creates the transfers of a store; ``resume(_:)`` starts them.
    ///
    /// - Parameters:
    ///   - folder: The folder of encrypted files, which only this object uses. It is created if it does not exist.
    ///   - servers: Chooses the relay for a new chunk of a profile, except those that rejected it.
    ///   - handler: Called with each event.
    public init(
        store: any FileTransferStore, folder: String, loop: EventLoop,
        parameters: FileTransferParameters = FileTransferParameters(), random: any RandomSource = SystemRandom(),
        now: @escaping () -> Timestamp, servers: @escaping (Int64, Set<ServerAddress>) -> ConfiguredServer?,
        handler: @escaping (FileEvent) -> Void
    ) {
        self.store = store
        self.folder = folder
        self.loop = loop
        self.parameters = parameters
        self.random = random
        self.now = now
        self.servers = servers
        self.handler = handler
    }

    deinit {
        stop()
    }

    // MARK: - Requests

    /// Loads the stored transfers, continues the unfinished ones, and removes what an interruption left in the folder. The
    /// end of finished ones is reported again, until the application forgets them.
    ///
    /// SECURITY: the stored paths are those of an archive after an import. Files are read and written only where the application has
    /// them, and transfers of files that it does not have are forgotten.
    ///
    /// - Parameter place: Returns the source or the target of a transfer; nil if the application has no such file.
    /// - Throws: The error of the storage, or ``FileFailure/staging(_:)``.
    public func resume(_ place: (FileID) throws -> FilePlace?) throws {
        for var record in try store.uploads() {
            if [.encrypting, .uploading].contains(record.stage) {
                guard let source = try place(record.id) else {
                    try store.removeUpload(record.id)
                    continue
                }
                record.source = source.file
            }
            uploads[record.id] = record
        }
        for var record in try store.downloads() {
            guard let target = try place(record.id), record.put(at: target) else {
                try store.removeDownload(record.id)
                continue
            }
            downloads[record.id] = record
        }
        if !uploads.isEmpty || !downloads.isEmpty { try openFolder() }
        try removeLeftovers()
        for record in uploads.values.sorted(by: { $0.id.number < $1.id.number }) {
            reportEnd(of: record)
            continueUpload(record.id)
        }
        for record in downloads.values.sorted(by: { $0.id.number < $1.id.number }) {
            reportEnd(of: record)
            continueDownload(record.id)
        }
    }

    /// True while relays are being told that files were received, or are to be deleted.
    public var isSettling: Bool {
        !endingRedirects.isEmpty || uploads.values.contains { $0.stage == .deleting }
            || downloads.values.contains { record in
                record.stage == .complete
                    && record.download.states.indices.contains { record.download.storedReplica(of: $0) != nil }
            }
    }

    /// The state of a file that is sent, or nil.
    public func upload(_ id: FileID) -> UploadRecord? { uploads[id] }

    /// The state of a file that is received, or nil.
    public func download(_ id: FileID) -> DownloadRecord? { downloads[id] }

    /// Starts to send a file. The request is stored on return. A second call with the same id has no effect, unless the file is at
    /// another place now and was not encrypted yet.
    ///
    /// - Parameters:
    ///   - recipients: The number of descriptions for recipients, at least one.
    ///   - usesRedirect: True to upload the description too, for a short link.
    /// - Throws: ``FileFailure``, or the error of the storage.
    public func send(
        _ source: LocalFile, name: String, recipients: Int, usesRedirect: Bool = false, for profileID: Int64,
        as id: FileID
    ) throws {
        if let known = uploads[id] { return try move(known, to: source) }
        _ = try source.contentSize()
        try openFolder()
        let record = UploadRecord(
            id: id, profileID: profileID, source: source, name: name, recipients: max(1, recipients),
            usesRedirect: usesRedirect, createdAt: now())
        try store.save(record)
        uploads[id] = record
        continueUpload(id)
    }

    /// Starts to receive a file. The request is stored on return. A second call with the same id changes only the place of a file
    /// that is not complete.
    ///
    /// - Parameters:
    ///   - target: The place of the file. If another file has the name, a number is added to it.
    ///   - contentSize: The size of the content that the sender announced; nil if there is none.
    ///   - contentDigest: The SHA-512 of the content that the sender announced; nil if there is none.
    /// - Throws: ``FileFailure/description(_:)`` for the description of a sender, or the error of the storage.
    public func receive(
        _ description: FileDescription, to target: LocalFile, contentSize: Int64? = nil, contentDigest: Bytes? = nil,
        for profileID: Int64, as id: FileID
    ) throws {
        // After a restart only the description of the link tells that there was a redirect.
        if description.redirect != nil { redirects[id] = description.chunks.compactMap(\.replicas.first) }
        if let known = downloads[id] { return try move(known, to: target) }
        guard description.party == .recipient else { throw FileFailure.description(.party) }
        try openFolder()
        var record = DownloadRecord(
            id: id, profileID: profileID, target: target, createdAt: now(), contentDigest: contentDigest,
            download: FileDownload(description))
        record.contentSize = contentSize
        try store.save(record)
        downloads[id] = record
        continueDownload(id)
    }

    /// Stops receiving a file and forgets it. A complete file stays at its place. A chunk that is not acknowledged yet
    /// stays on its relay until the relay deletes it by itself.
    ///
    /// - Throws: The error of the storage.
    public func forgetReceived(_ id: FileID) throws {
        guard downloads[id] != nil else { return }
        abandon(id)
        downloads[id] = nil
        redirects[id] = nil
        try store.removeDownload(id)
        removeStaged(downloadPath(id))
    }

    /// Forgets a file that was sent or failed. What relays have of it stays there until they delete it by themselves.
    ///
    /// - Throws: The error of the storage.
    public func forgetSent(_ id: FileID) throws {
        guard let record = uploads[id] else { return }
        abandon(id)
        uploads[id] = nil
        try store.removeUpload(id)
        for part in 0...record.parts.count { removeStaged(uploadPath(id, part)) }
    }

    /// Stops sending a file, deletes its chunks at the relays, and forgets it; ``FileEvent/deleted(_:)`` follows.
    ///
    /// - Throws: The error of the storage.
    public func deleteSent(_ id: FileID) throws {
        guard var record = uploads[id], record.stage != .deleting else { return }
        abandon(id)
        record.stage = .deleting
        try store.save(record)
        uploads[id] = record
        for part in 0...record.parts.count { removeStaged(uploadPath(id, part)) }
        continueUpload(id)
    }

    /// Deletes a file at its relays by the descriptions of its sender; ``FileEvent/deleted(_:)`` follows. An upload with the same
    /// id is deleted with everything that relays have of it.
    ///
    /// - Throws: ``FileFailure/description(_:)`` for the description of a recipient, or the error of the storage.
    public func delete(_ descriptions: [FileDescription], for profileID: Int64, as id: FileID) throws {
        guard uploads[id] == nil else { return try deleteSent(id) }
        let parts = descriptions.compactMap { FileUpload(deleting: $0) }
        guard parts.count == descriptions.count else { throw FileFailure.description(.party) }
        let record = UploadRecord(
            id: id, profileID: profileID, source: LocalFile(path: ""), name: "", recipients: 1, usesRedirect: false,
            createdAt: now(), stage: .deleting, parts: parts)
        try store.save(record)
        uploads[id] = record
        continueUpload(id)
    }

    /// Stops all transfers of a profile and forgets them, when the profile is deleted.
    ///
    /// - Throws: The error of the storage.
    public func forgetAll(of profileID: Int64) throws {
        for record in uploads.values where record.profileID == profileID { try forgetSent(record.id) }
        for record in downloads.values where record.profileID == profileID { try forgetReceived(record.id) }
    }

    /// True if chunks are being deleted at relays that were reachable so far.
    public var isDeleting: Bool {
        uploads.values.contains { record in
            record.stage == .deleting && !pauses.keys.contains { $0.file == record.id }
        }
    }

    /// Ends all work without events. Everything that is stored continues after ``resume(_:)`` of another object.
    public func stop() {
        isStopped = true
        for flag in cancellations.values { flag.set() }
        cancellations = [:]
        queue = []
        for timer in pauses.values { timer.cancel() }
        pauses = [:]
        for (timer, _) in stalled.values { timer.cancel() }
        stalled = [:]
        let transfers = transfers.values
        self.transfers = [:]
        for transfer in transfers { transfer.cancel() }
        for session in sessions.values { session.close() }
        sessions = [:]
    }

    // MARK: - Storage

    /// Stores with `body`; stops everything if that fails.
    ///
    /// - Returns: True if the change is stored.
    func storing(_ body: () throws -> Void) -> Bool {
        guard !isStopped else { return false }
        do {
            try body()
            return true
        } catch {
            stop()
            onStorageFailure(error)
            return false
        }
    }

    private func openFolder() throws(FileFailure) {
        do throws(SystemError) {
            try Files.createFolder(folder)
        } catch {
            throw .staging(error)
        }
    }

    /// Removes encrypted files that no record needs.
    private func removeLeftovers() throws(FileFailure) {
        guard Files.isFolder(folder) else { return }
        var needed: Set<String> = []
        for (id, record) in uploads where record.stage == .uploading {
            needed.formUnion((0...record.parts.count).map { uploadPath(id, $0) })
        }
        for (id, record) in downloads where record.stage == .downloading { needed.insert(downloadPath(id)) }
        do throws(SystemError) {
            for name in try Files.names(in: folder) where !needed.contains("\(folder)/\(name)") {
                try Files.remove("\(folder)/\(name)")
            }
        } catch {
            throw .staging(error)
        }
    }

    func uploadPath(_ id: FileID, _ part: Int) -> String { "\(folder)/upload-\(id.number)-\(part)" }

    func downloadPath(_ id: FileID) -> String { "\(folder)/download-\(id.number)" }

    /// Removes an encrypted file, which may be gone. A file that cannot be removed now is a leftover of the next start.
    func removeStaged(_ path: String) {
        try? Files.remove(path)
    }

    // MARK: - Stores that were moved

    /// Follows the file of an upload to another place, before it is encrypted: the store is in another folder now.
    private func move(_ record: UploadRecord, to source: LocalFile) throws {
        guard record.stage == .encrypting, record.source.path != source.path else { return }
        abandon(record.id)
        var moved = record
        moved.source = source
        try store.save(moved)
        uploads[record.id] = moved
        continueUpload(record.id)
    }

    /// Lets a download end at another place.
    private func move(_ record: DownloadRecord, to target: LocalFile) throws {
        guard record.stage == .downloading, record.target.path != target.path else { return }
        abandon(record.id)
        var moved = record
        moved.target = target
        moved.path = nil
        try store.save(moved)
        downloads[record.id] = moved
        continueDownload(record.id)
    }

    // MARK: - Full disks

    /// Throws unless the folder of encrypted files has room for further bytes.
    func checkRoom(for size: Int64) throws(FileFailure) {
        do throws(SystemError) {
            let free = try freeSpace(folder)
            guard free - parameters.reserve >= size else { throw .fullDisk }
        } catch {
            throw .staging(error)
        }
    }

    /// Throws unless the folder of a file has room for further bytes.
    func checkRoom(for size: Int64, beside path: String) throws(FileFailure) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        do throws(SystemError) {
            let free = try freeSpace(folder)
            guard free - parameters.reserve >= size else { throw .fullDisk }
        } catch {
            throw .target(error)
        }
    }

    /// Interrupts a transfer until the disk has room for it. What it has so far stays.
    func stall(_ id: FileID, _ failure: FileFailure) {
        guard !isStopped else { return }
        let looks = stalled[id]?.looks ?? 0
        abandon(id)
        var pause = parameters.fullDiskPause
        for _ in 0..<min(looks, 30) where pause < parameters.longestPause { pause = pause * 3 / 2 }
        let timer = loop.after(min(pause, parameters.longestPause)) { [weak self] in self?.proceed(id) }
        stalled[id] = (timer, looks + 1)
        if looks == 0 { handler(.warning(id, failure)) }
    }

    /// Looks for room now if a transfer waits for it.
    ///
    /// - Returns: True if it has waited.
    @discardableResult
    public func retry(_ id: FileID) -> Bool {
        guard stalled.removeValue(forKey: id)?.timer.cancel() != nil else { return false }
        proceed(id)
        return true
    }

    private func proceed(_ id: FileID) {
        // An encryption or decryption may have begun meanwhile.
        guard cancellations[id] == nil else { return }
        continueUpload(id)
        continueDownload(id)
    }

    /// Notes that a transfer has the room that it needs.
    func hasRoom(_ id: FileID) {
        stalled.removeValue(forKey: id)?.timer.cancel()
    }

    // MARK: - Work off the loop

    /// Runs blocking work on another thread. `finish` is not called if the file is abandoned meanwhile.
    func offload<Value: Sendable>(
        _ id: FileID, _ work: @escaping @Sendable (CancellationFlag) -> Result<Value, FileFailure>,
        then finish: @escaping (Result<Value, FileFailure>) -> Void
    ) {
        // A handler may have stopped everything.
        guard !isStopped else { return }
        let flag = CancellationFlag()
        cancellations[id] = flag
        loop.offload {
            work(flag)
        } then: { [weak self] result in
            guard let self, !flag.isSet else { return }
            cancellations[id] = nil
            finish(result)
        }
    }

    // MARK: - Tasks

    func enqueue(_ task: ChunkTask) {
        guard !isStopped, !running.contains(task), !queue.contains(task), pauses[task] == nil else { return }
        queue.append(task)
        loop.atEndOfTurn { [weak self] in self?.startTasks() }
    }

    private func startTasks() {
        while !isStopped, running.count < parameters.mostAtOnce, !queue.isEmpty {
            let task = queue.removeFirst()
            running.insert(task)
            perform(task)
        }
    }

    /// Performs the next step of a running task.
    func perform(_ task: ChunkTask) {
        switch task.kind {
        case .upload(let part): performUpload(task, part)
        case .delete(let part): performDeletion(task, part)
        case .download: performDownload(task)
        case .acknowledge: performAcknowledgement(task)
        }
    }

    /// Ends a running task.
    func finish(_ task: ChunkTask) {
        running.remove(task)
        transfers[task] = nil
        attempts[task] = nil
        excluded[task] = nil
        startTasks()
    }

    /// Sends a command of a running task. `finish` is not called after the file was abandoned.
    func send(
        _ task: ChunkTask, to server: ServerAddress,
        _ begin: (FileRelaySession, @escaping (FileRelaySession.Answer) -> Void) -> FileTransfer,
        then finish: @escaping (FileRelaySession.Answer, _ lane: Int) -> Void
    ) {
        let key = key(of: task, with: server), session = session(key)
        used[task] = key
        transfers[task] = begin(session) { [weak self] answer in
            guard let self, running.contains(task) else { return }
            transfers[task] = nil
            used[task] = nil
            finish(answer, key.lane)
        }
    }

    /// Repeats a task at once with fewer connections, if the relay may cope better with those.
    ///
    /// - Returns: False if a failed attempt is to be counted.
    func repeatWithFewerConnections(
        _ task: ChunkTask, to server: ServerAddress, lane: Int, after error: FileSessionError
    )
        -> Bool
    {
        let limit = connections(for: task.file, to: server)
        switch error {
        case .timedOut where limit > 1 || lane > 0: break
        // The first connection may be the only one that the relay accepts.
        case .connection where lane > 0: break
        default: return false
        }
        let lowered = max(1, limit / 2)
        connectionLimits[SessionKey(file: task.file, server: server)] = lowered
        closeStalled(lane, lowered, of: task.file, with: server)
        running.remove(task)
        enqueue(task)
        return true
    }

    /// Closes the connection that has stalled, where bytes that the relay does not read fill the window, and those above the
    /// limit: it may be these that the relay reads.
    private func closeStalled(_ lane: Int, _ limit: Int, of file: FileID, with server: ServerAddress) {
        let busy = Set(used.values)
        for (key, session) in sessions where key.file == file && key.server == server && !busy.contains(key) {
            guard key.lane == lane || key.lane >= limit else { continue }
            sessions[key] = nil
            session.close()
        }
    }

    /// The largest number of connections of a file to a relay.
    func connections(for file: FileID, to server: ServerAddress) -> Int {
        connectionLimits[SessionKey(file: file, server: server)] ?? max(1, parameters.mostConnections)
    }

    /// Repeats a task after a pause, in which other tasks run.
    ///
    /// - Returns: The number of failed attempts.
    @discardableResult
    func retry(_ task: ChunkTask) -> Int {
        running.remove(task)
        let attempt = (attempts[task] ?? 0) + 1
        attempts[task] = attempt
        var pause = parameters.firstPause
        for _ in 1..<min(attempt, 30) where pause < parameters.longestPause { pause = pause * 3 / 2 }
        pauses[task] = loop.after(min(pause, parameters.longestPause)) { [weak self] in
            self?.pauses[task] = nil
            self?.enqueue(task)
        }
        startTasks()
        return attempt
    }

    /// The number of failed attempts of a task.
    func failures(of task: ChunkTask) -> Int { attempts[task] ?? 0 }

    /// True if an unfinished transfer is too old to succeed.
    func hasExpired(_ createdAt: Timestamp) -> Bool { createdAt + parameters.lifetime < now() }

    /// Ends all work for a file.
    func abandon(_ id: FileID) {
        cancellations.removeValue(forKey: id)?.set()
        queue.removeAll { $0.file == id }
        for (task, timer) in pauses where task.file == id {
            timer.cancel()
            pauses[task] = nil
        }
        let cancelled = transfers.filter { $0.key.file == id }
        for (task, transfer) in cancelled {
            transfers[task] = nil
            used[task] = nil
            transfer.cancel()
        }
        running = running.filter { $0.file != id }
        stalled.removeValue(forKey: id)?.timer.cancel()
        attempts = attempts.filter { $0.key.file != id }
        excluded = excluded.filter { $0.key.file != id }
        repeated.remove(id)
        endingRedirects[id] = nil
        closeSessions(of: id)
        loop.atEndOfTurn { [weak self] in self?.startTasks() }
    }

    // MARK: - Sessions

    /// The connection for a command: chunks are sent over that with the fewest commands.
    private func key(of task: ChunkTask, with server: ServerAddress) -> SessionKey {
        guard case .upload = task.kind else { return SessionKey(file: task.file, server: server) }
        let lanes = used.values.filter { $0.file == task.file && $0.server == server }.map(\.lane)
        let counts = (0..<connections(for: task.file, to: server)).map { lane in lanes.count { $0 == lane } }
        let lane = counts.indices.min { counts[$0] < counts[$1] } ?? 0
        return SessionKey(file: task.file, server: server, lane: lane)
    }

    private func session(_ key: SessionKey) -> FileRelaySession {
        if let session = sessions[key] { return session }
        // SECURITY: a description may name thousands of relays.
        if sessions.count >= FileTransfers.mostSessions {
            let busy = Set(used.values)
            for (key, session) in sessions where !busy.contains(key) {
                sessions[key] = nil
                session.close()
            }
        }
        let session = FileRelaySession(with: key.server, parameters: parameters.session, loop: loop, random: random) {
            [weak self] event in
            if case .closed = event { self?.sessions[key] = nil }
        }
        sessions[key] = session
        return session
    }

    /// Acknowledges the chunks of a redirect once, without storing the attempt: that ends the link.
    func endRedirect(of id: FileID) {
        guard let replicas = redirects.removeValue(forKey: id), !replicas.isEmpty else { return }
        endingRedirects[id] = replicas.count
        for replica in replicas {
            session(SessionKey(file: id, server: replica.server)).send(
                FileRequest(.fack, entityID: replica.id, key: replica.key)
            ) { [weak self] _ in
                guard let self, let left = endingRedirects[id] else { return }
                endingRedirects[id] = left > 1 ? left - 1 : nil
                closeIfSettled(id)
            }
        }
    }

    /// Closes the sessions of a received file when its relays know of that.
    func closeIfSettled(_ id: FileID) {
        guard endingRedirects[id] == nil, let record = downloads[id], record.stage == .complete,
            record.download.states.allSatisfy({ $0 == .acknowledged })
        else { return }
        closeSessions(of: id)
    }

    func closeSessions(of id: FileID) {
        connectionLimits = connectionLimits.filter { $0.key.file != id }
        for (key, session) in sessions where key.file == id {
            sessions[key] = nil
            session.close()
        }
    }
}

/// A flag that stops work on another thread.
final class CancellationFlag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .relaxed) }

    func set() {
        state.store(true, ordering: .relaxed)
    }
}
