public import ByteCoding
internal import CSodium

/// Key agreement on Curve25519 (RFC 7748).
public enum X25519 {
    public struct PublicKey: CryptoCore.PublicKey {
        public static let derHeader: Bytes = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 3, 0x21, 0]
        public static let rawSize = 32
        public let raw: Bytes

        public init(checkedRaw raw: Bytes) {
            self.raw = raw
        }
    }

    /// A private key; 32 bytes, clamped when it is used.
    public struct PrivateKey: Sendable {
        public let secret: Secret
        public let publicKey: PublicKey

        /// A key from 32 secret bytes.
        public init(_ secret: Secret) throws(CryptoError) {
            guard secret.count == PublicKey.rawSize else { throw .invalidKey }
            self.init(checked: secret)
        }

        /// A new key.
        public init(random source: any RandomSource) {
            self.init(checked: Secret(random: source, count: PublicKey.rawSize))
        }

        private init(checked secret: Secret) {
            self.secret = secret
            publicKey = PublicKey(
                checkedRaw: unsafe secret.withUnsafeBytes { scalar in
                    unsafe Bytes(count: PublicKey.rawSize) { output in
                        _ = unsafe crypto_scalarmult_base(output, scalar.octets)
                    }
                })
        }

        /// The raw 32-byte output of the agreement. A key without contribution (RFC 7748 section 6.1) is invalid.
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
