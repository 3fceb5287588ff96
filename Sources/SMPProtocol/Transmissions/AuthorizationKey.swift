public import ByteCoding
public import CryptoCore

/// The public key that authorizes commands for a queue: a signature key, or an agreement key for authenticators
/// (smp-agent.md 4.3).
public enum AuthorizationKey: Hashable, Sendable, ByteCodable {
    /// A key for Ed25519 signatures.
    case ed25519(Ed25519.PublicKey)
    /// A key for Ed448 signatures.
    case ed448(Ed448.PublicKey)
    /// A key for authenticators, from version 7.
    case x25519(X25519.PublicKey)

    /// Reads the DER form behind a one-byte length.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        try self.init(der: try reader.shortBytes())
    }

    /// Reads a DER SubjectPublicKeyInfo of one of the three algorithms.
    ///
    /// - Throws: ``DecodeError/invalid(_:)``.
    public init(der: Bytes) throws(DecodeError) {
        if let key = try? Ed25519.PublicKey(der: der) {
            self = .ed25519(key)
        } else if let key = try? X25519.PublicKey(der: der) {
            self = .x25519(key)
        } else {
            self = .ed448(try Ed448.PublicKey(der: der))
        }
    }

    /// The DER SubjectPublicKeyInfo.
    public var der: Bytes {
        switch self {
        case .ed25519(let key): key.der
        case .ed448(let key): key.der
        case .x25519(let key): key.der
        }
    }

    /// Writes the DER form behind a one-byte length.
    public func encode(into writer: inout ByteWriter) {
        writer.shortBytes(der)
    }
}

/// The private part of an ``AuthorizationKey``.
public enum AuthorizationPrivateKey: Sendable {
    /// A key for Ed25519 signatures.
    case ed25519(Ed25519.PrivateKey)
    /// A key for Ed448 signatures.
    case ed448(Ed448.PrivateKey)
    /// A key for authenticators.
    case x25519(X25519.PrivateKey)

    /// The public part of the key.
    public var publicKey: AuthorizationKey {
        switch self {
        case .ed25519(let key): .ed25519(key.publicKey)
        case .ed448(let key): .ed448(key.publicKey)
        case .x25519(let key): .x25519(key.publicKey)
        }
    }
}

// MARK: - PKCS8

extension AuthorizationPrivateKey {
    /// The PKCS8 bytes before the raw key (smp-agent.md 0.2).
    private static let ed25519Header: Bytes = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]
    private static let x25519Header: Bytes = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20]
    private static let ed448Header: Bytes = [0x30, 0x47, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x71, 4, 0x3b, 4, 0x39]

    /// Reads a private key in PKCS8, as in file descriptions.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for another algorithm or size.
    public init(pkcs8 der: Bytes) throws(DecodeError) {
        let header = Bytes(der.prefix(16)), secret = Secret(copying: Bytes(der.dropFirst(16)))
        do throws(CryptoError) {
            switch header {
            case AuthorizationPrivateKey.ed25519Header: self = .ed25519(try Ed25519.PrivateKey(seed: secret))
            case AuthorizationPrivateKey.x25519Header: self = .x25519(try X25519.PrivateKey(secret))
            case AuthorizationPrivateKey.ed448Header: self = .ed448(try Ed448.PrivateKey(seed: secret))
            default: throw .invalidKey
            }
        } catch {
            throw .invalid("private key")
        }
    }

    /// The key in PKCS8: 48 bytes, with Ed448 73. The caller wipes or hides the copy.
    public var pkcs8: Bytes {
        switch self {
        case .ed25519(let key): AuthorizationPrivateKey.ed25519Header + key.seed.copyBytes()
        case .x25519(let key): AuthorizationPrivateKey.x25519Header + key.secret.copyBytes()
        case .ed448(let key): AuthorizationPrivateKey.ed448Header + key.seed.copyBytes()
        }
    }
}
