public import ByteCoding
internal import COpenSSL
internal import CSodium

/// SHA-256 (FIPS 180-4), 32 bytes.
public enum SHA256 {
    /// The size of a hash in bytes.
    public static let size = 32

    /// Returns the hash of `bytes`, 32 bytes.
    public static func hash(_ bytes: Bytes) -> Bytes {
        unsafe Bytes(count: size) { output in
            _ = unsafe crypto_hash_sha256(output, bytes, UInt64(bytes.count))
        }
    }

    /// The hash of a byte string that arrives in parts, such as a file.
    public struct Stream: Sendable {
        private var state = crypto_hash_sha256_state()

        /// Begins the hash of an empty byte string.
        public init() {
            _ = unsafe crypto_hash_sha256_init(&state)
        }

        /// Appends a part.
        public mutating func update(_ bytes: Bytes) {
            _ = unsafe crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
        }

        /// The hash of all parts so far, 32 bytes.
        public var hash: Bytes {
            var final = state
            return unsafe Bytes(count: size) { output in
                _ = unsafe crypto_hash_sha256_final(&final, output)
            }
        }
    }
}

/// SHA-512 (FIPS 180-4), 64 bytes.
public enum SHA512 {
    /// The size of a hash in bytes.
    public static let size = 64

    /// Returns the hash of `bytes`, 64 bytes.
    public static func hash(_ bytes: Bytes) -> Bytes {
        unsafe Bytes(count: size) { output in
            _ = unsafe crypto_hash_sha512(output, bytes, UInt64(bytes.count))
        }
    }

    /// The hash of a byte string that arrives in parts, such as a file.
    public struct Stream: Sendable {
        private var state = crypto_hash_sha512_state()

        /// Begins the hash of an empty byte string.
        public init() {
            _ = unsafe crypto_hash_sha512_init(&state)
        }

        /// Appends a part.
        public mutating func update(_ bytes: Bytes) {
            _ = unsafe crypto_hash_sha512_update(&state, bytes, UInt64(bytes.count))
        }

        /// The hash of all parts so far, 64 bytes.
        public var hash: Bytes {
            var final = state
            return unsafe Bytes(count: size) { output in
                _ = unsafe crypto_hash_sha512_final(&final, output)
            }
        }
    }
}

/// SHA-3 (FIPS 202) from OpenSSL, because libsodium has none.
public enum SHA3 {
    /// Returns the SHA3-256 hash of `bytes`, 32 bytes.
    public static func hash256(_ bytes: Bytes) -> Bytes {
        unsafe hash(bytes, EVP_sha3_256(), size: 32)
    }

    /// Returns the SHA3-384 hash of `bytes`, 48 bytes.
    public static func hash384(_ bytes: Bytes) -> Bytes {
        unsafe hash(bytes, EVP_sha3_384(), size: 48)
    }

    private static func hash(_ bytes: Bytes, _ algorithm: OpaquePointer?, size: Int) -> Bytes {
        var digest = Bytes(repeating: 0, count: size)
        let status = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, algorithm, nil)
        precondition(status == 1, "SHA-3 fails without memory only")
        return digest
    }
}

/// MD5 (RFC 1321), 16 bytes, from OpenSSL. It is broken for signatures; relays compare lists of random ids with it.
public enum MD5 {
    /// The size of a hash in bytes.
    public static let size = 16

    /// Returns the hash of `bytes`, 16 bytes.
    public static func hash(_ bytes: Bytes) -> Bytes {
        var digest = Bytes(repeating: 0, count: size)
        let status = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_md5(), nil)
        precondition(status == 1, "MD5 fails without memory only")
        return digest
    }
}

/// SHA-1 (FIPS 180-4), 20 bytes, from OpenSSL. It is broken for signatures; the handshake of WebSocket uses it to tell servers apart.
public enum SHA1 {
    /// The size of a hash in bytes.
    public static let size = 20

    /// Returns the hash of `bytes`, 20 bytes.
    public static func hash(_ bytes: Bytes) -> Bytes {
        var digest = Bytes(repeating: 0, count: size)
        let status = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil)
        precondition(status == 1, "SHA-1 fails without memory only")
        return digest
    }
}
