public import ByteCoding
internal import COpenSSL

/// SHA-3 (FIPS 202). libsodium has none, so it comes from OpenSSL.
public enum SHA3 {
    /// SHA3-256, 32 bytes.
    public static func hash256(_ bytes: Bytes) -> Bytes {
        unsafe hash(bytes, EVP_sha3_256(), size: 32)
    }

    /// SHA3-384, 48 bytes.
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
