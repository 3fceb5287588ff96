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
    private let loop: EventLoop
    private let random: any RandomSource
    private let admits: ((IPAddress) -> Bool)?
    private var handler: ((Result<Opened, SessionError>) -> Void)?
    private var hosts: ArraySlice<TransportHost> = []
    private var dialer: Dialer?
    private var connection: TLSConnection?
    private var handshake: ClientHandshake?
    private var timer: Timer?
    /// The timer of the attempt with all hosts.
    private var openingTimer: Timer?

    /// Starts the opening. The handler is called once, on the loop's thread, and never after ``cancel()``.
    init(
        _ server: ServerAddress, parameters: SessionParameters, loop: EventLoop, random: any RandomSource,
        admits: ((IPAddress) -> Bool)? = nil, handler: @escaping (Result<Opened, SessionError>) -> Void
    ) {
        self.server = server
        self.parameters = parameters
        self.loop = loop
        self.random = random
        self.admits = admits
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

    private func tryNext(_ failure: SessionError) {
        release()
        guard handler != nil else { return }
        guard let host = hosts.popFirst() else { return finish(.failure(failure)) }
        dialer = Dialer(
            host: host.description, port: server.port ?? SMP.defaultPort, through: parameters.route.proxy,
            random: random, deadline: parameters.connectDeadline, loop: loop, admits: admits
        ) { [weak self] result in
            guard let self else { return }
            switch consume result {
            case .success(let socket): secure(socket)
            case .failure(let error): fail(.connection(error))
            }
        }
    }

    private func secure(_ socket: consuming FileDescriptor) {
        guard let context = try? TLSContext(clientOf: SMP.alpn) else { return fail(.connection(.handshakeFailed)) }
        do throws(ConnectionError) {
            connection = try TLSConnection(
                socket, side: .client, context: context, loop: loop, blockSize: SMP.blockSize,
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
        case .block(let block): agree(block)
        case .closed(let error): fail(.connection(error))
        }
    }

    private func identify(_ tls: TLSSession) {
        do throws(IdentityError) {
            let leaf = try tls.chain.verify(fingerprint: server.fingerprint)
            handshake = ClientHandshake(
                versions: parameters.versions, fingerprint: server.fingerprint, sessionID: tls.sessionID,
                leafKey: leaf.certificateKey, isProxy: parameters.isProxy)
        } catch {
            fail(.connection(.wrongIdentity(error)))
        }
    }

    private func agree(_ block: Bytes) {
        guard let handshake, let connection else { return fail(.handshake(.handshakeSyntax)) }
        var plain = BlockCipher()
        guard let content = try? plain.open(block) else { return fail(.handshake(.block)) }
        do throws(TransportError) {
            let (hello, session) = try handshake.answer(content, key: X25519.PrivateKey(random: random))
            guard let answer = try? plain.seal(hello.encoded) else { throw .block }
            connection.send(answer)
            self.connection = nil
            finish(.success((connection, session)))
        } catch {
            fail(.handshake(error))
        }
    }

    // MARK: - The end

    private func fail(_ error: SessionError) {
        // Other hosts of the same server have the same identity.
        if case .connection(.wrongIdentity) = error { return finish(.failure(error)) }
        tryNext(error)
    }

    private func finish(_ result: Result<Opened, SessionError>) {
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
        handshake = nil
    }
}

extension CertificateChain.LeafKey {
    /// The same key in the type of the handshake.
    var certificateKey: CertificateKey {
        switch self {
        case .ed25519(let key): .ed25519(key)
        case .ed448(let key): .ed448(key)
        }
    }
}
