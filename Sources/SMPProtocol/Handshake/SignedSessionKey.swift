public import ByteCoding
public import CryptoCore

/// The key of a server's online certificate, which signs session keys.
public enum CertificateKey: Hashable, Sendable {
    /// An Ed25519 key, as in SMP relays.
    case ed25519(Ed25519.PublicKey)
    /// An Ed448 key.
    case ed448(Ed448.PublicKey)

    func verify(_ signature: Bytes, of message: Bytes) -> Bool {
        switch self {
        case .ed25519(let key): key.verify(signature, of: message)
        case .ed448(let key): key.verify(signature, of: message)
        }
    }
}

/// A public key of 44 bytes in DER, signed with the key of a certificate: a DER object similar to X.509 (smp-agent.md
/// 3.2).
///
/// ```
/// SEQUENCE {
///   SEQUENCE { SubjectPublicKeyInfo }       46 bytes, the signed part
///   AlgorithmIdentifier                     7 bytes: Ed25519 or Ed448
///   BIT STRING                              the signature
/// }
/// ```
private struct SignedKey: Hashable, Sendable {
    /// The SubjectPublicKeyInfo.
    let key: Bytes
    private let algorithm: Algorithm
    private let signature: Bytes

    private enum Algorithm: UInt8 {
        case ed25519 = 0x70
        case ed448 = 0x71

        /// AlgorithmIdentifier (RFC 8410 section 3).
        var identifier: Bytes { [0x30, 5, 6, 3, 0x2b, 0x65, rawValue] }

        var signatureSize: Int {
            switch self {
            case .ed25519: Ed25519.signatureSize
            case .ed448: Ed448.signatureSize
            }
        }
    }

    private static let keySize = 44

    init(_ key: Bytes, signedBy signer: Ed25519.PrivateKey) {
        self.key = key
        algorithm = .ed25519
        signature = signer.sign(SignedKey.wrapped(key))
    }

    init(der: Bytes) throws(DecodeError) {
        var reader = ByteReader(der)
        guard try reader.uint8() == 0x30 else { throw .invalid("signed key") }
        let length = try SignedKey.length(from: &reader)
        guard length == reader.remaining else { throw .invalid("signed key length") }
        guard try reader.take(2) == [0x30, UInt8(SignedKey.keySize)] else { throw .invalid("signed key") }
        key = try reader.take(SignedKey.keySize)
        let identifier = try reader.take(7)
        guard let algorithm = Algorithm(rawValue: identifier[6]), algorithm.identifier == identifier else {
            throw .invalid("signature algorithm")
        }
        self.algorithm = algorithm
        guard try reader.uint8() == 3, try SignedKey.length(from: &reader) == algorithm.signatureSize + 1,
            try reader.uint8() == 0
        else { throw .invalid("signature") }
        signature = try reader.take(algorithm.signatureSize)
        try reader.finish()
    }

    var der: Bytes {
        let content = SignedKey.wrapped(key) + algorithm.identifier + [3, UInt8(signature.count + 1), 0] + signature
        // DER encodes lengths from 128 on with a leading count of length bytes.
        return [0x30] + (content.count < 128 ? [] : [0x81]) + [UInt8(content.count)] + content
    }

    func isSigned(by signer: CertificateKey) -> Bool {
        signer.verify(signature, of: SignedKey.wrapped(key))
    }

    private static func wrapped(_ key: Bytes) -> Bytes {
        [0x30, UInt8(key.count)] + key
    }

    private static func length(from reader: inout ByteReader) throws(DecodeError) -> Int {
        let first = try reader.uint8()
        if first < 0x80 { return Int(first) }
        guard first == 0x81 else { throw .invalid("signed key length") }
        let length = try reader.uint8()
        guard length >= 0x80 else { throw .invalid("signed key length") }
        return Int(length)
    }
}

