public import ByteCoding
internal import CSodium

/// SHA-256 (FIPS 180-4), 32 bytes.
public enum SHA256 {
    public static let size = 32

    public static func hash(_ bytes: Bytes) -> Bytes {
        unsafe Bytes(count: size) { output in
            _ = unsafe crypto_hash_sha256(output, bytes, UInt64(bytes.count))
        }
    }
}

/// SHA-512 (FIPS 180-4), 64 bytes.
public enum SHA512 {
    public static let size = 64

    public static func hash(_ bytes: Bytes) -> Bytes {
        unsafe Bytes(count: size) { output in
            _ = unsafe crypto_hash_sha512(output, bytes, UInt64(bytes.count))
        }
    }
}
