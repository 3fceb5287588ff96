import ByteCoding
import CryptoCore
import HTTP2
import SMPProtocol
import SecureTransport
import SystemIO
import XFTPProtocol

/// A connection of a file client: TLS, HTTP/2, the handshake in two requests, then a command in each request
/// (smp-agent.md 10.1, 10.2).
///
/// A request is answered after its end. The windows of HTTP/2 bound what a client can send before its bytes are on the way to
/// the disk, and a response is produced as the client accepts it. A client that exceeds its rate is not read for a while.
final class FileClientSession {
    private enum Stage {
        case silent
        case tls
        /// The hello of the relay was not sent, or was sent and not answered.
        case hello(FileRelayHandshake, X25519.PrivateKey)
        case open(FileClient)
        case closed
    }

    /// A request that is arriving.
    private struct Request {
        var block: Bytes = []
        /// The bytes behind the block.
        var bodySize = 0
        var result: FileResult?
        var transmission: Transmission?
    }

    let id: ClientID
    private unowned let server: FileServer
    private var stage = Stage.silent
    /// The socket, until the first byte arrives.
    private var silent: SilentSocket?
    private var connection: TLSConnection?
    private var http: HTTP2Session?
    private var requests: [HTTP2StreamID: Request] = [:]
    private var timer: Timer?
    private var byteAllowance: Allowance
    private var commandAllowance: Allowance
    private var isDelayed = false
    private var willPump = false
    /// The time of the last bytes of the client.
    private(set) var lastActive = ContinuousClock.now

    /// The unsent bytes above which no further output is produced.
    private static let outputLimit = 128 << 10
    /// The output produced in one turn, before other connections.
    private static let fairShare = 256 << 10
    /// The size of a body that is skipped; a longer one ends its stream.
    private static let skipLimit = 8 << 20

    init(_ id: ClientID, _ socket: consuming FileDescriptor, of server: FileServer) throws(ConnectionError) {
        self.id = id
        self.server = server
        let limits = server.limits
        byteAllowance = Allowance(rate: limits.byteRate, burst: limits.burst, at: lastActive)
        commandAllowance = Allowance(rate: limits.commandRate, burst: limits.burst, at: lastActive)
        silent = try SilentSocket(socket, on: server.loop, deadline: server.limits.handshakeDeadline) {
            [unowned self] socket in
            beginTLS(socket)
        } late: {
            [weak self] in
            self?.end()
        }
    }

    private func beginTLS(_ socket: consuming FileDescriptor) {
        silent = nil
        stage = .tls
        do throws(ConnectionError) {
            let connection = try TLSConnection(
                socket, side: .server, context: server.context, loop: server.loop, blockSize: nil,
                handshakeDeadline: server.limits.handshakeDeadline, writeDeadline: server.limits.writeDeadline
            ) { [unowned self] event in
                switch event {
                case .secured(let session): greet(session)
                case .block(let bytes): receive(bytes)
                case .closed: end()
                }
            }
            connection.whenDrained = { [unowned self] in pump() }
            self.connection = connection
        } catch {
            end()
        }
    }

    /// True if the handshake is complete and the connection is open.
    var isOpen: Bool {
        if case .open = stage { true } else { false }
    }

    /// Closes the connection without a report.
    func close() {
        stage = .closed
        timer?.cancel()
        silent = nil
        connection?.close()
        connection = nil
        http = nil
        let open = requests
        requests = [:]
        for request in open.values { abandon(request) }
    }

    private func end() {
        if case .closed = stage { return }
        let wasOpen = isOpen
        close()
        server.sessionHasEnded(self, wasOpen: wasOpen)
    }

    // MARK: - Handshake

    private func greet(_ tls: TLSSession) {
        var limits = HTTP2Limits()
        limits.streams = server.limits.fileStreams
        do throws(HTTP2Error) {
            http = try HTTP2Session(.server, limits: limits)
        } catch {
            return end()
        }
        guard tls.alpn != nil else {
            // Version 1 (smp-agent.md 10.1).
            open(FileSession(version: 1, sessionID: tls.sessionID), nil)
            return pump()
        }
        let key = X25519.PrivateKey(random: server.random)
        let handshake = FileRelayHandshake(
            sessionID: tls.sessionID, chain: server.certificates.chain.certificates, signer: server.certificates.key,
            key: key.publicKey)
        stage = .hello(handshake, key)
        timer = server.loop.after(server.limits.handshakeDeadline) { [weak self] in self?.end() }
        pump()
    }

    private func open(_ session: FileSession, _ key: X25519.PrivateKey?) {
        timer?.cancel()
        timer = nil
        let server = server, id = id
        stage = .open(FileClient(session: session, key: key) { server.mayCreate(id) })
        server.sessionIsOpen(self)
    }

    /// Answers a request before the handshake is complete: an empty one with the hello, one with a hello with nothing.
    private func answerHello(_ block: Bytes, _ handshake: FileRelayHandshake, _ key: X25519.PrivateKey)
        throws(HTTP2Error) -> Bytes?
    {
        if block.isEmpty { return padded(handshake.hello.encoded) }
        guard let hello = try? FileBlock.content(of: block), let session = try? handshake.accept(hello) else {
            var writer = ByteWriter()
            writer.value(FileRelayError.handshake)
            return padded(writer.bytes)
        }
        open(session, key)
        return nil
    }

    private func padded(_ content: Bytes) -> Bytes? {
        // The certificates of a relay take less than 2 KB.
        try? FileBlock.padded(content)
    }

