public import ByteCoding
internal import CSodium

/// The authenticated cipher of what is stored: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03).
///
/// Its nonce of 24 bytes is long enough to be drawn at random for every message of a key.
public enum XChaCha20Poly1305 {
    public static let keySize = 32
    public static let nonceSize = 24
    public static let tagSize = 16

    /// The ciphertext of `message` with the tag behind it, 16 bytes longer than the message.
    public static func seal(_ message: Secret, nonce: Nonce, associated: Bytes, key: Secret) -> Bytes {
        unsafe Bytes(count: message.count + tagSize) { output in
            unsafe message.withUnsafeBytes { message in
                unsafe associated.withUnsafeBytes { associated in
                    unsafe nonce.bytes.withUnsafeBytes { nonce in
                        unsafe seal(
                            message, into: output, tag: output + message.count, nonce: nonce.octets,
                            associated: associated, key: key)
                    }
                }
            }
        }
    }

    /// The message of ``seal(_:nonce:associated:key:)``.
    public static func open(
        _ box: Bytes, nonce: Nonce, associated: Bytes, key: Secret
    ) throws(CryptoError) -> Secret {
        guard box.count >= tagSize else { throw .authenticationFailed }
        let size = box.count - tagSize
        return unsafe Secret(
            try SecretBytes(count: size) { output throws(CryptoError) in
                let isAuthentic = unsafe box.withUnsafeBytes { box in
                    unsafe associated.withUnsafeBytes { associated in
                        unsafe nonce.bytes.withUnsafeBytes { nonce in
                            unsafe open(
                                UnsafeRawBufferPointer(rebasing: box[..<size]), into: output.octets,
                                tag: box.octets + size, nonce: nonce.octets, associated: associated, key: key)
                        }
                    }
                }
                guard isAuthentic else { throw .authenticationFailed }
            })
    }

    // MARK: - In memory of the caller

    /// Encrypts `message` into as many bytes at `output`, which may be the same memory, and its tag to `tag`.
    @unsafe
    public static func seal(
        _ message: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>, tag: UnsafeMutablePointer<UInt8>,
        nonce: UnsafePointer<UInt8>, associated: UnsafeRawBufferPointer, key: Secret
    ) {
        precondition(key.count == keySize, "the cipher has a key of 32 bytes")
        unsafe key.withUnsafeBytes { key in
            _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
                output, tag, nil, message.octets, UInt64(message.count), associated.octets, UInt64(associated.count),
                nil, nonce, key.octets)
        }
    }

    /// Decrypts `box` into as many bytes at `output`, which may be the same memory. False, with `output` in an unknown
    /// state, if the tag does not match.
    @unsafe
    public static func open(
        _ box: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>, tag: UnsafePointer<UInt8>,
        nonce: UnsafePointer<UInt8>, associated: UnsafeRawBufferPointer, key: Secret
    ) -> Bool {
        precondition(key.count == keySize, "the cipher has a key of 32 bytes")
        return unsafe key.withUnsafeBytes { key in
            unsafe crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
                output, nil, box.octets, UInt64(box.count), tag, associated.octets, UInt64(associated.count), nonce,
                key.octets) == 0
        }
    }
}
