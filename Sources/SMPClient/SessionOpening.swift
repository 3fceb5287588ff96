import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport
import SystemIO

/// The opening of a session: connecting, TLS handshake, server hello, client hello. The hosts of the address are tried
/// in order.
final class SessionOpening {
    typealias Opened = (connection: TLSConnection, session: SMPSession)

    private let server: ServerAddress
    private let parameters: SessionParameters
    private let random: any RandomSource
    private var handler: ((Result<Opened, SessionError>) -> Void)?
    private var connector: RelayConnector?
    private var handshake: ClientHandshake?

    /// Starts the opening. The handler is called once, on the loop's thread, and never after ``cancel()``.
    init(
        _ server: ServerAddress, parameters: SessionParameters, loop: EventLoop, random: any RandomSource,
        admits: ((IPAddress) -> Bool)? = nil, handler: @escaping (Result<Opened, SessionError>) -> Void
    ) {
        self.server = server
        self.parameters = parameters
        self.random = random
        self.handler = handler
        let options = RelayConnector.Options(
            alpn: SMP.alpn, defaultPort: SMP.defaultPort, blockSize: SMP.blockSize, route: parameters.route,
            connectDeadline: parameters.connectDeadline, handshakeDeadline: parameters.handshakeDeadline,
            answerDeadline: parameters.answerDeadline, openingDeadline: parameters.openingDeadline)
        connector = RelayConnector(
            server, options: options, loop: loop, random: random, admits: admits
        ) { [weak self] event in self?.handle(event) }
    }

    deinit {
        cancel()
    }

    func cancel() {
        handler = nil
        connector?.cancel()
        handshake = nil
    }

    private func handle(_ event: RelayConnector.Event) {
        switch event {
        case .identified(let tls, let key, _):
            handshake = ClientHandshake(
                versions: parameters.versions, fingerprint: server.fingerprint, sessionID: tls.sessionID,
                leafKey: key, isProxy: parameters.isProxy)
        case .received(let block): agree(block)
        case .failed(let error): fail(.connection(error))
        case .noRoute(let error): finish(.failure(.noRoute(error)))
        case .late: finish(.failure(.connection(.timedOut(.connecting))))
        }
    }

    private func agree(_ block: Bytes) {
        guard let handshake, let connector else { return fail(.handshake(.handshakeSyntax)) }
        var plain = BlockCipher()
        guard let content = try? plain.open(block) else { return fail(.handshake(.block)) }
        do throws(TransportError) {
            let (hello, session) = try handshake.answer(content, key: X25519.PrivateKey(random: random))
            guard let answer = try? plain.seal(hello.encoded) else { throw .block }
            connector.send(answer)
            guard let connection = connector.takeConnection() else { return fail(.connection(.closed)) }
            finish(.success((connection, session)))
        } catch {
            fail(.handshake(error))
        }
    }

    // MARK: - The end

    private func fail(_ error: SessionError) {
        handshake = nil
        // Other hosts of the same server have the same identity.
        if case .connection(.wrongIdentity) = error { return finish(.failure(error)) }
        guard connector?.tryNext() != true else { return }
        finish(.failure(error))
    }

    private func finish(_ result: Result<Opened, SessionError>) {
        let handler = handler
        cancel()
        handler?(result)
    }
}
