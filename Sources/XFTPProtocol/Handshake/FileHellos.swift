public import ByteCoding
public import SMPProtocol

/// The body of the first request: empty, or the challenge of a browser (smp-agent.md 10.2).
public struct FileHelloRequest: Hashable, Sendable {
    /// The size of a challenge in bytes.
    public static let challengeSize = 32
    /// The bytes that the relay signs with its online key, as a browser cannot see its certificates; nil for other programs.
    public let challenge: Bytes?

    /// Creates a request. A challenge has 32 bytes.
    public init(challenge: Bytes? = nil) {
        precondition(challenge.map { $0.count == FileHelloRequest.challengeSize } ?? true, "a challenge has 32 bytes")
        self.challenge = challenge
    }

    /// Reads the content of a block. Later versions may append fields, which are ignored.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        challenge = try reader.optional { reader throws(DecodeError) in try reader.shortBytes() }
        guard challenge.map({ $0.count == FileHelloRequest.challengeSize }) ?? true else {
            throw .invalid("challenge")
        }
    }

    /// The content of the block.
    public var encoded: Bytes {
        var writer = ByteWriter()
        writer.optional(challenge) { $0.shortBytes($1) }
        return writer.bytes
    }
}

/// The relay's hello, the response to the first request. Later versions may append fields, which are ignored.
public struct FileServerHello: Hashable, Sendable {
    /// The versions that the relay offers.
    public let versions: VersionRange
    /// The session id, which the client compares with its TLS connection.
    public let sessionID: Bytes
    /// The relay's certificates and session key.
    public let credentials: SessionCredentials
    /// The signature of the online key for the challenge of a browser and the session id; empty for other programs.
    public let identityProof: Bytes

    /// Creates a hello from its parts.
    public init(versions: VersionRange, sessionID: Bytes, credentials: SessionCredentials, identityProof: Bytes = []) {
        self.versions = versions
        self.sessionID = sessionID
        self.credentials = credentials
        self.identityProof = identityProof
    }

    /// Reads the content of a block.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        versions = try reader.value()
        sessionID = try reader.shortBytes()
        credentials = try reader.value()
        // Relays without web access leave the field out.
        identityProof = reader.remaining == 0 ? [] : try reader.shortBytes()
    }

    /// The content of the block.
    public var encoded: Bytes {
        var writer = ByteWriter()
        writer.value(versions)
        writer.shortBytes(sessionID)
        writer.value(credentials)
        writer.shortBytes(identityProof)
        return writer.bytes
    }
}

/// The client's hello, the second request. Later versions may append fields, which are ignored.
public struct FileClientHello: Hashable, Sendable {
    /// The version that the client chose.
    public let version: UInt16
    /// The fingerprint of the relay that the client wants to reach.
    public let fingerprint: Bytes

    /// Creates a hello from its parts.
    public init(version: UInt16, fingerprint: Bytes) {
        self.version = version
        self.fingerprint = fingerprint
    }

    /// Reads the content of a block.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        version = try reader.uint16()
        fingerprint = try reader.shortBytes()
    }

    /// The content of the block.
    public var encoded: Bytes {
        var writer = ByteWriter()
        writer.uint16(version)
        writer.shortBytes(fingerprint)
        return writer.bytes
    }
}
