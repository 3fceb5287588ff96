public import ByteCoding
internal import CSodium

/// The authenticated cipher below the ratchet: XSalsa20-Poly1305 as in NaCl's crypto_box (smp-agent.md 0.5).
///
/// The 32-byte key first goes through HSalsa20 with a zero block, for an agreement as for a symmetric key. With an
/// agreement this is crypto_box; with a symmetric key it is *not* crypto_secretbox. The tag (16 bytes) comes first,
/// then the ciphertext.
public enum SecretBox {
    /// The size of a key in bytes.
    public static let keySize = 32
    /// The size of a tag in bytes.
    public static let tagSize = 16

    /// Encrypts `message`. The box is 16 bytes longer than the message.
    public static func seal(_ message: Bytes, nonce: Nonce, key: Secret) -> Bytes {
        unsafe withCipherKey(key) { key in
            unsafe Bytes(count: message.count + tagSize) { output in
                _ = unsafe crypto_secretbox_detached(
                    output + tagSize, output, message, UInt64(message.count), nonce.bytes, key)
            }
        }
    }

    /// Encrypts `message` padded to `size` bytes. The box has `size` + 16 bytes.
    ///
    /// - Throws: ``CryptoError/messageTooLarge``.
    public static func sealPadded(
        _ message: Bytes, to size: Int, nonce: Nonce, key: Secret
    ) throws(CryptoError) -> Bytes {
        guard Padding.fits(message.count, in: size) else { throw .messageTooLarge }
        return unsafe withCipherKey(key) { key in
            unsafe Bytes(count: size + tagSize) { output in
                let text = unsafe output + tagSize
                // The plaintext is made in the memory of the ciphertext: the cipher works in place.
                unsafe Padding.write(message, into: UnsafeMutableRawBufferPointer(start: text, count: size))
                _ = unsafe crypto_secretbox_detached(text, output, text, UInt64(size), nonce.bytes, key)
            }
        }
    }

    /// Decrypts a box.
    ///
    /// - Throws: ``CryptoError/authenticationFailed``.
    public static func open(_ box: Bytes, nonce: Nonce, key: Secret) throws(CryptoError) -> Bytes {
        guard box.count >= tagSize else { throw .authenticationFailed }
        let size = box.count - tagSize
        var isAuthentic = false
        let message = unsafe withCipherKey(key) { key in
            unsafe box.withUnsafeBytes { box in
                unsafe Bytes(count: size) { output in
                    isAuthentic =
                        unsafe crypto_secretbox_open_detached(
                            output, box.octets + tagSize, box.octets, UInt64(size), nonce.bytes, key) == 0
                    // A failed call writes nothing, but the memory must be initialized.
                    if !isAuthentic { unsafe output.initialize(repeating: 0, count: size) }
                }
            }
        }
        guard isAuthentic else { throw .authenticationFailed }
        return message
    }

    /// Decrypts a box and removes the padding.
    ///
    /// - Throws: ``CryptoError/authenticationFailed`` or ``CryptoError/invalidPadding``.
    public static func openPadded(_ box: Bytes, nonce: Nonce, key: Secret) throws(CryptoError) -> Bytes {
        try Padding.unpad(try open(box, nonce: nonce, key: key))
    }

    /// The key of XSalsa20 for a key of a box.
    static func cipherKey(_ key: Secret) -> Secret {
        unsafe withCipherKey(key) { unsafe Secret(copying: UnsafeRawBufferPointer(start: $0, count: keySize).bytes) }
    }

    @unsafe
    private static func withCipherKey<Result>(_ key: Secret, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        precondition(key.count == keySize, "a box has a key of 32 bytes")
        let zeroBlock = Bytes(repeating: 0, count: 16)
        return unsafe withUnsafeTemporaryAllocation(byteCount: keySize, alignment: 16) { derived in
            defer { unsafe sodium_memzero(derived.octets, keySize) }
            unsafe key.withUnsafeBytes { key in
                _ = unsafe crypto_core_hsalsa20(derived.octets, zeroBlock, key.octets, nil)
            }
            return unsafe body(derived.octets)
        }
    }
}
