public import ByteCoding
import CryptoCore
public import SMPProtocol

/// A command to a relay for one entity, with the key that authorizes it.
public struct RelayRequest: Sendable {
    /// The command.
    public let command: ClientCommand
    /// The queue, link or notifier; empty for none.
    public let entityID: EntityID
    /// The key that authorizes the command; nil for an unauthorized one.
    public let key: AuthorizationPrivateKey?
    /// The correlation id, if data was derived from it; otherwise the session chooses one.
    public let correlationID: CorrelationID?

    /// Creates a relay request from its parts.
    public init(
        _ command: ClientCommand, entityID: EntityID = .empty, key: AuthorizationPrivateKey? = nil,
        correlationID: CorrelationID? = nil
    ) {
        self.command = command
        self.entityID = entityID
        self.key = key
        self.correlationID = correlationID
    }

    /// The command PING.
    public static let ping = RelayRequest(.ping)
}

/// The parameters of a connection to a relay.
public struct SessionParameters: Sendable {
    /// The versions of the client.
    public var versions = SMP.versions
    /// The route to the hosts of the relay.
    public var route = RelayRoute()
    /// True if the client forwards commands of others. Blocks are not encrypted then, and the session has a
    /// ``SMPSession/proxySecret``.
    public var isProxy = false
    /// The time limit for connecting to each host of the relay.
    public var connectDeadline: Duration = .seconds(15)
    /// The time limit of the TLS handshake.
    public var handshakeDeadline: Duration = .seconds(15)
    /// The time limit for opening the session, for all hosts together.
    public var openingDeadline: Duration = .seconds(60)
    /// The time limit for a response, and for the other side to accept bytes.
    public var answerDeadline: Duration = .seconds(20)
    /// The time limit for a response that the relay first has to get from another one.
    public var forwardedDeadline: Duration = .seconds(45)

    /// Creates the default parameters.
    public init() {}
}

extension RelayRequest {
    /// Returns the bytes of the command in a batch of a session.
    ///
    /// - Parameter relayKey: The relay's session key, for authenticators.
    func encoded(
        _ correlationID: CorrelationID, in session: TransmissionSession, relayKey: X25519.PublicKey?
    ) throws(SessionError) -> Bytes {
        if case .send(_, let body) = command, body.count > SMP.maximumBody(version: session.version) {
            throw .tooLarge
        }
        // Relays of earlier versions do not know the command, and the name would be for nothing with them.
        if case .rslv = command, session.version < SMP.names { throw .handshake(.version) }
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

    /// True if the relay asks another relay before it responds.
    var isAnsweredByAnother: Bool {
        switch command {
        case .prxy, .pfwd: true
        default: false
        }
    }
}

extension Transmission {
    /// Returns the message of the relay; `ERR` is a failure.
    func answer(version: UInt16) -> RelaySession.Answer {
        guard let message = try? RelayMessage(decoding: command, version: version),
            (try? message.tag.checkEntity(isPresent: !entityID.isEmpty)) != nil
        else { return .failure(.unexpectedAnswer) }
        if case .err(let error) = message { return .failure(.refused(error)) }
        return .success(message)
    }
}
