import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol
import SecureTransport
import SystemIO
import XFTPProtocol

/// The opening of a session: connecting, TLS handshake, HTTP/2, the relay's hello, the client's hello. The hosts of the
/// address are tried in order.
final class FileSessionOpening {
    typealias Opened = (exchanges: HTTPExchanges, session: FileSession)

    private let server: ServerAddress
    private let parameters: FileSessionParameters
    private let loop: EventLoop
    private let random: any RandomSource
    private var handler: ((Result<Opened, FileSessionError>) -> Void)?
    private let failed: (FileSessionError) -> Void
    private var hosts: ArraySlice<TransportHost> = []
    private var authority = ""
    private var dialer: Dialer?
    private var connection: TLSConnection?
    private var exchanges: HTTPExchanges?
    private var handshake: FileClientHandshake?
    private var reply: HelloReply?
    private var timer: Timer?
    /// The timer of the attempt with all hosts.
    private var openingTimer: Timer?

    /// Starts the opening. The handler is called once, on the loop's thread, and never after ``cancel()``.
    ///
    /// - Parameter failed: Called when the opened connection ends by itself.
    init(
        _ server: ServerAddress, parameters: FileSessionParameters, loop: EventLoop, random: any RandomSource,
        failed: @escaping (FileSessionError) -> Void,
        handler: @escaping (Result<Opened, FileSessionError>) -> Void
    ) {
        self.server = server
        self.parameters = parameters
        self.loop = loop
        self.random = random
        self.failed = failed
        self.handler = handler
        loop.atEndOfTurn { [weak self] in self?.start() }
    }

    deinit {
        cancel()
    }

    func cancel() {
        handler = nil
        openingTimer?.cancel()
        release()
    }

    // MARK: - Connecting

    private func start() {
        guard handler != nil else { return }
        do throws(RouteError) {
            hosts = try parameters.route.hosts(of: server)[...]
            // SECURITY: a contact may name many hosts that do not respond.
            openingTimer = loop.after(parameters.openingDeadline) { [weak self] in
                self?.finish(.failure(.connection(.timedOut(.connecting))))
            }
            tryNext(.connection(.unknownHost))
        } catch {
            finish(.failure(.noRoute(error)))
        }
    }

    private func tryNext(_ failure: FileSessionError) {
        release()
        guard handler != nil else { return }
        guard let host = hosts.popFirst() else { return finish(.failure(failure)) }
        let port = server.port ?? XFTP.defaultPort
        authority = FileSessionOpening.authority(host, port)
        dialer = Dialer(
            host: host.description, port: port, through: parameters.route.proxy, random: random,
            deadline: parameters.connectDeadline, loop: loop
        ) { [weak self] result in
            guard let self else { return }
            switch consume result {
            case .success(let socket): secure(socket)
            case .failure(let error): fail(.connection(error))
            }
        }
    }

    /// The host in the form of a URL (RFC 3986 3.2).
    private static func authority(_ host: TransportHost, _ port: UInt16) -> String {
        let name = if case .ipv6(let address) = host { "[\(address)]" } else { host.description }
        return port == XFTP.defaultPort ? name : "\(name):\(port)"
    }

    private func secure(_ socket: consuming FileDescriptor) {
        guard let context = try? TLSContext(clientOf: XFTP.alpn) else { return fail(.connection(.handshakeFailed)) }
        do throws(ConnectionError) {
            connection = try TLSConnection(
                socket, side: .client, context: context, loop: loop, blockSize: nil,
                handshakeDeadline: parameters.handshakeDeadline, writeDeadline: parameters.answerDeadline
            ) { [weak self] event in self?.handle(event) }
            timer = loop.after(parameters.handshakeDeadline + parameters.answerDeadline) { [weak self] in
                self?.fail(.connection(.timedOut(.handshake)))
            }
        } catch {
            fail(.connection(error))
        }
    }

    // MARK: - Handshakes

    private func handle(_ event: TLSConnection.Event) {
        switch event {
        case .secured(let tls): identify(tls)
        case .block: fail(.connection(.invalidTraffic))
        case .closed(let error): fail(.connection(error))
        }
    }

