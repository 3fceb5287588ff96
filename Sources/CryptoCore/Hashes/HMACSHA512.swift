public import ByteCoding
internal import CSodium

/// HMAC with SHA-512 (RFC 2104), 64 bytes.
public enum HMACSHA512 {
    /// The size of a code in bytes.
    public static let size = Int(crypto_auth_hmacsha512_BYTES)

    /// Returns the code of several parts, read in order.
    public static func code(of parts: [ArraySlice<UInt8>], key: Secret) -> Bytes {
        var state = crypto_auth_hmacsha512_state()
        defer { unsafe sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha512_state>.size) }
        unsafe key.withUnsafeBytes { key in
            unsafe _ = crypto_auth_hmacsha512_init(&state, key.octets, key.count)
        }
        for part in parts {
            unsafe part.withUnsafeBytes { part in
                unsafe _ = crypto_auth_hmacsha512_update(&state, part.octets, UInt64(part.count))
            }
        }
        return unsafe Bytes(count: size) { output in
            unsafe _ = crypto_auth_hmacsha512_final(&state, output)
        }
    }
}
