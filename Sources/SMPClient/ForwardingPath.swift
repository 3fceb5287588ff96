import ByteCoding
public import CryptoCore
public import SMPProtocol
import SecureTransport

/// A route to one relay, the destination, through another one, the proxy (smp-agent.md 5.4, 5.9). The destination sees
/// the proxy's address instead of the client's. The proxy sees neither the command nor its queue.
///
/// The path requests a session with the destination on demand, and again if the proxy has lost it. All calls are on the
/// loop's thread.
public final class ForwardingPath {
    /// Sends a command to the proxy; the second parameter is called once with the response.
    public typealias Carrier = (RelayRequest, @escaping (RelaySession.Answer) -> Void) -> Void
    /// The destination's response, or the error with its source.
    public typealias Answer = Result<RelayMessage, ForwardingError>

    private struct Waiting {
        let command: RelayRequest
        /// True if the proxy may be asked for another session for this command.
        let mayRenew: Bool
        let finish: (Answer) -> Void
    }

    private enum State {
        case idle
        case asking
        case standing(ProxiedDestination)
    }

    /// The relay behind the proxy.
    public let destination: ServerAddress
    private let password: ServerPassword?
    private let random: any RandomSource
    private let carrier: Carrier
    private var state = State.idle
    private var waiting: [Waiting] = []

    /// Creates a path.
    ///
    /// - Parameter password: The password of the proxy.
    public init(
        to destination: ServerAddress, password: ServerPassword?, random: any RandomSource, carrier: @escaping Carrier
    ) {
        self.destination = destination
        self.password = password
        self.random = random
        self.carrier = carrier
    }

    /// Sends a sender command. `finish` is called once, even if this object is released.
    public func send(_ command: RelayRequest, finish: @escaping (Answer) -> Void) {
        send(Waiting(command: command, mayRenew: true, finish: finish))
    }

    private func send(_ request: Waiting) {
        switch state {
        case .standing(let destination): forward(request, to: destination)
        case .asking: waiting.append(request)
        case .idle:
            waiting.append(request)
            state = .asking
            carrier(RelayRequest(.prxy(destination, password: password))) { [self] answer in opened(answer) }
        }
    }

    private func opened(_ answer: RelaySession.Answer) {
        let requests = waiting
        waiting = []
        do throws(ForwardingError) {
            let standing = try checked(answer)
            state = .standing(standing)
            for request in requests { forward(request, to: standing) }
        } catch {
            state = .idle
            for request in requests { request.finish(.failure(error)) }
        }
    }

    private func checked(_ answer: RelaySession.Answer) throws(ForwardingError) -> ProxiedDestination {
        switch answer {
        case .success(.pkey(let session)):
            do throws(SessionError) {
                return try ProxiedDestination(session, of: destination)
            } catch {
                throw .destination(error)
            }
        case .success: throw .proxy(.unexpectedAnswer)
        case .failure(let error): throw ForwardingError(answer: error)
        }
    }

    private func forward(_ request: Waiting, to standing: ProxiedDestination) {
        let forwarded: ForwardedRequest
        do throws(SessionError) {
            forwarded = try ForwardedRequest(request.command, to: standing, random: random)
        } catch {
            return request.finish(.failure(.destination(error)))
        }
        carrier(forwarded.command) { [self] answer in
            switch answer {
            case .success(.pres(let encrypted)):
                request.finish(forwarded.answer(in: encrypted).mapError { .destination($0) })
            case .success: request.finish(.failure(.proxy(.unexpectedAnswer)))
            case .failure(.refused(.proxy(.noSession))) where request.mayRenew:
                forget(standing)
                send(Waiting(command: request.command, mayRenew: false, finish: request.finish))
            case .failure(let error):
                forget(standing)
                request.finish(.failure(ForwardingError(answer: error)))
            }
        }
    }

    /// Forgets a lost session, unless another command has already renewed it.
    private func forget(_ lost: ProxiedDestination) {
        guard case .standing(let current) = state, current.transmission == lost.transmission else { return }
        state = .idle
    }
}

extension RelayRequest {
    /// True if relays accept the command from a proxy, which is so for sender commands.
    public var canBeForwarded: Bool {
        switch command {
        case .send, .skey, .lkey, .lget, .rslv: true
        default: false
        }
    }
}

