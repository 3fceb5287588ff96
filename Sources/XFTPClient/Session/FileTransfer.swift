import ByteCoding
import CryptoCore
import HTTP2
import SMPProtocol
import SystemIO
import XFTPProtocol

/// A command on its way to a file relay, with the chunk that it carries in one direction.
///
/// Memory is flat: of a chunk, only the parts in the buffers of the connection are held.
public final class FileTransfer {
    /// The use of the body behind the block.
    enum Content {
        /// There is none.
        case command
        /// The chunk follows the request.
        case upload(ChunkFile)
        /// The chunk follows the response.
        case download(ChunkFile, digest: Bytes, X25519.PrivateKey)
    }

    let request: FileRequest
    private let content: Content
    /// The time limit of the whole command, counted from the opening of the session on.
    private let deadline: Duration
    /// The time limit for progress while the chunk is sent; nil for that of every response.
    private let stallDeadline: Duration?
    private let progress: (Int) -> Void
    private var completion: ((FileRelaySession.Answer) -> Void)?
    /// Called when the transfer has ended, by itself or by ``cancel()``.
    var ended: ((FileTransfer) -> Void)?
    var stream: HTTP2StreamID?

    private var session: FileSession?
    private var correlationID = CorrelationID.empty
    private var timer: Timer?
    private var loop: EventLoop?
    private var answerDeadline = Duration.zero
    private var started = ContinuousClock.now
    private var lastProgress = ContinuousClock.now
    private var block: Bytes = []
    private var answer: FileAnswer?
    private var opening: OpeningBox?
    private var position = 0
    private var failure: FileSessionError?

    init(
        _ request: FileRequest, _ content: Content, deadline: Duration, stallDeadline: Duration? = nil,
        progress: @escaping (Int) -> Void = { _ in }, finish: @escaping (FileRelaySession.Answer) -> Void
    ) {
        self.request = request
        self.content = content
        self.deadline = deadline
        self.stallDeadline = stallDeadline
        self.progress = progress
        completion = finish
    }

    /// Ends the transfer without a call of its `finish`.
    public func cancel() {
        completion = nil
        end()
    }

    var isFinished: Bool { completion == nil }

    /// True if a chunk follows the request.
    var isUpload: Bool { if case .upload = content { true } else { false } }

    /// True if the chunk of an upload that was begun is not sent completely. The relay may never read what it has of that.
    var leavesChunk: Bool {
        if session != nil, case .upload(let chunk) = content { position < chunk.size } else { false }
    }

    func begin(_ session: FileSession, _ correlationID: CorrelationID, loop: EventLoop, answerDeadline: Duration) {
        self.session = session
        self.correlationID = correlationID
        self.loop = loop
        self.answerDeadline = answerDeadline
        started = .now
        lastProgress = .now
        startTimer(after: progressDeadline)
    }

    func finish(_ result: FileRelaySession.Answer) {
        guard let completion = completion.take() else { return }
        end()
        completion(result)
    }

    private func end() {
        timer?.cancel()
        timer = nil
        opening = nil
        let ended = ended
        self.ended = nil
        ended?(self)
    }

    // MARK: - Deadlines

    /// The time limit for the next progress.
    private var progressDeadline: Duration { leavesChunk ? stallDeadline ?? answerDeadline : answerDeadline }

    /// SECURITY: both a silent relay and one that sends single bytes end a transfer with a timeout.
    private func startTimer(after delay: Duration) {
        timer = loop?.after(delay) { [weak self] in
            guard let self else { return }
            let now = ContinuousClock.now
            let rest = min(progressDeadline - (now - lastProgress), deadline - (now - started))
            guard rest > .zero else { return finish(.failure(.timedOut)) }
            startTimer(after: rest)
        }
    }

    // MARK: - The request

    /// The producer of the chunk behind the block of an upload.
    var body: HTTP2Body? {
        guard case .upload(let chunk) = content else { return nil }
        return { [weak self] count in self?.part(of: chunk, count) ?? .failed }
    }

