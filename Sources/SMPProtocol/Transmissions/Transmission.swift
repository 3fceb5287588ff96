public import ByteCoding
public import CryptoCore

/// What authorization and encoding of transmissions depend on: a connection, or a session through a proxy.
public struct TransmissionSession: Hashable, Sendable {
    public let version: UInt16
    /// The identifier that both ends derive from their TLS handshake.
    public let sessionID: Bytes

    public init(version: UInt16, sessionID: Bytes) {
        self.version = version
        self.sessionID = sessionID
    }

    var sendsSessionID: Bool { version < SMP.sessionKeys }
    var hasServiceSignatures: Bool { version >= SMP.serviceCertificates }
}

/// One command or answer with its envelope, as it stands in a ``Batch``. The command itself is still encoded.
public struct Transmission: Hashable, Sendable {
    public let authorization: Authorization
    /// A second signature (64 bytes) of clients with service certificates, from version 16.
    public let serviceSignature: Bytes?
    public let correlationID: CorrelationID
    public let entityID: EntityID
    public let command: Bytes

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

    /// A transmission authorized by a key.
    public init(
        _ command: Bytes, entityID: EntityID, correlationID: CorrelationID, key: AuthorizationPrivateKey,
        session: TransmissionSession, relayKey: X25519.PublicKey?
    ) throws(CryptoError) {
        let plain = Transmission(correlationID: correlationID, entityID: entityID, command: command)
        let authorization = try Authorization.make(
            for: plain.authorized(in: session), key: key, correlationID: correlationID, relayKey: relayKey)
        self.init(authorization: authorization, correlationID: correlationID, entityID: entityID, command: command)
    }

    /// What is authorized: the session id with its length (also where it is not sent), the ids and the command.
    public func authorized(in session: TransmissionSession) -> Bytes {
        var writer = ByteWriter(capacity: command.count + 100)
        writer.shortBytes(session.sessionID)
        encodeContent(into: &writer)
        return writer.bytes
    }

    /// The bytes of the transmission in a batch.
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

    /// Why a received transmission cannot be used, with the correlation id of the answer.
    public enum Failure: Error, Hashable, Sendable {
        /// It does not parse: `ERR BLOCK`, without ids unless they could be read.
        case malformed(CorrelationID)
        /// It names another session (version 6): `ERR SESSION`.
        case otherSession(CorrelationID)
    }

    /// Reads the bytes of one transmission.
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
