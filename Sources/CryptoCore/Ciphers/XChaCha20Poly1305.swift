public import ByteCoding
internal import CSodium

/// The authenticated cipher of stored data: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03).
///
/// Its 24-byte nonce is long enough to be random for every message of a key.
public enum XChaCha20Poly1305 {
    /// The size of a key in bytes.
    public static let keySize = 32
    /// The size of a nonce in bytes.
    public static let nonceSize = 24
    /// The size of a tag in bytes.
    public static let tagSize = 16

    /// Encrypts `message`. The tag follows the ciphertext; together they are 16 bytes longer than the message.
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

    /// Decrypts a box of ``seal(_:nonce:associated:key:)``.
    ///
    /// - Throws: ``CryptoError/authenticationFailed``.
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

    /// Encrypts `message` to `output`, which has the same size and may be the same memory, and writes the tag to `tag`.
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

    /// Decrypts `box` to `output`, which has the same size and may be the same memory. Returns false, with `output`
    /// undefined, if the tag does not match.
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
