import ByteCoding
public import CryptoCore
public import SMPProtocol
import SecureTransport
public import SystemIO

extension RelaySession {
    /// Connects to a relay and agrees on a session. The hosts of the address are tried in order.
    ///
    /// - Parameter handler: Gets what the relay sends by itself, and the end of the session.
    public static func open(
        _ server: ServerAddress, parameters: SessionParameters, loop: EventLoop, random: any RandomSource,
        handler: @escaping (Event) -> Void
    ) async throws(SessionError) -> RelaySession {
        let context: TLSContext
        do throws(CryptoError) {
            context = try TLSContext(clientOf: SMP.alpn)
        } catch {
            throw .connection(.handshakeFailed)
        }
        var failure = SessionError.connection(.unknownHost)
        for host in server.hosts {
            do throws(SessionError) {
                let number = try await connect(to: host, of: server, parameters: parameters, loop: loop)
                let opening = SessionOpening(server: server, parameters: parameters, loop: loop, random: random)
                return try await opening.run(on: number, context: context, handler: handler)
            } catch {
                failure = error
                // Another host of the same server has the same identity.
                if case .connection(.wrongIdentity) = error { throw error }
            }
        }
        throw failure
    }

    private static func connect(
        to host: TransportHost, of server: ServerAddress, parameters: SessionParameters, loop: EventLoop
    ) async throws(SessionError) -> Int32 {
        // SECURITY: an onion name must never be looked up: that would tell a name server whom one speaks to.
        if case .onion = host { throw .connection(.unknownHost) }
        do throws(ConnectionError) {
            return try await Dialer(loop: loop).connect(
                host: host.description, port: server.port ?? SMP.defaultPort, deadline: parameters.connectDeadline)
        } catch {
            throw .connection(error)
        }
    }
}

/// The time between a connected socket and a session: TLS handshake, server hello, client hello.
private final class SessionOpening {
    private let server: ServerAddress
    private let parameters: SessionParameters
    private let loop: EventLoop
    private let random: any RandomSource
    private var connection: TLSConnection?
    private var handshake: ClientHandshake?
    private var handler: ((RelaySession.Event) -> Void)?
    private var timer: Timer?
    private var finish: ((Result<RelaySession, SessionError>) -> Void)?

    init(server: ServerAddress, parameters: SessionParameters, loop: EventLoop, random: any RandomSource) {
        self.server = server
        self.parameters = parameters
        self.loop = loop
        self.random = random
    }

    func run(
        on number: Int32, context: TLSContext, handler: @escaping (RelaySession.Event) -> Void
    ) async throws(SessionError) -> RelaySession {
        self.handler = handler
        let result: Result<Opened, SessionError> = await withCheckedContinuation { continuation in
            finish = { continuation.resume(returning: $0.map(Opened.init)) }
            do throws(ConnectionError) {
                connection = try TLSConnection(
                    FileDescriptor(owning: number), side: .client, context: context, loop: loop,
                    blockSize: SMP.blockSize, handshakeDeadline: parameters.handshakeDeadline,
                    writeDeadline: parameters.answerDeadline
                ) { [self] event in handle(event) }
                timer = loop.after(parameters.handshakeDeadline + parameters.answerDeadline) { [weak self] in
                    self?.fail(.connection(.timedOut(.handshake)))
                }
            } catch {
                fail(.connection(error))
            }
        }
        return try result.get().session
    }

    /// Safe because a session and the task that opened it stay on the loop's thread.
    private struct Opened: @unchecked Sendable {
        let session: RelaySession
    }

    private func handle(_ event: TLSConnection.Event) {
        switch event {
        case .secured(let tls): secured(tls)
        case .block(let block): received(block)
        case .closed(let error): fail(.connection(error))
        }
    }

    private func secured(_ tls: TLSSession) {
        do throws(IdentityError) {
            let leaf = try tls.chain.verify(fingerprint: server.fingerprint)
            handshake = ClientHandshake(
                versions: parameters.versions, fingerprint: server.fingerprint, sessionID: tls.sessionID,
                leafKey: leaf.certificateKey)
        } catch {
            fail(.connection(.wrongIdentity(error)))
        }
    }

    private func received(_ block: Bytes) {
        guard let handshake, let connection else { return fail(.handshake(.handshakeSyntax)) }
        var plain = BlockCipher()
        guard let content = try? plain.open(block) else { return fail(.handshake(.block)) }
        do throws(TransportError) {
            let (hello, agreed) = try handshake.answer(content, key: X25519.PrivateKey(random: random))
            guard let answer = try? plain.seal(hello.encoded), let handler else { throw .block }
            connection.send(answer)
            let session = RelaySession(
                server: server, session: agreed, parameters: parameters, loop: loop, random: random, handler: handler)
            session.attach(connection)
            self.connection = nil
            complete(.success(session))
        } catch {
            fail(.handshake(error))
        }
    }

    private func fail(_ error: SessionError) {
        connection?.close()
        connection = nil
        handler = nil
        complete(.failure(error))
    }

    private func complete(_ result: Result<RelaySession, SessionError>) {
        timer?.cancel()
        timer = nil
        let finish = finish
        self.finish = nil
        finish?(result)
    }
}

extension CertificateChain.LeafKey {
    var certificateKey: CertificateKey {
        switch self {
        case .ed25519(let key): .ed25519(key)
        case .ed448(let key): .ed448(key)
        }
    }
}
