import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol
import SecureTransport
import Testing

/// A proxy and the relay behind it in one, without a network: it opens what it is sent as the destination would.
final class ProxyDouble {
    private let certificates: RelayCertificates
    private let key = X25519.PrivateKey(random: SystemRandom())
    private(set) var sessionID = SystemRandom().bytes(32)
    /// What came as PRXY, and the commands inside of PFWD.
    private(set) var asked: [(ServerAddress, ServerPassword?)] = []
    private(set) var forwarded: [(ClientCommand, Transmission)] = []
    private(set) var keys: [X25519.PublicKey] = []
    /// What the proxy says about its session, and instead of answers.
    var describe: (ProxiedSession) -> ProxiedSession = { $0 }
    var refusals: [RelaySession.Answer] = []
    /// The destination's answer.
    var answer = RelayMessage.ok
    /// Changes the encrypted answer on its way through the proxy.
    var tamper: (Bytes) -> Bytes = { $0 }
    /// Whether answers wait for ``release()``.
    var isHolding = false
    private var held: [() -> Void] = []

    init() throws {
        certificates = try RelayCertificates.generate(host: "localhost", random: SystemRandom()).certificates
    }

    /// The address of the destination.
    var address: ServerAddress {
        ServerAddress(hosts: [.domain("far.example")], port: nil, fingerprint: certificates.fingerprint)
    }

    var session: ProxiedSession {
        ProxiedSession(
            sessionID: sessionID, versions: SMP.proxiedVersions,
            credentials: SessionCredentials(
                chain: certificates.chain.certificates,
                signedKey: SignedSessionKey(key.publicKey, signedBy: certificates.key)))
    }

    func path(password: ServerPassword? = nil) -> ForwardingPath {
        ForwardingPath(to: address, password: password, random: SystemRandom()) { [self] command, finish in
            let answer = handle(command)
            if isHolding { held.append { finish(answer) } } else { finish(answer) }
        }
    }

    func release() {
        isHolding = false
        let actions = held
        held = []
        for action in actions { action() }
    }

    /// The proxy has lost its session, and would make another.
    func loseSession() {
        sessionID = SystemRandom().bytes(32)
    }

    private func handle(_ command: RelayRequest) -> RelaySession.Answer {
        #expect(command.key == nil)
        switch command.command {
        case .prxy(let server, let password):
            asked.append((server, password))
            if !refusals.isEmpty { return refusals.removeFirst() }
            return .success(.pkey(describe(session)))
        case .pfwd(let version, let key, let encrypted):
            guard command.entityID.bytes == sessionID else { return .failure(.refused(.proxy(.noSession))) }
            if !refusals.isEmpty { return refusals.removeFirst() }
            keys.append(key)
            return forward(version, key, encrypted, command.correlationID ?? .empty)
        default:
            Issue.record("\(command.command.tag) is nothing for a proxy")
            return .failure(.unexpectedAnswer)
        }
    }

    private func forward(
        _ version: UInt16, _ key: X25519.PublicKey, _ encrypted: Bytes, _ id: CorrelationID
    ) -> RelaySession.Answer {
        do {
            let session = TransmissionSession(version: version, sessionID: sessionID)
            let secret = try self.key.agree(with: key)
            let bytes = try Forwarding.open(encrypted, correlationID: id, secret: secret)
            let transmission = try Transmission(decoding: bytes, session: session)
            let command = try ClientCommand(decoding: transmission.command, version: version)
            forwarded.append((command, transmission))
            let told = Transmission(
                correlationID: id, entityID: transmission.entityID, command: answer.encoded(version: version))
            let sealed = try Forwarding.sealAnswer(told.encoded(in: session), correlationID: id, secret: secret)
            return .success(.pres(encrypted: tamper(sealed)))
        } catch {
            Issue.record("what was forwarded cannot be read: \(error)")
            return .failure(.unexpectedAnswer)
        }
    }

    /// Whether a command was authorized with a key for the session between proxy and destination.
    func isAuthorized(_ transmission: Transmission, with key: AuthorizationKey, version: UInt16) -> Bool {
        let session = TransmissionSession(version: version, sessionID: sessionID)
        return transmission.authorization.verifies(
            transmission.authorized(in: session), key: key, correlationID: transmission.correlationID,
            relayKey: self.key)
    }
}
