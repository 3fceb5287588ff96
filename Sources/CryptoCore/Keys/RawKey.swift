internal import ByteCoding
internal import COpenSSL

/// An OpenSSL key of an algorithm with plain byte strings as keys (X448, Ed448), freed at the end of its life.
@safe
struct RawKey: ~Copyable {
    private let key: OpaquePointer

    /// Creates a public key from its raw bytes.
    init(publicKey raw: Bytes, type: Int32) throws(CryptoError) {
        guard let key = unsafe EVP_PKEY_new_raw_public_key(type, nil, raw, raw.count) else { throw .invalidKey }
        unsafe self.key = key
    }

    /// Creates a private key from its secret bytes.
    init(privateKey secret: Secret, type: Int32) throws(CryptoError) {
        let key = unsafe secret.withUnsafeBytes { bytes in
            unsafe EVP_PKEY_new_raw_private_key(type, nil, bytes.octets, bytes.count)
        }
        guard let key = unsafe key else { throw .invalidKey }
        unsafe self.key = key
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// Returns the raw public key of this key, `size` bytes.
    borrowing func publicKey(size: Int) throws(CryptoError) -> Bytes {
        var raw = Bytes(repeating: 0, count: size)
        var count = size
        guard unsafe EVP_PKEY_get_raw_public_key(key, &raw, &count) == 1, count == size else { throw .libraryFailed }
        return raw
    }

    /// Returns the agreement of this private key and `other`, `size` bytes.
    borrowing func agree(with other: borrowing RawKey, size: Int) throws(CryptoError) -> Secret {
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { throw .libraryFailed }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_derive_init(context) == 1, unsafe EVP_PKEY_derive_set_peer(context, other.key) == 1 else {
            throw .invalidKey
        }
        return try unsafe Secret(
            SecretBytes(count: size) { output throws(CryptoError) in
                var count = size
                let status = unsafe EVP_PKEY_derive(context, output.octets, &count)
                guard status == 1, count == size else { throw .invalidKey }
            })
    }

    /// Returns the signature of `message`, `size` bytes.
    borrowing func sign(_ message: Bytes, size: Int) throws(CryptoError) -> Bytes {
        guard let context = unsafe EVP_MD_CTX_new() else { throw .libraryFailed }
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = Bytes(repeating: 0, count: size)
        var count = size
        guard unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == size
        else { throw .libraryFailed }
        return signature
    }

    borrowing func verify(_ signature: Bytes, of message: Bytes) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
