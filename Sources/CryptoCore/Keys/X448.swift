public import ByteCoding
internal import COpenSSL

/// Key agreement on Curve448 (RFC 7748), the curve of the double ratchet.
public enum X448 {
    public struct PublicKey: CryptoCore.PublicKey {
        public static let derHeader: Bytes = [0x30, 0x42, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6f, 3, 0x39, 0]
        public static let rawSize = 56
        public let raw: Bytes

        public init(checkedRaw raw: Bytes) {
            self.raw = raw
        }
    }

    /// A private key; 56 bytes, clamped when it is used.
    public struct PrivateKey: Sendable {
        public let secret: Secret
        public let publicKey: PublicKey

        /// A key from 56 secret bytes.
        public init(_ secret: Secret) throws(CryptoError) {
            let key = try RawKey(privateKey: secret, type: EVP_PKEY_X448)
            publicKey = PublicKey(checkedRaw: try key.publicKey(size: PublicKey.rawSize))
            self.secret = secret
        }

        /// A key from a store that kept both halves: recomputing the public one costs as much as an agreement. Only the
        /// sizes are checked.
        public init(_ secret: Secret, publicKey: PublicKey) throws(CryptoError) {
            guard secret.count == PublicKey.rawSize else { throw .invalidKey }
            self.secret = secret
            self.publicKey = publicKey
        }

        /// A new key.
        public init(random source: any RandomSource) {
            do throws(CryptoError) {
                try self.init(Secret(random: source, count: PublicKey.rawSize))
            } catch {
                preconditionFailure("OpenSSL makes a key of any bytes of the right size")
            }
        }

        /// The raw 56-byte output of the agreement. A key without contribution (RFC 7748 section 6.2) is invalid.
        public func agree(with other: PublicKey) throws(CryptoError) -> Secret {
            let own = try RawKey(privateKey: secret, type: EVP_PKEY_X448)
            return try own.agree(with: RawKey(publicKey: other.raw, type: EVP_PKEY_X448), size: PublicKey.rawSize)
        }
    }
}
