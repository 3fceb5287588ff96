public import ByteCoding
public import CryptoCore

/// The first block of a connection, from the server. Later versions may add fields, which are ignored.
public struct ServerHello: Hashable, Sendable {
    public let versions: VersionRange
    public let sessionID: Bytes
    /// From version 7.
    public let credentials: SessionCredentials?

    public init(versions: VersionRange, sessionID: Bytes, credentials: SessionCredentials?) {
        self.versions = versions
        self.sessionID = sessionID
        self.credentials = credentials
    }

    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        versions = try reader.value()
        sessionID = try reader.shortBytes()
        credentials = versions.max >= SMP.sessionKeys ? try reader.value() : nil
    }

    public var encoded: Bytes {
        var writer = ByteWriter()
        writer.value(versions)
        writer.shortBytes(sessionID)
        if versions.max >= SMP.sessionKeys, let credentials { writer.value(credentials) }
        return writer.bytes
    }
}

/// The answer of the client. Later versions may add fields, which are ignored.
public struct ClientHello: Hashable, Sendable {
    public let version: UInt16
    /// Which server the client wants to speak to.
    public let fingerprint: Bytes
    /// Made for this connection; switches block encryption on. From version 7.
    public let key: X25519.PublicKey?
    /// Whether the client is a relay that forwards commands of others. From version 14.
    public let isProxy: Bool
    /// From version 16.
    public let service: ServiceHello?

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

    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        version = try reader.uint16()
        fingerprint = try reader.shortBytes()
        // The key is there or it is not: nothing announces it.
        key =
            version >= SMP.sessionKeys
            ? reader.attempt { reader throws(DecodeError) in try X25519.PublicKey(from: &reader) } : nil
        isProxy = version >= SMP.proxyFlag ? try reader.bool() : false
        service = version >= SMP.serviceCertificates ? try reader.optional() : nil
    }

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

/// How a client with a service certificate introduces itself.
public struct ServiceHello: Hashable, Sendable, ByteCodable {
    public enum Role: Hashable, Sendable {
        case messaging
        case notifier
        case proxy
    }

    public let role: Role
    /// Leaf first, DER; one self-signed certificate is allowed.
    public let chain: [Bytes]
    /// The DER of a signed Ed25519 key, which signs the commands of this session.
    public let signedKey: Bytes

    public init(role: Role, chain: [Bytes], signedKey: Bytes) {
        self.role = role
        self.chain = chain
        self.signedKey = signedKey
    }

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

/// The third block of a connection, only for clients that presented a service certificate.
public enum ServiceAnswer: Hashable, Sendable {
    case accepted(serviceID: EntityID)
    case refused(TransportError)

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
