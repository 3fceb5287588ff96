public import ByteCoding
internal import CSodium

/// Signatures on Curve25519 (RFC 8032, pure Ed25519).
public enum Ed25519 {
    /// The size of a signature in bytes.
    public static let signatureSize = 64

    /// A public key, 32 bytes.
    public struct PublicKey: CryptoCore.PublicKey {
        /// The DER bytes before the raw key (RFC 8410).
        public static let derHeader: Bytes = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0]
        /// The size of the raw key in bytes.
        public static let rawSize = 32
        /// The raw key.
        public let raw: Bytes

        /// Creates a key of 32 bytes whose size was checked.
        public init(checkedRaw raw: Bytes) {
            self.raw = raw
        }

        /// Returns true if `signature` is the key's signature of `message`.
        public func verify(_ signature: Bytes, of message: Bytes) -> Bool {
            guard signature.count == signatureSize else { return false }
            return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), raw) == 0
        }
    }

    /// A private key, stored as its 32-byte seed.
    public struct PrivateKey: Sendable {
        /// The seed, 32 bytes.
        public let seed: Secret
        /// Creates a key from a 32-byte seed.
        ///
        /// - Throws: ``CryptoError/invalidKey`` for another size.
        public init(seed: Secret) throws(CryptoError) {
            guard seed.count == Int(crypto_sign_SEEDBYTES) else { throw .invalidKey }
            self.seed = seed
        }

        /// Creates a random key.
        public init(random source: any RandomSource) {
            seed = Secret(random: source, count: Int(crypto_sign_SEEDBYTES))
        }

        /// The public key. It is computed at each use: most keys that a database has are read without a need for it.
        public var publicKey: PublicKey { expanded.publicKey }

        /// The seed with the public key behind it, and the public key.
        private var expanded: (secret: Secret, publicKey: PublicKey) {
            var publicKey = Bytes(repeating: 0, count: PublicKey.rawSize)
            let secret = unsafe Secret(
                SecretBytes(count: Int(crypto_sign_SECRETKEYBYTES)) { output in
                    unsafe seed.withUnsafeBytes { seed in
                        _ = unsafe crypto_sign_seed_keypair(&publicKey, output.octets, seed.octets)
                    }
                })
            return (secret, PublicKey(checkedRaw: publicKey))
        }

        /// Returns the signature of `message`, 64 bytes.
        public func sign(_ message: Bytes) -> Bytes {
            unsafe expanded.secret.withUnsafeBytes { key in
                unsafe Bytes(count: signatureSize) { output in
                    _ = unsafe crypto_sign_detached(output, nil, message, UInt64(message.count), key.octets)
                }
            }
        }
    }
}
