public import ByteCoding
internal import COpenSSL

/// Key agreement on Curve448 (RFC 7748), the curve of the double ratchet.
public enum X448 {
    /// A public key, 56 bytes.
    public struct PublicKey: CryptoCore.PublicKey {
        /// The DER bytes before the raw key (RFC 8410).
        public static let derHeader: Bytes = [0x30, 0x42, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6f, 3, 0x39, 0]
        /// The size of the raw key in bytes.
        public static let rawSize = 56
        /// The raw key.
        public let raw: Bytes

        /// Creates a key of 56 bytes whose size was checked.
        public init(checkedRaw raw: Bytes) {
            self.raw = raw
        }
    }

    /// A private key, 56 bytes. Each use clamps the key (RFC 7748 5).
    public struct PrivateKey: Sendable {
        /// The secret bytes.
        public let secret: Secret
        /// The public key.
        public let publicKey: PublicKey

        /// Creates a key from 56 secret bytes.
        ///
        /// - Throws: ``CryptoError/invalidKey`` for another size.
        public init(_ secret: Secret) throws(CryptoError) {
            let key = try RawKey(privateKey: secret, type: EVP_PKEY_X448)
            publicKey = PublicKey(checkedRaw: try key.publicKey(size: PublicKey.rawSize))
            self.secret = secret
        }

        /// Creates a key from both stored halves: computing the public half costs as much as an agreement. Only the
        /// sizes are checked.
        ///
        /// - Throws: ``CryptoError/invalidKey`` for another size.
        public init(_ secret: Secret, publicKey: PublicKey) throws(CryptoError) {
            guard secret.count == PublicKey.rawSize else { throw .invalidKey }
            self.secret = secret
            self.publicKey = publicKey
        }

        /// Creates a random key.
        public init(random source: any RandomSource) {
            do throws(CryptoError) {
                try self.init(Secret(random: source, count: PublicKey.rawSize))
            } catch {
                preconditionFailure("OpenSSL makes a key of any bytes of the right size")
            }
        }

        /// Returns the raw output of the agreement, 56 bytes.
        ///
        /// - Throws: ``CryptoError/invalidKey`` if `other` contributes nothing (RFC 7748 6.2).
        public func agree(with other: PublicKey) throws(CryptoError) -> Secret {
            let own = try RawKey(privateKey: secret, type: EVP_PKEY_X448)
            return try own.agree(with: RawKey(publicKey: other.raw, type: EVP_PKEY_X448), size: PublicKey.rawSize)
        }
    }
}
