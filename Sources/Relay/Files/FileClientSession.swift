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
        let headers: [HTTP2Header]
        var block: Bytes = []
        /// The bytes behind the block.
        var bodySize = 0
        var result: FileResult?
        var transmission: Transmission?

        /// True for the first and the second request of a browser's handshake, which it may repeat at any time.
        var isWebHello: Bool { headers["xftp-web-hello"] != nil }
        var isWebHandshake: Bool { headers["xftp-handshake"] != nil }
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
    /// True for a browser, which got another certificate.
    private var isWeb = false
    /// The handshake of the connection, which a browser may repeat; nil in version 1.
    private var handshake: (FileRelayHandshake, X25519.PrivateKey)?
    /// True if the hello was sent.
    private var hasGreeted = false
    /// True if a browser has repeated the first request: older pages send the second one without a header.
    private var awaitsHandshake = false
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
        isWeb = tls.isWeb
        guard tls.alpn != nil else {
            // Version 1 (smp-agent.md 10.1).
            open(FileSession(version: 1, sessionID: tls.sessionID), nil)
            return pump()
        }
        let key = X25519.PrivateKey(random: server.random)
        let handshake = FileRelayHandshake(
            sessionID: tls.sessionID, chain: server.certificates.chain.certificates, signer: server.certificates.key,
            key: key.publicKey)
        self.handshake = (handshake, key)
        stage = .hello(handshake, key)
        timer = server.loop.after(server.limits.handshakeDeadline) { [weak self] in self?.end() }
        pump()
    }

    private func open(_ session: FileSession, _ key: X25519.PrivateKey?) {
        timer?.cancel()
        timer = nil
        let server = server, id = id, wasOpen = isOpen
        awaitsHandshake = false
        stage = .open(FileClient(session: session, key: key) { server.mayCreate($0, id) })
        if !wasOpen { server.sessionIsOpen(self) }
    }

    /// Answers a request of the handshake: an empty one with the hello, one with a hello with nothing.
    private func answerHello(
        _ request: Request, _ handshake: FileRelayHandshake, _ key: X25519.PrivateKey
    ) throws(HTTP2Error) -> Bytes? {
        if isWeb ? request.isWebHello : request.block.isEmpty {
            guard let hello = greeting(request, handshake) else { return padded(FileRelayError.handshake.encoded) }
            hasGreeted = true
            awaitsHandshake = true
            return padded(hello.encoded)
        }
        guard hasGreeted || !isWeb else { return padded(FileRelayError.session.encoded) }
        guard let hello = try? FileBlock.content(of: request.block), let session = try? handshake.accept(hello) else {
            return padded(FileRelayError.handshake.encoded)
        }
        open(session, key)
        return nil
    }

    /// The hello for the first request, with a proof for the challenge of a browser; nil for a malformed request.
    private func greeting(_ request: Request, _ handshake: FileRelayHandshake) -> FileServerHello? {
        guard !request.block.isEmpty else { return handshake.hello }
        guard let content = try? FileBlock.content(of: request.block),
            let challenge = try? FileHelloRequest(decoding: content)
        else { return nil }
        return handshake.hello(for: challenge, signer: server.certificates.key)
    }

    private func padded(_ content: Bytes) -> Bytes? {
        // The certificates of a relay take less than 2 KB.
        try? FileBlock.padded(content)
    }

    // MARK: - Receiving

    private func receive(_ bytes: Bytes) {
        lastActive = .now
        do throws(HTTP2Error) {
            try http?.receive(bytes, at: lastActive)
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
                case .head(let stream, let headers): requests[stream] = Request(headers: headers)
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
        let head = bytes.prefix(request.result == nil ? XFTP.blockSize - request.block.count : 0)
        let body = head.count == bytes.count ? [] : Bytes(bytes.dropFirst(head.count))
        request.block += head
        let isHandshake = isWeb && (request.isWebHello || request.isWebHandshake || awaitsHandshake)
        if request.block.count == XFTP.blockSize, request.result == nil, !isHandshake, case .open(let client) = stage {
            delay(commandAllowance.take(1, at: lastActive))
            (request.result, request.transmission) = server.core.execute(request.block, of: client)
            // Uploads can be many, and need the block no longer.
            request.block = []
            if case .upload(let upload) = request.result, let error = server.begin(upload, of: id) {
                request.result = .answer(.err(error))
            }
        }
        request.bodySize += body.count
        if case .upload(let upload) = request.result {
            server.core.write(body, to: upload)
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
        if isWeb, request.headers[":method"] != "POST" { return try answerPage(request, stream) }
        switch stage {
        case .hello(let handshake, let key):
            try respond(to: stream, try answerHello(request, handshake, key) ?? [])
        case .open:
            let isHandshake = request.isWebHello || request.isWebHandshake || awaitsHandshake
            if isWeb, isHandshake, let (handshake, key) = handshake {
                return try respond(to: stream, try answerHello(request, handshake, key) ?? [])
            }
            switch request.result {
            case .upload(let upload): server.finish(upload, of: self, stream, request.transmission)
            case .answer(let answer): try self.answer(answer, stream, request.transmission)
            case .download(let answer, let download):
                try self.answer(answer, stream, request.transmission, download)
            case nil:
                delay(commandAllowance.take(1, at: lastActive))
                try self.answer(.err(.block), stream, nil)
            }
        case .silent, .tls, .closed: break
        }
    }

    /// Answers a request of a browser other than POST: pages of all sites may use the relay (CORS), and it has none itself.
    private func answerPage(_ request: Request, _ stream: HTTP2StreamID) throws(HTTP2Error) {
        let isPreflight = request.headers[":method"] == "OPTIONS"
        let headers: [HTTP2Header] =
            isPreflight
            ? .status(200) + [
                HTTP2Header("access-control-allow-origin", "*"),
                HTTP2Header("access-control-allow-methods", "POST, OPTIONS"),
                HTTP2Header("access-control-allow-headers", "*"), HTTP2Header("access-control-max-age", "86400"),
            ]
            : .status(404)
        try respond(to: stream, [], headers: headers)
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
        to stream: HTTP2StreamID, _ block: Bytes, _ download: ChunkDownload? = nil, headers: [HTTP2Header]? = nil
    ) throws(HTTP2Error) {
        var isFirst = true
        let page = [
            HTTP2Header("access-control-allow-origin", "*"), HTTP2Header("access-control-expose-headers", "*"),
        ]
        do throws(HTTP2Error) {
            try http?.respond(to: stream, headers ?? .status(200) + (isWeb ? page : [])) { limit in
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
