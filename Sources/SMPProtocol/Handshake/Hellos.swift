public import ByteCoding
public import CryptoCore

/// The server hello, the first block of a connection (smp-agent.md 3.2). Later versions may append fields, which are
/// ignored.
public struct ServerHello: Hashable, Sendable {
    /// The versions that the server offers.
    public let versions: VersionRange
    /// The session id, which the client compares with its TLS connection.
    public let sessionID: Bytes
    /// The server's certificates and session key, from version 7.
    public let credentials: SessionCredentials?

    /// Creates a server hello from its parts.
    public init(versions: VersionRange, sessionID: Bytes, credentials: SessionCredentials?) {
        self.versions = versions
        self.sessionID = sessionID
        self.credentials = credentials
    }

    /// Reads the content of a block.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        versions = try reader.value()
        sessionID = try reader.shortBytes()
        credentials = versions.max >= SMP.sessionKeys ? try reader.value() : nil
    }

    /// The content of the block.
    public var encoded: Bytes {
        var writer = ByteWriter()
        writer.value(versions)
        writer.shortBytes(sessionID)
        if versions.max >= SMP.sessionKeys, let credentials { writer.value(credentials) }
        return writer.bytes
    }
}

/// The client hello, the response to the server hello (smp-agent.md 3.3). Later versions may append fields, which are
/// ignored.
public struct ClientHello: Hashable, Sendable {
    /// The version that the client chose.
    public let version: UInt16
    /// The fingerprint of the server that the client wants to reach.
    public let fingerprint: Bytes
    /// The client's session key, which enables block encryption. From version 7.
    public let key: X25519.PublicKey?
    /// True if the client is a relay that forwards commands of others. From version 14.
    public let isProxy: Bool
    /// The service certificate of the client. From version 16.
    public let service: ServiceHello?

    /// Creates a client hello from its parts.
    public init(
        version: UInt16, fingerprint: Bytes, key: X25519.PublicKey?, isProxy: Bool = false,
        service: ServiceHello? = nil
    ) {
        self.version = version
        self.fingerprint = fingerprint
        self.key = key
        self.isProxy = isProxy
        self.service = service
    }

    /// Reads the content of a block.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        version = try reader.uint16()
        fingerprint = try reader.shortBytes()
        // The key is optional without a marker: the end of the input decides.
        key =
            version >= SMP.sessionKeys
            ? reader.attempt { reader throws(DecodeError) in try X25519.PublicKey(from: &reader) } : nil
        isProxy = version >= SMP.proxyFlag ? try reader.bool() : false
        service = version >= SMP.serviceCertificates ? try reader.optional() : nil
    }

    /// The content of the block.
    public var encoded: Bytes {
        var writer = ByteWriter()
        writer.uint16(version)
        writer.shortBytes(fingerprint)
        if version >= SMP.sessionKeys, let key { writer.value(key) }
        if version >= SMP.proxyFlag { writer.bool(isProxy) }
        if version >= SMP.serviceCertificates { writer.optional(service) }
        return writer.bytes
    }
}

/// The introduction of a client with a service certificate (smp-agent.md 3.4).
public struct ServiceHello: Hashable, Sendable, ByteCodable {
    /// The role of the service.
    public enum Role: Hashable, Sendable {
        /// A client that receives messages.
        case messaging
        /// A notification server.
        case notifier
        /// A proxy.
        case proxy
    }

    /// The role of the service.
    public let role: Role
    /// The certificates in DER, leaf first. One self-signed certificate is allowed.
    public let chain: [Bytes]
    /// The signed Ed25519 key in DER, which signs the commands of this session.
    public let signedKey: Bytes

    /// Creates a service hello from its parts.
    public init(role: Role, chain: [Bytes], signedKey: Bytes) {
        self.role = role
        self.chain = chain
        self.signedKey = signedKey
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "M"): role = .messaging
        case UInt8(ascii: "N"): role = .notifier
        case UInt8(ascii: "P"): role = .proxy
        default: throw .invalid("service role")
        }
        chain = try reader.nonEmptyList { reader throws(DecodeError) in try reader.largeBytes() }
        signedKey = try reader.largeBytes()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        switch role {
        case .messaging: writer.character("M")
        case .notifier: writer.character("N")
        case .proxy: writer.character("P")
        }
        writer.list(chain) { $0.largeBytes($1) }
        writer.largeBytes(signedKey)
    }
}

/// The third block of a connection, only for clients with a service certificate (smp-agent.md 3.4).
public enum ServiceAnswer: Hashable, Sendable {
    /// The relay accepted the service under this id.
    case accepted(serviceID: EntityID)
    /// The relay rejected the service.
    case refused(TransportError)

    /// Reads the content of a block.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        switch try reader.uint8() {
        case UInt8(ascii: "R"):
            self = .accepted(serviceID: try reader.value())
        case UInt8(ascii: "E"):
            guard let error = TransportError(rawValue: String(decoding: reader.rest(), as: UTF8.self)) else {
                throw .invalid("transport error")
            }
            self = .refused(error)
        default: throw .invalid("service answer")
        }
    }

    /// The content of the block.
    public var encoded: Bytes {
        var writer = ByteWriter()
        switch self {
        case .accepted(let serviceID):
            writer.character("R")
            writer.value(serviceID)
        case .refused(let error): writer.ascii("E\(error.rawValue)")
        }
        return writer.bytes
    }
}
