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
    private var handler: ((Result<Opened, FileSessionError>) -> Void)?
    private let failed: (FileSessionError) -> Void
    private var connector: RelayConnector?
    private var exchanges: HTTPExchanges?
    private var handshake: FileClientHandshake?
    private var reply: HelloReply?

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
        self.failed = failed
        self.handler = handler
        let options = RelayConnector.Options(
            alpn: XFTP.alpn, defaultPort: XFTP.defaultPort, blockSize: nil, route: parameters.route,
            connectDeadline: parameters.connectDeadline, handshakeDeadline: parameters.handshakeDeadline,
            answerDeadline: parameters.answerDeadline, openingDeadline: parameters.openingDeadline)
        connector = RelayConnector(server, options: options, loop: loop, random: random) { [weak self] event in
            self?.handle(event)
        }
    }

    deinit {
        cancel()
    }

    func cancel() {
        handler = nil
        connector?.cancel()
        release()
    }

    /// The host in the form of a URL (RFC 3986 3.2).
    private static func authority(_ host: TransportHost, _ port: UInt16) -> String {
        let name = if case .ipv6(let address) = host { "[\(address)]" } else { host.description }
        return port == XFTP.defaultPort ? name : "\(name):\(port)"
    }

    // MARK: - Handshakes

    private func handle(_ event: RelayConnector.Event) {
        switch event {
        case .identified(let tls, let key, let host):
            let authority = FileSessionOpening.authority(host, server.port ?? XFTP.defaultPort)
            guard tls.alpn != nil else { return openFirstVersion(tls.sessionID, authority) }
            guard tls.alpn == XFTP.alpn else { return fail(.handshake(.version)) }
            handshake = FileClientHandshake(
                versions: parameters.versions, fingerprint: server.fingerprint, sessionID: tls.sessionID, leafKey: key)
            requestHello(authority)
        case .received: fail(.connection(.invalidTraffic))
        case .failed(let error): fail(.connection(error))
        case .noRoute(let error): finish(.failure(.noRoute(error)))
        case .late: finish(.failure(.connection(.timedOut(.connecting))))
        }
    }

    private func requestHello(_ authority: String) {
        do throws(FileSessionError) {
            let exchanges = try makeExchanges(authority)
            self.exchanges = exchanges
            try ask([], of: exchanges) { [weak self] body in self?.agree(body) }
        } catch {
            fail(error)
        }
    }

    /// Opens a session with a relay of the first version, which knows neither ALPN nor a handshake (smp-agent.md 10.1). The
    /// certificate has proved that it is the one of the address.
    private func openFirstVersion(_ sessionID: Bytes, _ authority: String) {
        guard parameters.versions.contains(XFTP.versions.min) else { return fail(.handshake(.version)) }
        do throws(FileSessionError) {
            let exchanges = try makeExchanges(authority)
            finish(.success((exchanges, FileSession(version: XFTP.versions.min, sessionID: sessionID))))
        } catch {
            fail(error)
        }
    }

    private func makeExchanges(_ authority: String) throws(FileSessionError) -> HTTPExchanges {
        guard let connection = connector?.takeConnection() else { throw .connection(.closed) }
        return try HTTPExchanges(connection, authority: authority) { [weak self, failed] error in
            // Before the end of the opening the other hosts are tried, afterwards the owner is told.
            if let self, handler != nil { fail(error) } else { failed(error) }
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
        release()
        // Other hosts of the same server have the same identity.
        if case .connection(.wrongIdentity) = error { return finish(.failure(error)) }
        guard connector?.tryNext() != true else { return }
        finish(.failure(error))
    }

    private func finish(_ result: Result<Opened, FileSessionError>) {
        let handler = handler
        cancel()
        handler?(result)
    }

    /// Ends the attempt with a host. A connection whose owner is the caller has been taken out of here.
    private func release() {
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
