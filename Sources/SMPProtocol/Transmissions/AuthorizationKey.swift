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
