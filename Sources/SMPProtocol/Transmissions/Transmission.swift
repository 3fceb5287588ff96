public import ByteCoding
public import CryptoCore

/// The version and session id on which transmissions depend: of a connection, or of a session through a proxy.
public struct TransmissionSession: Hashable, Sendable {
    /// The version of the session.
    public let version: UInt16
    /// The session id that both ends derive from their TLS handshake (smp-agent.md 2.2).
    public let sessionID: Bytes

    /// Creates a transmission session from its parts.
    public init(version: UInt16, sessionID: Bytes) {
        self.version = version
        self.sessionID = sessionID
    }

    var sendsSessionID: Bool { version < SMP.sessionKeys }
    var hasServiceSignatures: Bool { version >= SMP.serviceCertificates }
}

/// One command or response with its envelope in a ``Batch`` (smp-agent.md 4.2). The command is still encoded.
public struct Transmission: Hashable, Sendable {
    /// The authorization.
    public let authorization: Authorization
    /// The second signature (64 bytes) of clients with service certificates, from version 16.
    public let serviceSignature: Bytes?
    /// The correlation id.
    public let correlationID: CorrelationID
    /// The id of the queue, link or notifier.
    public let entityID: EntityID
    /// The encoded command.
    public let command: Bytes

    /// Creates a transmission from its parts.
    public init(
        authorization: Authorization = .none, serviceSignature: Bytes? = nil, correlationID: CorrelationID,
        entityID: EntityID, command: Bytes
    ) {
        self.authorization = authorization
        self.serviceSignature = serviceSignature
        self.correlationID = correlationID
        self.entityID = entityID
        self.command = command
    }

    /// Creates a transmission authorized by a key.
    ///
    /// - Throws: ``CryptoError``, see ``Authorization/make(for:key:correlationID:relayKey:)``.
    public init(
        _ command: Bytes, entityID: EntityID, correlationID: CorrelationID, key: AuthorizationPrivateKey,
        session: TransmissionSession, relayKey: X25519.PublicKey?
    ) throws(CryptoError) {
        let plain = Transmission(correlationID: correlationID, entityID: entityID, command: command)
        let authorization = try Authorization.make(
            for: plain.authorized(in: session), key: key, correlationID: correlationID, relayKey: relayKey)
        self.init(authorization: authorization, correlationID: correlationID, entityID: entityID, command: command)
    }

    /// Returns the authorized bytes: the session id with its length (even if not sent), the ids and the command
    /// (smp-agent.md 4.3).
    public func authorized(in session: TransmissionSession) -> Bytes {
        var writer = ByteWriter(capacity: command.count + 100)
        writer.shortBytes(session.sessionID)
        encodeContent(into: &writer)
        return writer.bytes
    }

    /// Returns the bytes of the transmission in a batch.
    public func encoded(in session: TransmissionSession) -> Bytes {
        var writer = ByteWriter(capacity: command.count + 200)
        writer.shortBytes(authorization.bytes)
        if authorization.isPresent, session.hasServiceSignatures {
            writer.optional(serviceSignature) { $0.shortBytes($1) }
        }
        if session.sendsSessionID { writer.shortBytes(session.sessionID) }
        encodeContent(into: &writer)
        return writer.bytes
    }

    private func encodeContent(into writer: inout ByteWriter) {
        writer.value(correlationID)
        writer.value(entityID)
        writer.raw(command)
    }

    /// An error of a received transmission, with the correlation id of the response.
    public enum Failure: Error, Hashable, Sendable {
        /// The bytes are malformed: `ERR BLOCK`. The ids are empty unless they could be read.
        case malformed(CorrelationID)
        /// The session id differs (version 6): `ERR SESSION`.
        case otherSession(CorrelationID)
    }

    /// Reads the bytes of one transmission.
    ///
    /// - Throws: ``Failure``.
    public init(decoding bytes: Bytes, session: TransmissionSession) throws(Failure) {
        var reader = ByteReader(bytes)
        let received: (Bytes, Bytes?, Bytes, CorrelationID, EntityID)
        do throws(DecodeError) {
            received = try Transmission.read(from: &reader, session: session)
        } catch {
            throw .malformed(.empty)
        }
        let (authorization, serviceSignature, sessionID, correlationID, entityID) = received
        guard sessionID == session.sessionID else { throw .otherSession(correlationID) }
        guard let authorization = Authorization(received: authorization) else { throw .malformed(correlationID) }
        self.init(
            authorization: authorization, serviceSignature: serviceSignature, correlationID: correlationID,
            entityID: entityID, command: reader.rest())
    }

    private static func read(
        from reader: inout ByteReader, session: TransmissionSession
    ) throws(DecodeError) -> (Bytes, Bytes?, Bytes, CorrelationID, EntityID) {
        let authorization = try reader.shortBytes()
        var serviceSignature: Bytes?
        if !authorization.isEmpty, session.hasServiceSignatures {
            serviceSignature = try reader.optional { reader throws(DecodeError) in try reader.shortBytes() }
            guard (serviceSignature?.count ?? Ed25519.signatureSize) == Ed25519.signatureSize else {
                throw .invalid("service signature")
            }
        }
        let sessionID = session.sendsSessionID ? try reader.shortBytes() : session.sessionID
        return (authorization, serviceSignature, sessionID, try reader.value(), try reader.value())
    }
}