    private func identify(_ tls: TLSSession) {
        do throws(IdentityError) {
            let leaf = try tls.chain.verify(fingerprint: server.fingerprint)
            // Without the protocol's name the other side may be a web server.
            guard tls.alpn == XFTP.alpn else { return fail(.handshake(.version)) }
            handshake = FileClientHandshake(
                versions: parameters.versions, fingerprint: server.fingerprint, sessionID: tls.sessionID,
                leafKey: leaf.certificateKey)
            requestHello()
        } catch {
            fail(.connection(.wrongIdentity(error)))
        }
    }

    private func requestHello() {
        guard let connection else { return fail(.connection(.closed)) }
        self.connection = nil
        do throws(FileSessionError) {
            let exchanges = try HTTPExchanges(connection, authority: authority) { [weak self, failed] error in
                // Before the end of the opening the other hosts are tried, afterwards the owner is told.
                if let self, handler != nil { fail(error) } else { failed(error) }
            }
            self.exchanges = exchanges
            try ask([], of: exchanges) { [weak self] body in self?.agree(body) }
        } catch {
            fail(error)
        }
    }

    private func agree(_ body: Bytes) {
        guard let handshake, let exchanges else { return fail(.handshake(.handshakeSyntax)) }
        guard let content = try? FileBlock.content(of: body) else { return fail(.handshake(.block)) }
        let hello: FileClientHello, session: FileSession
        do throws(TransportError) {
            (hello, session) = try handshake.answer(content)
        } catch {
            return fail(.handshake(error))
        }
        do throws(FileSessionError) {
            guard let block = try? FileBlock.padded(hello.encoded) else { throw .tooLarge }
            try ask(block, of: exchanges) { [weak self] body in
                guard let self else { return }
                guard body.isEmpty else { return fail(FileSessionOpening.rejection(body)) }
                self.exchanges = nil
                finish(.success((exchanges, session)))
            }
        } catch {
            fail(error)
        }
    }

    /// The error of a relay that rejects the client's hello.
    private static func rejection(_ body: Bytes) -> FileSessionError {
        guard let content = try? FileBlock.content(of: body), let error = try? FileRelayError(decoding: content) else {
            return .unexpectedAnswer
        }
        return .refused(error)
    }

    private func ask(
        _ body: Bytes, of exchanges: HTTPExchanges, then finish: @escaping (Bytes) -> Void
    ) throws(FileSessionError) {
        let reply = HelloReply { [weak self] result in
            switch result {
            case .success(let body): finish(body)
            case .failure(let error): self?.fail(error)
            }
        }
        self.reply = reply
        _ = try exchanges.post(body, receiver: reply)
    }

    // MARK: - The end

    private func fail(_ error: FileSessionError) {
        guard handler != nil else { return }
        // Other hosts of the same server have the same identity.
        if case .connection(.wrongIdentity) = error { return finish(.failure(error)) }
        tryNext(error)
    }

    private func finish(_ result: Result<Opened, FileSessionError>) {
        let handler = handler
        self.handler = nil
        openingTimer?.cancel()
        release()
        handler?(result)
    }

    private func release() {
        timer?.cancel()
        timer = nil
        dialer?.cancel()
        dialer = nil
        connection?.close()
        connection = nil
        let exchanges = exchanges
        self.exchanges = nil
        reply = nil
        exchanges?.close(.connection(.closed))
        handshake = nil
    }
}

/// The response to a hello: at most one block.
private final class HelloReply: HTTPExchanges.Receiver {
    private var body: Bytes = []
    private var finish: ((Result<Bytes, FileSessionError>) -> Void)?

    init(finish: @escaping (Result<Bytes, FileSessionError>) -> Void) {
        self.finish = finish
    }

    func exchangeReceived(_ bytes: Bytes) -> Bool {
        body += bytes
        guard body.count <= XFTP.blockSize else {
            finish.take()?(.failure(.unexpectedAnswer))
            return false
        }
        return true
    }

    func exchangeSent() {}

    func exchangeEnded(_ error: FileSessionError?) {
        finish.take()?(error.map { .failure($0) } ?? .success(body))
    }
}

extension CertificateChain.LeafKey {
    /// The same key in the type of the handshake.
    fileprivate var certificateKey: CertificateKey {
        switch self {
        case .ed25519(let key): .ed25519(key)
        case .ed448(let key): .ed448(key)
        }
    }
}
