import ByteCoding
import CryptoCore
import HTTP2
import SMPProtocol
import SecureTransport
import Store
import SystemIO
import XFTPProtocol

/// The file relay of a server: its connections, uploads and periodic work, on the loop of the ``RelayServer``.
final class FileServer {
    let core: FileCore
    let loop: EventLoop
    let context: TLSContext
    let certificates: RelayCertificates
    let random: any RandomSource
    var limits: RelayLimits
    /// Called when the handshake of a connection is complete.
    var whenOpen: (ClientID) -> Void = { _ in }
    /// Called when a connection has ended; the flag is true for one with a complete handshake.
    var whenEnded: (ClientID, Bool) -> Void = { _, _ in }
    /// Called when a client exceeded its rate.
    var whenDelayed: () -> Void = {}
    /// Returns true if the range of a connection may create another chunk in this hour.
    var mayCreateInHour: (ClientID) -> Bool = { _ in true }
    /// Returns the address of a connection.
    var source: (ClientID) -> UploadPlaces.Source? = { _ in nil }
    /// Called when an address has too many uploads.
    var whenUploadsLimited: (ClientID) -> Void = { _ in }
    /// Called when an address has used its space.
    var whenSpaceLimited: (ClientID) -> Void = { _ in }

    private let isDurable: Bool
    private var sessions: [ClientID: FileClientSession] = [:]
    private var uploads = UploadPlaces()
    private var expiryTimer: Timer?
    private var isStopped = false

    /// The number of chunks removed in one step of expiry.
    private static let expiryStep = 50
    /// The time between two steps of expiry.
    private static let stepInterval = Duration.milliseconds(50)

    /// Opens the store of a relay.
    ///
    /// - Throws: ``RelayError``.
    init(
        _ folder: RelayFolder, on loop: EventLoop, limits: RelayLimits, clock: @escaping () -> Timestamp,
        random: any RandomSource
    ) throws(RelayError) {
        self.loop = loop
        self.limits = limits
        self.random = random
        certificates = folder.certificates
        isDurable = folder.settings.durability == .full
        let web = try folder.webCertificate()
        do throws(CryptoError) {
            context = try TLSContext(serverWith: folder.certificates, alpn: XFTP.alpn, web: web)
        } catch {
            throw web == nil ? .cryptography : .webCertificate(nil)
        }
        core = try folder.openFiles(folder.fileRules(limits), limits, clock: clock, random: random)
    }

    /// The number of connections.
    var sessionCount: Int { sessions.count }

    // MARK: - Connections

    /// Serves an accepted connection; false if it ended meanwhile.
    func serve(_ id: ClientID, _ socket: consuming FileDescriptor) -> Bool {
        guard let session = try? FileClientSession(id, socket, of: self) else { return false }
        sessions[id] = session
        return true
    }

    /// Closes a connection in favour of another one, with a report.
    func close(_ id: ClientID) {
        guard let session = sessions[id] else { return }
        session.close()
        sessionHasEnded(session, wasOpen: false)
    }

    /// Closes the connections that were silent for longer than the limit.
    func closeIdle() {
        for session in sessions.values
        where session.isOpen && ContinuousClock.now - session.lastActive > limits.idleLimit {
            session.close()
            sessionHasEnded(session, wasOpen: true)
        }
    }

    func sessionIsOpen(_ session: FileClientSession) {
        whenOpen(session.id)
    }

    func sessionHasEnded(_ session: FileClientSession, wasOpen: Bool) {
        sessions[session.id] = nil
        whenEnded(session.id, wasOpen)
    }

    func noteDelay() {
        whenDelayed()
    }

    /// Closes all connections. Stored chunks stay.
    func stop() {
        isStopped = true
        expiryTimer?.cancel()
        let all = sessions
        sessions = [:]
        for session in all.values { session.close() }
    }

    // MARK: - Uploads

    /// Returns true if the address of a connection may create another chunk, of so many bytes.
    func mayCreate(_ size: Int, _ id: ClientID) -> Bool { hasSpace(size, id) && mayCreateInHour(id) }

    /// Returns true if a chunk fits into the space of the address of a connection, besides those that it uploads.
    private func hasSpace(_ size: Int, _ id: ClientID) -> Bool {
        guard let source = source(id) else { return true }
        let bytes = size + uploads.bytes(of: source.network)
        if core.store.shares.hasRoom(bytes, for: source, limit: limits.spacePerAddress) { return true }
        whenSpaceLimited(id)
        return false
    }

    /// Adds an upload of a connection. Ends it and returns the error, if its address has too many or no space.
    func begin(_ upload: ChunkUpload, of id: ClientID) -> FileRelayError? {
        guard hasSpace(Int(upload.chunk.size), id) else {
            core.statistics.refusedFiles += 1
            upload.fail(.quota)
            _ = core.end(upload)
            return .quota
        }
        let decision = uploads.add(
            upload, from: source(id), limit: limits.uploadsPerAddress, silence: limits.uploadYield, at: .now)
        switch decision {
        case .accepted: return nil
        case .replaced(let silent):
            abandon(silent, with: .timeout)
            core.statistics.limitedUploads += 1
            whenUploadsLimited(id)
            return nil
        case .refused:
            upload.fail(.timeout)
            _ = core.end(upload)
            core.statistics.limitedUploads += 1
            whenUploadsLimited(id)
            return .timeout
        }
    }

    /// Completes an upload whose bytes have arrived, and answers it. Waiting for the disk is the work of another thread.
    func finish(
        _ upload: ChunkUpload, of session: FileClientSession, _ stream: HTTP2StreamID, _ transmission: Transmission?
    ) {
        let source = uploads.source(of: upload)
        guard uploads.remove(upload) else {
            return session.answerUpload(.err(upload.failure ?? .timeout), stream, transmission)
        }
        upload.finish()
        guard upload.failure == nil else {
            return session.answerUpload(core.end(upload), stream, transmission)
        }
        let publishing = upload.publishing(durably: isDurable)
        guard isDurable else { return publish(upload, of: source, publishing(), session, stream, transmission) }
        loop.offload(publishing) { [weak self, weak session] failure in
            self?.publish(upload, of: source, failure, session, stream, transmission)
        }
    }

    private func publish(
        _ upload: ChunkUpload, of source: UploadPlaces.Source?, _ failure: FileRelayError?,
        _ session: FileClientSession?, _ stream: HTTP2StreamID, _ transmission: Transmission?
    ) {
        if let failure { upload.fail(failure) }
        let answer = core.end(upload, of: source)
        if !isStopped { session?.answerUpload(answer, stream, transmission) }
    }

    /// Ends an upload that will not be completed.
    func abandon(_ upload: ChunkUpload, with error: FileRelayError) {
        guard uploads.remove(upload) else { return }
        upload.fail(error)
        _ = core.end(upload)
    }

    // MARK: - Periodic work

    /// Ends uploads that are silent or too slow, so that they do not use space and places for hours.
    func look() {
        let now = ContinuousClock.now
        for upload in uploads.all
        where now - upload.started > limits.uploadDeadline
            || upload.isSlow(silence: limits.uploadSilence, rate: limits.uploadRate, at: now)
        {
            core.statistics.slowUploads += 1
            abandon(upload, with: .timeout)
        }
    }

    /// Removes expired chunks in small steps.
    func expire() {
        guard !isStopped else { return }
        // The next round tries again what the disk refuses now.
        guard (try? core.expire(limit: FileServer.expiryStep)) == true else { return }
        expiryTimer = loop.after(FileServer.stepInterval) { [weak self] in self?.expire() }
    }
}