    // MARK: - Receiving

    private func receive(_ bytes: Bytes) {
        lastActive = .now
        do throws(HTTP2Error) {
            try http?.receive(bytes)
            try handleEvents()
        } catch {
            return end()
        }
        guard connection != nil else { return }
        delay(byteAllowance.take(bytes.count, at: lastActive))
        pump()
    }

    private func delay(_ delay: Duration) {
        guard delay > .zero, !isDelayed else { return }
        server.noteDelay()
        isDelayed = true
        connection?.pauseReading()
        server.loop.after(delay) { [weak self] in
            self?.isDelayed = false
            self?.connection?.resumeReading()
        }
    }

    private func handleEvents() throws(HTTP2Error) {
        while let events = http?.takeEvents(), !events.isEmpty {
            for event in events {
                switch event {
                case .head(let stream, _): requests[stream] = Request()
                case .body(let stream, let bytes):
                    try take(bytes, of: stream)
                    try http?.consume(bytes.count, of: stream)
                case .end(let stream): try finish(stream)
                case .closed(let stream, _):
                    if let request = requests.removeValue(forKey: stream) { abandon(request) }
                case .goAway: break
                }
            }
        }
    }

    private func take(_ bytes: Bytes, of stream: HTTP2StreamID) throws(HTTP2Error) {
        guard var request = requests.removeValue(forKey: stream) else { return }
        let head = bytes.prefix(XFTP.blockSize - request.block.count)
        let body = head.count == bytes.count ? [] : Bytes(bytes.dropFirst(head.count))
        request.block += head
        if request.block.count == XFTP.blockSize, request.result == nil, case .open(let client) = stage {
            delay(commandAllowance.take(1, at: lastActive))
            (request.result, request.transmission) = server.core.execute(request.block, of: client)
            if case .upload(let upload) = request.result { server.uploadBegins(upload) }
        }
        request.bodySize += body.count
        if case .upload(let upload) = request.result {
            upload.write(body)
        } else if request.bodySize > FileClientSession.skipLimit {
            return try reset(stream)
        }
        requests[stream] = request
    }

    private func reset(_ stream: HTTP2StreamID) throws(HTTP2Error) {
        try http?.reset(stream, .excess)
    }

    /// Answers a complete request.
    private func finish(_ stream: HTTP2StreamID) throws(HTTP2Error) {
        guard let request = requests.removeValue(forKey: stream) else { return }
        switch stage {
        case .hello(let handshake, let key):
            try respond(to: stream, try answerHello(request.block, handshake, key) ?? [])
        case .open:
            switch request.result {
            case .upload(let upload): server.finish(upload, of: self, stream, request.transmission)
            case .answer(let answer): try self.answer(answer, stream, request.transmission)
            case .download(let answer, let download):
                try self.answer(answer, stream, request.transmission, download)
            case nil: try self.answer(.err(.block), stream, nil)
            }
        case .silent, .tls, .closed: break
        }
    }

    /// Gives up a request that was not completed.
    private func abandon(_ request: Request) {
        if case .upload(let upload) = request.result { server.abandon(upload, with: .timeout) }
    }

    // MARK: - Sending

    /// Answers an upload after the work of another thread.
    func answerUpload(_ answer: FileAnswer, _ stream: HTTP2StreamID, _ transmission: Transmission?) {
        do throws(HTTP2Error) {
            try self.answer(answer, stream, transmission)
        } catch {
            return end()
        }
        pump()
    }

    private func answer(
        _ answer: FileAnswer, _ stream: HTTP2StreamID, _ transmission: Transmission?, _ download: ChunkDownload? = nil
    ) throws(HTTP2Error) {
        guard case .open(let client) = stage else { return }
        func block(_ answer: FileAnswer) -> Bytes? {
            let transmission = Transmission(
                correlationID: transmission?.correlationID ?? .empty, entityID: transmission?.entityID ?? .empty,
                command: answer.encoded(version: client.session.version))
            return try? FileBlock.encode(transmission, session: client.session)
        }
        // The ids of the longest list of keys take less space than the keys.
        guard let block = block(answer) ?? block(.err(.internal)) else { return try reset(stream) }
        try respond(to: stream, block, download)
    }

    private func respond(
        to stream: HTTP2StreamID, _ block: Bytes, _ download: ChunkDownload? = nil
    ) throws(HTTP2Error) {
        var isFirst = true
        do throws(HTTP2Error) {
            try http?.respond(to: stream, .status(200)) { limit in
                defer { isFirst = false }
                if isFirst { return download == nil ? .last(block) : .bytes(block) }
                return download?.next(limit) ?? .failed
            }
        } catch {
            // The client has reset the stream.
            guard error == .unknownStream else { throw error }
        }
    }

    /// Sends as much as the client accepts, up to the fair share of a turn.
    private func pump() {
        var produced = 0
        while let connection, let http, connection.unsentBytes < FileClientSession.outputLimit {
            let output: Bytes
            do throws(HTTP2Error) {
                output = try http.output()
                // Streams end with their last output.
                try handleEvents()
            } catch {
                return end()
            }
            guard !output.isEmpty else { break }
            connection.send(output)
            produced += output.count
            if produced >= FileClientSession.fairShare { return pumpLater() }
        }
        if http?.isFinished == true { end() }
    }

    private func pumpLater() {
        guard !willPump else { return }
        willPump = true
        server.loop.after(.zero) { [weak self] in
            self?.willPump = false
            self?.pump()
        }
    }
}
