import ByteCoding
public import CryptoCore
public import SMPProtocol
import SecureTransport

/// The way to one relay through another one, the proxy: the destination sees the proxy's address instead of the client's,
/// and the proxy sees neither what is said nor to which queue (SMP v8).
///
/// The proxy is asked for a session with the destination when there is something to say, and again if it has lost it.
public final class ForwardingPath {
    /// Sends a command to the proxy; the second parameter is called once with the answer.
    public typealias Carrier = (RelayRequest, @escaping (RelaySession.Answer) -> Void) -> Void
    /// What the destination answered, or whose fault it is that it did not.
    public typealias Answer = Result<RelayMessage, ForwardingError>

    private struct Waiting {
        let command: RelayRequest
        /// Whether the proxy may be asked for another session for this command.
        let mayRenew: Bool
        let finish: (Answer) -> Void
    }

    private enum State {
        case idle
        case asking
        case standing(ProxiedDestination)
    }

    public let destination: ServerAddress
    private let password: ServerPassword?
    private let random: any RandomSource
    private let carrier: Carrier
    private var state = State.idle
    private var waiting: [Waiting] = []

    /// - Parameter password: The one that the proxy asks for.
    public init(
        to destination: ServerAddress, password: ServerPassword?, random: any RandomSource, carrier: @escaping Carrier
    ) {
        self.destination = destination
        self.password = password
        self.random = random
        self.carrier = carrier
    }

    /// Sends one of the commands that can be forwarded; `finish` is called once, also when this object is gone.
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

    /// Another command may have renewed the session already.
    private func forget(_ lost: ProxiedDestination) {
        guard case .standing(let current) = state, current.transmission == lost.transmission else { return }
        state = .idle
    }
}

extension RelayRequest {
    /// Whether relays accept the command from a proxy: it is one of those of senders.
    public var canBeForwarded: Bool {
        switch command {
        case .send, .skey, .lkey, .lget: true
        default: false
        }
    }
}

/// A relay behind a proxy, as it has proved to be: what is needed to say something to it that the proxy cannot read.
struct ProxiedDestination: Sendable {
    /// The session between proxy and destination. Commands are authorized for it, with the version of client and
    /// destination.
    let transmission: TransmissionSession
    /// The destination's key of that session.
    let relayKey: X25519.PublicKey

    /// Checks what a proxy says about a relay: certificates and session key must be those of the address, which a proxy
    /// that wants to read along cannot show.
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
        // Without an id, commands could be repeated in other sessions.
        guard !session.sessionID.isEmpty else { throw .handshake(.session) }
        transmission = TransmissionSession(version: version, sessionID: session.sessionID)
        relayKey = signedKey.key
    }

    /// The session's id, which PFWD names.
    var sessionID: EntityID { EntityID(transmission.sessionID) }
}

/// One command on its way through a proxy: PFWD, and what its answer is read with (SMP v8). Its key is made for it alone.
struct ForwardedRequest: Sendable {
    /// What to send to the proxy.
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
        // The only thing that can be wrong is the size.
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

    /// Reads the destination's answer from PRES.
    func answer(in encrypted: Bytes) -> RelaySession.Answer {
        guard let bytes = try? Forwarding.openAnswer(encrypted, correlationID: correlationID, secret: secret),
            let answer = try? Transmission(decoding: bytes, session: transmission),
            answer.correlationID == correlationID
        else { return .failure(.connection(.invalidTraffic)) }
        return answer.answer(version: transmission.version)
    }
}

/// Why a command that was to go through a proxy did not get there, or was refused there.
public enum ForwardingError: Error, Hashable, Sendable {
    /// The proxy cannot be used: it cannot be reached, or refuses to be a proxy.
    case proxy(SessionError)
    /// The relay behind it refused the command, or could not be reached from the proxy.
    case destination(SessionError)

    /// Sorts an answer of the proxy that is an error, or none at all. What a destination says about the command itself
    /// does not come this way.
    init(answer error: SessionError) {
        switch error {
        case .refused(.proxy(.broker)), .refused(.proxy(.relay)): self = .destination(error)
        default: self = .proxy(error)
        }
    }

    /// Whether trying again cannot help as long as proxy and destination stay what they are: the only thing that can is
    /// another way.
    public var isLackOfSupport: Bool {
        switch self {
        case .proxy(let error):
            switch error {
            case .connection(.unknownHost), .noRoute, .handshake(.version), .refused(.command): true
            // What relays answer that are no proxies for everybody.
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
