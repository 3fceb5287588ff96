public import ByteCoding
internal import COpenSSL
public import CryptoCore

/// The private key of an identity certificate. This program makes Ed25519 keys; other relays also have Ed448 keys.
public enum IdentityKey: Sendable {
    /// An Ed25519 key.
    case ed25519(Ed25519.PrivateKey)
    /// An Ed448 key.
    case ed448(Ed448.PrivateKey)

    /// The PKCS #8 header of an Ed448 key (RFC 8410 section 7) before the 57-byte seed.
    private static let ed448Header: Bytes = [0x30, 0x47, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x71, 4, 0x3b, 4, 0x39]

    /// Reads a private key in DER.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for another algorithm or size.
    public init(der: Bytes) throws(DecodeError) {
        if let key = try? Ed25519.PrivateKey(der: der) {
            self = .ed25519(key)
            return
        }
        let header = IdentityKey.ed448Header
        guard der.count == header.count + Ed448.PublicKey.rawSize, der.starts(with: header) else {
            throw .invalid("private key")
        }
        do throws(CryptoError) {
            self = .ed448(try Ed448.PrivateKey(seed: Secret(copying: Bytes(der.dropFirst(header.count)))))
        } catch {
            throw .invalid("private key")
        }
    }

    /// The private key in DER, for a key file. The bytes are outside of secret memory.
    public var der: Bytes {
        switch self {
        case .ed25519(let key): key.der
        case .ed448(let key): IdentityKey.ed448Header + key.seed.copyBytes()
        }
    }

    /// The public part, as in a certificate.
    var publicKey: CertificateChain.LeafKey {
        switch self {
        case .ed25519(let key): .ed25519(key.publicKey)
        case .ed448(let key): .ed448(key.publicKey)
        }
    }

    /// The algorithm and the seed for OpenSSL.
    var parts: (type: Int32, seed: Secret) {
        switch self {
        case .ed25519(let key): (EVP_PKEY_ED25519, key.seed)
        case .ed448(let key): (EVP_PKEY_ED448, key.seed)
        }
    }
}