    private func part(of chunk: ChunkFile, _ count: Int) -> HTTP2Piece {
        do throws(SystemError) {
            let bytes = try chunk.read(count, at: position)
            position += bytes.count
            progress(position)
            return position == chunk.size ? .last(bytes) : .bytes(bytes)
        } catch {
            failure = .file(error)
            return .failed
        }
    }

    // MARK: - The response

    private func receive(_ bytes: Bytes) throws(FileSessionError) {
        let missing = XFTP.blockSize - block.count
        guard missing > 0 else { return try receiveChunk(bytes) }
        block += bytes.prefix(missing)
        guard block.count == XFTP.blockSize else { return }
        try readAnswer()
        let rest = bytes.dropFirst(missing)
        if !rest.isEmpty { try receiveChunk(Bytes(rest)) }
    }

    private func readAnswer() throws(FileSessionError) {
        guard let session, let transmission = try? FileBlock.decode(block, session: session),
            transmission.correlationID == correlationID,
            let answer = try? FileAnswer(decoding: transmission.command)
        else { throw .unexpectedAnswer }
        if case .err(let error) = answer { throw .refused(error) }
        guard request.command.accepts(answer) else { throw .unexpectedAnswer }
        self.answer = answer
        guard case .file(let key, let nonce) = answer, case .download(let chunk, let digest, let privateKey) = content
        else { return }
        do throws(CryptoError) {
            opening = OpeningBox(
                try ChunkOpening(
                    size: UInt32(chunk.size), digest: digest, privateKey: privateKey, key: key, nonce: nonce))
        } catch {
            throw .unexpectedAnswer
        }
    }

    private func receiveChunk(_ bytes: Bytes) throws(FileSessionError) {
        guard let opening, case .download(let chunk, _, _) = content else { throw .unexpectedAnswer }
        let part: Bytes
        do throws(FileDecryptionError) {
            part = try opening.decrypt(bytes)
        } catch {
            throw .wrongChunk(error)
        }
        do throws(SystemError) {
            try chunk.write(part, at: position)
        } catch {
            throw .file(error)
        }
        position += part.count
        progress(position)
    }

    /// Checks the complete response.
    private func complete() throws(FileSessionError) -> FileAnswer {
        guard let answer else { throw .unexpectedAnswer }
        guard let opening = opening.take() else { return answer }
        do throws(FileDecryptionError) {
            try opening.finish()
        } catch {
            throw .wrongChunk(error)
        }
        return answer
    }
}

extension FileTransfer: HTTPExchanges.Receiver {
    func exchangeReceived(_ bytes: Bytes) -> Bool {
        lastProgress = .now
        do throws(FileSessionError) {
            try receive(bytes)
            return true
        } catch {
            finish(.failure(error))
            return false
        }
    }

    func exchangeSent() {
        lastProgress = .now
    }

    func exchangeEnded(_ error: FileSessionError?) {
        // The stream is gone.
        stream = nil
        if let error = failure ?? error { return finish(.failure(error)) }
        do throws(FileSessionError) {
            finish(.success(try complete()))
        } catch {
            finish(.failure(error))
        }
    }
}

/// The decryption of a chunk during its download.
private final class OpeningBox {
    private var chunk: ChunkOpening?

    init(_ chunk: consuming ChunkOpening) {
        self.chunk = consume chunk
    }

    func decrypt(_ bytes: Bytes) throws(FileDecryptionError) -> Bytes {
        try chunk?.decrypt(bytes) ?? []
    }

    /// Checks the whole chunk. Called once.
    func finish() throws(FileDecryptionError) {
        try chunk.take()?.finish()
    }
}

extension FileCommand {
    /// Returns true if the response belongs to the command.
    fileprivate func accepts(_ answer: FileAnswer) -> Bool {
        switch (self, answer) {
        case (.fnew(let chunk), .sids(_, let ids)): ids.count == chunk.recipientKeys.count
        case (.fadd(let keys), .rids(let ids)): ids.count == keys.count
        case (.fput, .ok), (.fdel, .ok), (.fack, .ok), (.fget, .file), (.ping, .pong): true
        default: false
        }
    }
}
