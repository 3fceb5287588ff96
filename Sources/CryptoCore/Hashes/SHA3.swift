public import ByteCoding
internal import COpenSSL

/// SHA-3 (FIPS 202). libsodium has none, so it comes from OpenSSL.
public enum SHA3 {
    /// SHA3-384, 48 bytes.
    public static func hash384(_ bytes: Bytes) -> Bytes {
        var digest = Bytes(repeating: 0, count: 48)
        let status = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha3_384(), nil)
        precondition(status == 1, "SHA-3 fails without memory only")
        return digest
    }
}
