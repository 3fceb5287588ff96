public import ByteCoding
internal import COpenSSL

/// AES-256-GCM with a 16-byte IV (NIST SP 800-38D, where the counter block of such an IV is a hash of it).
public enum AESGCM {
    public static let keySize = 32
    public static let ivSize = 16
    public static let tagSize = 16

    /// A ciphertext, as long as its plaintext, and its tag.
    public struct Sealed: Hashable, Sendable {
        public let tag: Bytes
        public let ciphertext: Bytes

        public init(tag: Bytes, ciphertext: Bytes) {
            self.tag = tag
            self.ciphertext = ciphertext
        }
    }

    /// Encrypts `plaintext` and authenticates it together with `associated`.
    public static func seal(
        _ plaintext: Bytes, key: Secret, iv: Bytes, associated: Bytes
    ) throws(CryptoError) -> Sealed {
        let context = try CipherContext(key: key, iv: iv, encrypts: true)
        try context.authenticate(associated)
        let ciphertext = try context.update(plaintext)
        return Sealed(tag: try context.finishTag(), ciphertext: ciphertext)
    }

    /// Decrypts, after which the plaintext and `associated` are known to come from a holder of the key.
    public static func open(
        _ sealed: Sealed, key: Secret, iv: Bytes, associated: Bytes
    ) throws(CryptoError) -> Bytes {
        guard sealed.tag.count == tagSize else { throw .authenticationFailed }
        let context = try CipherContext(key: key, iv: iv, encrypts: false)
        try context.authenticate(associated)
        let plaintext = try context.update(sealed.ciphertext)
        try context.verify(tag: sealed.tag)
        return plaintext
    }
}

/// An OpenSSL cipher context of AES-256-GCM. Freed, and thereby wiped, at the end of its life.
@safe
private struct CipherContext: ~Copyable {
    private let context: OpaquePointer

    init(key: Secret, iv: Bytes, encrypts: Bool) throws(CryptoError) {
        guard key.count == AESGCM.keySize, iv.count == AESGCM.ivSize else { throw .invalidKey }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .libraryFailed }
        let direction: Int32 = encrypts ? 1 : 0
        let ready = unsafe key.withUnsafeBytes { key in
            unsafe EVP_CipherInit_ex2(context, Cipher.shared.pointer, nil, nil, direction, nil) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(AESGCM.ivSize), nil) == 1
                && EVP_CipherInit_ex2(
                    context, nil, key.octets, iv, direction, nil) == 1
        }
        guard ready else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw .libraryFailed
        }
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
    }

    borrowing func authenticate(_ associated: Bytes) throws(CryptoError) {
        var count: Int32 = 0
        guard unsafe EVP_CipherUpdate(context, nil, &count, associated, Int32(associated.count)) == 1 else {
            throw .libraryFailed
        }
    }

    borrowing func update(_ input: Bytes) throws(CryptoError) -> Bytes {
        var succeeded = false
        let output = unsafe Bytes(unsafeUninitializedCapacity: input.count) { output, count in
            var written: Int32 = 0
            succeeded = unsafe EVP_CipherUpdate(context, output.baseAddress, &written, input, Int32(input.count)) == 1
            count = Int(written)
        }
        guard succeeded, output.count == input.count else { throw .libraryFailed }
        return output
    }

    borrowing func finishTag() throws(CryptoError) -> Bytes {
        var count: Int32 = 0
        var tag = Bytes(repeating: 0, count: AESGCM.tagSize)
        guard unsafe EVP_CipherFinal_ex(context, nil, &count) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagSize), &tag) == 1
        else { throw .libraryFailed }
        return tag
    }

    borrowing func verify(tag: Bytes) throws(CryptoError) {
        var expected = tag
        var count: Int32 = 0
        guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &expected) == 1,
            unsafe EVP_CipherFinal_ex(context, nil, &count) == 1
        else { throw .authenticationFailed }
    }
}

/// The algorithm, looked up once: a look-up costs more than the encryption of a message.
@safe
private struct Cipher: @unchecked Sendable {
    // Safe because OpenSSL reference-counts the algorithm, never changes it, and this one is never freed.
    static let shared = Cipher()
    let pointer: OpaquePointer?

    init() {
        unsafe pointer = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    }
}
