public import ByteCoding
internal import COpenSSL

/// Signatures on Curve448 (RFC 8032, pure Ed448 with an empty context).
public enum Ed448 {
    /// The size of a signature in bytes.
    public static let signatureSize = 114

    /// A public key, 57 bytes.
    public struct PublicKey: CryptoCore.PublicKey {
        /// The DER bytes before the raw key (RFC 8410).
        public static let derHeader: Bytes = [0x30, 0x43, 0x30, 5, 6, 3, 0x2b, 0x65, 0x71, 3, 0x3a, 0]
        /// The size of the raw key in bytes.
        public static let rawSize = 57
        /// The raw key.
        public let raw: Bytes

        /// Creates a key of 57 bytes whose size was checked.
        public init(checkedRaw raw: Bytes) {
            self.raw = raw
        }

        /// Returns true if `signature` is the key's signature of `message`.
        public func verify(_ signature: Bytes, of message: Bytes) -> Bool {
            guard let key = try? RawKey(publicKey: raw, type: EVP_PKEY_ED448) else { return false }
            return key.verify(signature, of: message)
        }
    }

    /// A private key, stored as its 57-byte seed.
    public struct PrivateKey: Sendable {
        /// The seed, 57 bytes.
        public let seed: Secret
        /// The public key.
        public let publicKey: PublicKey

        /// Creates a key from a 57-byte seed.
        ///
        /// - Throws: ``CryptoError/invalidKey`` for another size.
        public init(seed: Secret) throws(CryptoError) {
            let key = try RawKey(privateKey: seed, type: EVP_PKEY_ED448)
            publicKey = PublicKey(checkedRaw: try key.publicKey(size: PublicKey.rawSize))
            self.seed = seed
        }

        /// Creates a random key.
        public init(random source: any RandomSource) {
            do throws(CryptoError) {
                try self.init(seed: Secret(random: source, count: PublicKey.rawSize))
            } catch {
                preconditionFailure("OpenSSL makes a key of any bytes of the right size")
            }
        }

        /// Returns the signature of `message`, 114 bytes.
        ///
        /// - Throws: ``CryptoError/libraryFailed``.
        public func sign(_ message: Bytes) throws(CryptoError) -> Bytes {
            try RawKey(privateKey: seed, type: EVP_PKEY_ED448).sign(message, size: signatureSize)
        }
    }
}
