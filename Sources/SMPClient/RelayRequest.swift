public import ByteCoding
import CryptoCore
public import SMPProtocol

/// A command to a relay about an entity, and the key that authorizes it.
public struct RelayRequest: Sendable {
    public let command: ClientCommand
    public let entityID: EntityID
    public let key: AuthorizationPrivateKey?
    /// The id to use, where something else was derived from it; otherwise the session makes one.
    public let correlationID: CorrelationID?

    public init(
        _ command: ClientCommand, entityID: EntityID = .empty, key: AuthorizationPrivateKey? = nil,
        correlationID: CorrelationID? = nil
    ) {
        self.command = command
        self.entityID = entityID
        self.key = key
        self.correlationID = correlationID
    }

    public static let ping = RelayRequest(.ping)
}

/// How to connect to a relay.
public struct SessionParameters: Sendable {
    /// What the client speaks.
    public var versions = SMP.versions
    /// How the hosts of the relay are reached.
    public var route = RelayRoute()
    /// Whether the client forwards commands of others: blocks are not encrypted then, and ``SMPSession/proxySecret`` is
    /// there instead.
    public var isProxy = false
    /// When the connection has to stand, for each host of the relay.
    public var connectDeadline: Duration = .seconds(15)
    public var handshakeDeadline: Duration = .seconds(15)
    /// When the session has to stand, whatever number of hosts the relay has.
    public var openingDeadline: Duration = .seconds(60)
    /// How long to wait for an answer, and for the other side to accept bytes.
    public var answerDeadline: Duration = .seconds(20)
    /// How long to wait for an answer that the relay has to get from another one first.
    public var forwardedDeadline: Duration = .seconds(45)

    public init() {}
}

extension RelayRequest {
    /// The bytes of the command in a batch of a session.
    ///
    /// - Parameter relayKey: The relay's session key, for authenticators.
    func encoded(
        _ correlationID: CorrelationID, in session: TransmissionSession, relayKey: X25519.PublicKey?
    ) throws(SessionError) -> Bytes {
        if case .send(_, let body) = command, body.count > SMP.maximumBody(version: session.version) {
            throw .tooLarge
        }
        let bytes = command.encoded(version: session.version)
        guard let key else {
            return Transmission(correlationID: correlationID, entityID: entityID, command: bytes).encoded(in: session)
        }
        do throws(CryptoError) {
            return try Transmission(
                bytes, entityID: entityID, correlationID: correlationID, key: key, session: session,
                relayKey: relayKey
            ).encoded(in: session)
        } catch {
            throw .unusableKey
        }
    }

    /// Whether the relay asks another one before it answers.
    var isAnsweredByAnother: Bool {
        switch command {
        case .prxy, .pfwd: true
        default: false
        }
    }
}

extension Transmission {
    /// What the relay says in it; an `ERR` is a failure.
    func answer(version: UInt16) -> RelaySession.Answer {
        guard let message = try? RelayMessage(decoding: command, version: version),
            (try? message.tag.checkEntity(isPresent: !entityID.isEmpty)) != nil
        else { return .failure(.unexpectedAnswer) }
        if case .err(let error) = message { return .failure(.refused(error)) }
        return .success(message)
    }
}
