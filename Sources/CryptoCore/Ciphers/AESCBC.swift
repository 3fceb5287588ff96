public import ByteCoding
internal import COpenSSL

/// AES-256-CBC without padding (NIST SP 800-38A): whole blocks in, whole blocks out. It authenticates nothing.
public enum AESCBC {
    /// The size of a key in bytes.
    public static let keySize = 32
    /// The size of an IV and of a block in bytes.
    public static let blockSize = 16

    /// Encrypts whole blocks.
    ///
    /// - Throws: ``CryptoError/invalidKey`` for a key or IV of another size, ``CryptoError/messageTooLarge`` for a part of
    ///   a block.
    public static func encrypt(_ plaintext: ArraySlice<UInt8>, key: Secret, iv: Bytes) throws(CryptoError) -> Bytes {
        try apply(plaintext, key: key, iv: iv, encrypts: true)
    }

    /// Decrypts whole blocks.
    ///
    /// - Throws: ``CryptoError/invalidKey`` for a key or IV of another size, ``CryptoError/messageTooLarge`` for a part of
    ///   a block.
    public static func decrypt(_ ciphertext: ArraySlice<UInt8>, key: Secret, iv: Bytes) throws(CryptoError) -> Bytes {
        try apply(ciphertext, key: key, iv: iv, encrypts: false)
    }

    private static func apply(
        _ input: ArraySlice<UInt8>, key: Secret, iv: Bytes, encrypts: Bool
    ) throws(CryptoError) -> Bytes {
        guard key.count == keySize, iv.count == blockSize else { throw .invalidKey }
        guard input.count % blockSize == 0, let size = Int32(exactly: input.count) else { throw .messageTooLarge }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .libraryFailed }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let direction: Int32 = encrypts ? 1 : 0
        let isReady = unsafe key.withUnsafeBytes { key in
            unsafe EVP_CipherInit_ex2(context, Cipher.shared.pointer, key.octets, iv, direction, nil) == 1
                && EVP_CIPHER_CTX_set_padding(context, 0) == 1
        }
        guard isReady else { throw .libraryFailed }
        var succeeded = false
        let output = unsafe Bytes(unsafeUninitializedCapacity: input.count + blockSize) { output, count in
            let target = UnsafeMutableRawBufferPointer(output)
            var written: Int32 = 0
            succeeded = unsafe input.withUnsafeBytes { input in
                unsafe EVP_CipherUpdate(context, target.octets, &written, input.octets, size) == 1
            }
            count = succeeded ? Int(written) : 0
        }
        guard succeeded, output.count == input.count else { throw .libraryFailed }
        return output
    }

    /// The cipher object of OpenSSL, looked up once.
    @safe
    private struct Cipher: @unchecked Sendable {
        // Safe because OpenSSL reference-counts the algorithm, never changes it, and this one is never freed.
        static let shared = Cipher()
        let pointer: OpaquePointer?

        init() {
            unsafe pointer = EVP_CIPHER_fetch(nil, "AES-256-CBC", nil)
        }
    }
}
