public import ByteCoding
internal import CSodium

/// Signatures on Curve25519 (RFC 8032, pure Ed25519).
public enum Ed25519 {
    /// The size of a signature in bytes.
    public static let signatureSize = 64

    public struct PublicKey: CryptoCore.PublicKey {
        public static let derHeader: Bytes = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0]
        public static let rawSize = 32
        public let raw: Bytes

        public init(checkedRaw raw: Bytes) {
            self.raw = raw
        }

        public func verify(_ signature: Bytes, of message: Bytes) -> Bool {
            guard signature.count == signatureSize else { return false }
            return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), raw) == 0
        }
    }

    /// A private key, kept as its 32-byte seed.
    public struct PrivateKey: Sendable {
        public let seed: Secret
        public let publicKey: PublicKey
        private let expanded: Secret

        /// A key from a 32-byte seed.
        public init(seed: Secret) throws(CryptoError) {
            guard seed.count == Int(crypto_sign_SEEDBYTES) else { throw .invalidKey }
            self.init(checked: seed)
        }

        /// A new key.
        public init(random source: any RandomSource) {
            self.init(checked: Secret(random: source, count: Int(crypto_sign_SEEDBYTES)))
        }

        private init(checked seed: Secret) {
            self.seed = seed
            var publicKey = Bytes(repeating: 0, count: PublicKey.rawSize)
            expanded = unsafe Secret(
                SecretBytes(count: Int(crypto_sign_SECRETKEYBYTES)) { output in
                    unsafe seed.withUnsafeBytes { seed in
                        _ = unsafe crypto_sign_seed_keypair(&publicKey, output.octets, seed.octets)
                    }
                })
            self.publicKey = PublicKey(checkedRaw: publicKey)
        }

        public func sign(_ message: Bytes) -> Bytes {
            unsafe expanded.withUnsafeBytes { key in
                unsafe Bytes(count: signatureSize) { output in
                    _ = unsafe crypto_sign_detached(output, nil, message, UInt64(message.count), key.octets)
                }
            }
        }
    }
}