/// A server's X25519 session key, signed with its online certificate (smp-agent.md 3.2).
public struct SignedSessionKey: Hashable, Sendable {
    /// The session key.
    public let key: X25519.PublicKey
    private let signed: SignedKey

    /// Signs a session key with the private key of the online certificate.
    public init(_ key: X25519.PublicKey, signedBy signer: Ed25519.PrivateKey) {
        self.key = key
        signed = SignedKey(key.der, signedBy: signer)
    }

    /// Reads the DER object with one of the two signature algorithms.
    ///
    /// - Throws: ``DecodeError``.
    public init(der: Bytes) throws(DecodeError) {
        signed = try SignedKey(der: der)
        key = try X25519.PublicKey(der: signed.key)
    }

    /// The DER object, 122 bytes with Ed25519 and 173 with Ed448.
    public var der: Bytes { signed.der }

    /// Returns true if the signature was made with the private part of `signer`.
    public func isSigned(by signer: CertificateKey) -> Bool { signed.isSigned(by: signer) }
}

/// The Ed25519 key that signs the commands of a service in one session, signed with the service's certificate
/// (smp-agent.md 3.4).
public struct SignedServiceKey: Hashable, Sendable {
    /// The key of the session.
    public let key: Ed25519.PublicKey
    private let signed: SignedKey

    /// Signs the key of a session with the private key of the certificate.
    public init(_ key: Ed25519.PublicKey, signedBy signer: Ed25519.PrivateKey) {
        self.key = key
        signed = SignedKey(key.der, signedBy: signer)
    }

    /// Reads the DER object with one of the two signature algorithms.
    ///
    /// - Throws: ``DecodeError``.
    public init(der: Bytes) throws(DecodeError) {
        signed = try SignedKey(der: der)
        key = try Ed25519.PublicKey(der: signed.key)
    }

    /// The DER object, 122 bytes with Ed25519 and 173 with Ed448.
    public var der: Bytes { signed.der }

    /// Returns true if the signature was made with the private part of `signer`.
    public func isSigned(by signer: CertificateKey) -> Bool { signed.isSigned(by: signer) }
}

/// The certificates of a server (leaf first, DER) and the session key signed by the leaf.
public struct SessionCredentials: Hashable, Sendable, ByteCodable {
    /// The certificates in DER, leaf first.
    public let chain: [Bytes]
    /// The signed session key.
    public let signedKey: SignedSessionKey

    /// Creates a session credentials from its parts.
    public init(chain: [Bytes], signedKey: SignedSessionKey) {
        self.chain = chain
        self.signedKey = signedKey
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        chain = try reader.nonEmptyList { reader throws(DecodeError) in try reader.largeBytes() }
        signedKey = try SignedSessionKey(der: try reader.largeBytes())
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.list(chain) { $0.largeBytes($1) }
        writer.largeBytes(signedKey.der)
    }

    /// Returns true if the chain belongs to the server with this fingerprint: the second of two to four certificates is
    /// its identity (smp-agent.md 2.3).
    public func belong(to fingerprint: Bytes) -> Bool {
        (2...4).contains(chain.count) && constantTimeEqual(SHA256.hash(chain[1]), fingerprint)
    }
}

/// The session of a proxy with another relay, in PKEY (smp-agent.md 5.9).
public struct ProxiedSession: Hashable, Sendable, ByteCodable {
    /// The id of the session.
    public let sessionID: Bytes
    /// The versions of the other relay.
    public let versions: VersionRange
    /// The other relay's certificates and session key.
    public let credentials: SessionCredentials

    /// Creates a proxied session from its parts.
    public init(sessionID: Bytes, versions: VersionRange, credentials: SessionCredentials) {
        self.sessionID = sessionID
        self.versions = versions
        self.credentials = credentials
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        sessionID = try reader.shortBytes()
        versions = try reader.value()
        credentials = try reader.value()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.shortBytes(sessionID)
        writer.value(versions)
        writer.value(credentials)
    }
}
