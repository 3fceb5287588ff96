public import ByteCoding
public import CryptoCore
import HTTP2
public import SMPProtocol
import SecureTransport
public import SystemIO
public import XFTPProtocol

/// A connection to one file relay (smp-agent.md 10). It starts to connect on creation; commands wait until it is open.
///
/// All methods are called on the loop's thread.
public final class FileRelaySession {
    /// An event of a session.
    public enum Event {
        /// The session is open for commands.
        case opened
        /// The session could not be opened or has ended; the last event.
        case closed(FileSessionError)
    }

    /// The response to a command, or the reason of its failure. `ERR` is ``FileSessionError/refused(_:)``.
    public typealias Answer = Result<FileAnswer, FileSessionError>

    private enum State {
        /// There is no connection. The next command opens one.
        case idle
        case opening(FileSessionOpening)
        case open(HTTPExchanges, FileSession)
        case closed
    }

    /// The relay.
    public let server: ServerAddress
    private let parameters: FileSessionParameters
    private let loop: EventLoop
    private let random: any RandomSource
    private var state = State.closed
    private var handler: ((Event) -> Void)?
    private var waiting: [FileTransfer] = []
    private var running: [ObjectIdentifier: FileTransfer] = [:]

    /// Creates a session and starts to connect.
    ///
    /// - Parameter handler: Called with each event of the session.
    public init(
        with server: ServerAddress, parameters: FileSessionParameters = FileSessionParameters(), loop: EventLoop,
        random: any RandomSource = SystemRandom(), handler: @escaping (Event) -> Void = { _ in }
    ) {
        self.server = server
        self.parameters = parameters
        self.loop = loop
        self.random = random
        self.handler = handler
        open()
    }

    private func open() {
        let opening = FileSessionOpening(
            server, parameters: parameters, loop: loop, random: random,
            failed: { [weak self] error in self?.end(with: error, reporting: true) },
            handler: { [weak self] result in self?.finishOpening(result) })
        state = .opening(opening)
    }

    deinit {
        close()
    }

    /// Ends the session without an event. Commands without a response fail with ``FileSessionError/connection(_:)``.
    public func close() {
        end(with: .connection(.closed), reporting: false)
    }

    /// The agreed version, while the session is open.
    public var version: UInt16? {
        if case .open(_, let session) = state { session.version } else { nil }
    }

    private func finishOpening(_ result: Result<FileSessionOpening.Opened, FileSessionError>) {
        switch result {
        case .success((let exchanges, let session)):
            state = .open(exchanges, session)
            handler?(.opened)
            startWaiting()
        case .failure(let error): end(with: error, reporting: true)
        }
    }

    private func end(with error: FileSessionError, reporting: Bool) {
        let state = state
        self.state = .closed
        switch state {
        case .opening(let opening): opening.cancel()
        case .open(let exchanges, _): exchanges.close(error)
        case .idle: break
        case .closed: return
        }
        let handler = handler
        self.handler = nil
        let transfers = waiting + running.values
        waiting = []
        running = [:]
        for transfer in transfers { transfer.finish(.failure(error)) }
        if reporting { handler?(.closed(error)) }
    }

    // MARK: - Commands

    /// Sends a command without a chunk and calls `finish` once with the response.
    @discardableResult
    public func send(_ request: FileRequest, finish: @escaping (Answer) -> Void) -> FileTransfer {
        begin(FileTransfer(request, .command, deadline: parameters.transferDeadline(size: 0), finish: finish))
    }

    /// Uploads a created chunk (FPUT). The response is ``FileAnswer/ok``. Another upload waits until this one has its response.
    ///
    /// - Parameters:
    ///   - canStall: True to end the upload after ``FileSessionParameters/stallDeadline`` without progress.
    ///   - progress: Called with the number of bytes of the chunk that were sent.
    @discardableResult
    public func upload(
        _ chunk: ChunkFile, id: EntityID, key: AuthorizationPrivateKey, canStall: Bool = false,
        progress: @escaping (Int) -> Void = { _ in }, finish: @escaping (Answer) -> Void
    ) -> FileTransfer {
        begin(
            FileTransfer(
                FileRequest(.fput, entityID: id, key: key), .upload(chunk),
                deadline: parameters.transferDeadline(size: Int64(chunk.size)),
                stallDeadline: canStall ? parameters.stallDeadline : nil, progress: progress, finish: finish))
    }

    /// Downloads a chunk (FGET) and checks its size and digest. After ``FileAnswer/file(key:nonce:)`` the chunk is in the
    /// file; after an error the file may hold a part of it.
    ///
    /// - Parameters:
    ///   - digest: The SHA-256 of the chunk.
    ///   - progress: Called with the number of bytes of the chunk that were written.
    @discardableResult
    public func download(
        into chunk: ChunkFile, digest: Bytes, id: EntityID, key: AuthorizationPrivateKey,
        progress: @escaping (Int) -> Void = { _ in }, finish: @escaping (Answer) -> Void
    ) -> FileTransfer {
        let privateKey = X25519.PrivateKey(random: random)
        return begin(
            FileTransfer(
                FileRequest(.fget(privateKey.publicKey), entityID: id, key: key),
                .download(chunk, digest: digest, privateKey),
                deadline: parameters.transferDeadline(size: Int64(chunk.size)), progress: progress, finish: finish))
    }

    private func begin(_ transfer: FileTransfer) -> FileTransfer {
        transfer.ended = { [weak self] transfer in self?.forget(transfer) }
        switch state {
        case .idle:
            waiting.append(transfer)
            open()
        case .opening: waiting.append(transfer)
        case .open:
            waiting.append(transfer)
            startWaiting()
        case .closed:
            // Callers are never called back before the method returns.
            loop.atEndOfTurn { transfer.finish(.failure(.connection(.closed))) }
        }
        return transfer
    }

    /// Sends the commands that may be sent now, in their order.
    private func startWaiting() {
        while case .open = state, running.count < parameters.mostRequests {
            let isUploading = running.values.contains(where: \.isUpload)
            guard let index = waiting.firstIndex(where: { !$0.isUpload || !isUploading }) else { return }
            start(waiting.remove(at: index))
        }
    }

    private func start(_ transfer: FileTransfer) {
        guard case .open(let exchanges, let session) = state, !transfer.isFinished else { return }
        running[ObjectIdentifier(transfer)] = transfer
        do throws(FileSessionError) {
            let (block, correlationID) = try transfer.request.block(in: session, random: random)
            transfer.begin(session, correlationID, loop: loop, answerDeadline: parameters.answerDeadline)
            transfer.stream = try exchanges.post(block, then: transfer.body, receiver: transfer)
        } catch {
            loop.atEndOfTurn { [weak self] in
                transfer.finish(.failure(error))
                // A connection that takes no further streams is of no use.
                if case .connection = error { self?.end(with: error, reporting: true) }
            }
        }
    }

    private func forget(_ transfer: FileTransfer) {
        running[ObjectIdentifier(transfer)] = nil
        waiting.removeAll { $0 === transfer }
        guard case .open(let exchanges, _) = state else { return }
        if let stream = transfer.stream { exchanges.cancel(stream) }
        guard transfer.leavesChunk else { return startWaiting() }
        // What the relay has not read of the chunk keeps the window of this connection small.
        state = .idle
        exchanges.close(.connection(.closed))
        let others = running.values
        running = [:]
        for other in others { other.finish(.failure(.connection(.closed))) }
        if case .idle = state, !waiting.isEmpty { open() }
    }
}
