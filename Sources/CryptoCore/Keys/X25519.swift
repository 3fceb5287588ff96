public import ByteCoding
internal import CSodium

/// Key agreement on Curve25519 (RFC 7748).
public enum X25519 {
    /// A public key, 32 bytes.
    public struct PublicKey: CryptoCore.PublicKey {
        /// The DER bytes before the raw key (RFC 8410).
        public static let derHeader: Bytes = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 3, 0x21, 0]
        /// The size of the raw key in bytes.
        public static let rawSize = 32
        /// The raw key.
        public let raw: Bytes

        /// Creates a key of 32 bytes whose size was checked.
        public init(checkedRaw raw: Bytes) {
            self.raw = raw
        }
    }

    /// A private key, 32 bytes. Each use clamps the key (RFC 7748 5).
    public struct PrivateKey: Sendable {
        /// The secret bytes.
        public let secret: Secret
        /// Creates a key from 32 secret bytes.
        ///
        /// - Throws: ``CryptoError/invalidKey`` for another size.
        public init(_ secret: Secret) throws(CryptoError) {
            guard secret.count == PublicKey.rawSize else { throw .invalidKey }
            self.secret = secret
        }

        /// Creates a random key.
        public init(random source: any RandomSource) {
            secret = Secret(random: source, count: PublicKey.rawSize)
        }

        /// The public key. It is computed at each use: most keys that a database has are read without a need for it.
        public var publicKey: PublicKey {
            PublicKey(
                checkedRaw: unsafe secret.withUnsafeBytes { scalar in
                    unsafe Bytes(count: PublicKey.rawSize) { output in
                        _ = unsafe crypto_scalarmult_base(output, scalar.octets)
                    }
                })
        }

        /// Returns the raw output of the agreement, 32 bytes.
        ///
        /// - Throws: ``CryptoError/invalidKey`` if `other` contributes nothing (RFC 7748 6.1).
        public func agree(with other: PublicKey) throws(CryptoError) -> Secret {
            try unsafe secret.withUnsafeBytes { scalar throws(CryptoError) in
                try unsafe Secret(
                    SecretBytes(count: 32) { output throws(CryptoError) in
                        guard unsafe crypto_scalarmult(output.octets, scalar.octets, other.raw) == 0 else {
                            throw .invalidKey
                        }
                    })
            }
        }
    }
}