/// A verified relay behind a proxy, with the keys for commands that the proxy cannot read.
struct ProxiedDestination: Sendable {
    /// The session between proxy and destination. Commands are authorized for it, in the version of client and
    /// destination.
    let transmission: TransmissionSession
    /// The destination's session key.
    let relayKey: X25519.PublicKey

    /// Verifies a session described by a proxy: certificates and session key must belong to the address, which prevents
    /// the proxy from reading.
    ///
    /// - Throws: ``SessionError``.
    init(_ session: ProxiedSession, of server: ServerAddress) throws(SessionError) {
        let leaf: CertificateChain.LeafKey
        do throws(IdentityError) {
            leaf = try CertificateChain(session.credentials.chain).verify(fingerprint: server.fingerprint)
        } catch {
            throw .connection(.wrongIdentity(error))
        }
        let signedKey = session.credentials.signedKey
        guard signedKey.isSigned(by: leaf.certificateKey) else { throw .handshake(.badAuthorization) }
        guard let version = SMP.proxiedVersions.agreed(with: session.versions) else { throw .handshake(.version) }
        // Without an id, commands could be replayed in other sessions.
        guard !session.sessionID.isEmpty else { throw .handshake(.session) }
        transmission = TransmissionSession(version: version, sessionID: session.sessionID)
        relayKey = signedKey.key
    }

    /// The id of the session, for PFWD.
    var sessionID: EntityID { EntityID(transmission.sessionID) }
}

/// One forwarded command: PFWD, and the keys for its response (smp-agent.md 5.9). The client key is used for this
/// command only.
struct ForwardedRequest: Sendable {
    /// The command for the proxy.
    let command: RelayRequest
    private let correlationID: CorrelationID
    private let transmission: TransmissionSession
    private let secret: Secret

    init(
        _ command: RelayRequest, to destination: ProxiedDestination, random: any RandomSource
    ) throws(SessionError) {
        let correlationID = command.correlationID ?? CorrelationID(random: random)
        let bytes = try command.encoded(
            correlationID, in: destination.transmission, relayKey: destination.relayKey)
        let key = X25519.PrivateKey(random: random)
        guard let secret = try? key.agree(with: destination.relayKey) else { throw .handshake(.badAuthorization) }
        // Only the size can be invalid.
        guard let encrypted = try? Forwarding.seal(bytes, correlationID: correlationID, secret: secret) else {
            throw .tooLarge
        }
        self.command = RelayRequest(
            .pfwd(version: destination.transmission.version, key: key.publicKey, encrypted: encrypted),
            entityID: destination.sessionID, correlationID: correlationID)
        self.correlationID = correlationID
        self.secret = secret
        transmission = destination.transmission
    }

    /// Reads the destination's response in PRES.
    func answer(in encrypted: Bytes) -> RelaySession.Answer {
        guard let bytes = try? Forwarding.openAnswer(encrypted, correlationID: correlationID, secret: secret),
            let answer = try? Transmission(decoding: bytes, session: transmission),
            answer.correlationID == correlationID
        else { return .failure(.connection(.invalidTraffic)) }
        return answer.answer(version: transmission.version)
    }
}

/// The reason why a forwarded command was not delivered or was rejected.
public enum ForwardingError: Error, Hashable, Sendable {
    /// The proxy is unreachable, or refuses to forward.
    case proxy(SessionError)
    /// The destination rejected the command, or is unreachable from the proxy.
    case destination(SessionError)

    /// Classifies an error response of the proxy, or the lack of a response. Errors of the destination for the command
    /// itself are not included.
    init(answer error: SessionError) {
        switch error {
        case .refused(.proxy(.broker)), .refused(.proxy(.relay)): self = .destination(error)
        default: self = .proxy(error)
        }
    }

    /// True if a retry is useless with this proxy and destination; only another route may help.
    public var isLackOfSupport: Bool {
        switch self {
        case .proxy(let error):
            switch error {
            case .connection(.unknownHost), .noRoute, .handshake(.version), .refused(.command): true
            // The responses of relays that do not serve as a public proxy.
            case .refused(.proxy(.password)): true
            default: false
            }
        case .destination(let error):
            switch error {
            case .handshake(.version), .refused(.proxy(.broker(.host))),
                .refused(.proxy(.broker(.transport(.version)))):
                true
            default: false
            }
        }
    }
}
