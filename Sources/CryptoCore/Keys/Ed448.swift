public import ByteCoding
internal import COpenSSL

/// Signatures on Curve448 (RFC 8032, pure Ed448 with an empty context).
public enum Ed448 {
    /// The size of a signature in bytes.
    public static let signatureSize = 114

    public struct PublicKey: CryptoCore.PublicKey {
        public static let derHeader: Bytes = [0x30, 0x43, 0x30, 5, 6, 3, 0x2b, 0x65, 0x71, 3, 0x3a, 0]
        public static let rawSize = 57
        public let raw: Bytes

        public init(checkedRaw raw: Bytes) {
            self.raw = raw
        }

        public func verify(_ signature: Bytes, of message: Bytes) -> Bool {
            guard let key = try? RawKey(publicKey: raw, type: EVP_PKEY_ED448) else { return false }
            return key.verify(signature, of: message)
        }
    }

    /// A private key, kept as its 57-byte seed.
    public struct PrivateKey: Sendable {
        public let seed: Secret
        public let publicKey: PublicKey

        /// A key from a 57-byte seed.
        public init(seed: Secret) throws(CryptoError) {
            let key = try RawKey(privateKey: seed, type: EVP_PKEY_ED448)
            publicKey = PublicKey(checkedRaw: try key.publicKey(size: PublicKey.rawSize))
            self.seed = seed
        }

        /// A new key.
        public init(random source: any RandomSource) {
            do throws(CryptoError) {
                try self.init(seed: Secret(random: source, count: PublicKey.rawSize))
            } catch {
                preconditionFailure("OpenSSL makes a key of any bytes of the right size")
            }
        }

        public func sign(_ message: Bytes) throws(CryptoError) -> Bytes {
            try RawKey(privateKey: seed, type: EVP_PKEY_ED448).sign(message, size: signatureSize)
        }
    }
}
