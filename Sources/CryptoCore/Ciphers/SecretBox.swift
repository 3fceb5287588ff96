public import ByteCoding
internal import CSodium

/// The authenticated cipher below the ratchet: XSalsa20-Poly1305 as NaCl's crypto_box uses it.
///
/// The 32-byte key first goes through HSalsa20 with a zero block, whether it is the raw output of an agreement or a
/// symmetric key. With an agreement this is crypto_box; with a symmetric key it is *not* crypto_secretbox. The tag
/// (16 bytes) comes first, then the ciphertext.
public enum SecretBox {
    public static let keySize = 32
    public static let tagSize = 16

    /// The box of `message`, 16 bytes longer than it.
    public static func seal(_ message: Bytes, nonce: Nonce, key: Secret) -> Bytes {
        unsafe withCipherKey(key) { key in
            unsafe Bytes(count: message.count + tagSize) { output in
                _ = unsafe crypto_secretbox_detached(
                    output + tagSize, output, message, UInt64(message.count), nonce.bytes, key)
            }
        }
    }

    /// The box of `message` padded to `size` bytes, `size` + 16 bytes.
    public static func sealPadded(
        _ message: Bytes, to size: Int, nonce: Nonce, key: Secret
    ) throws(CryptoError) -> Bytes {
        guard Padding.fits(message.count, in: size) else { throw .messageTooLarge }
        return unsafe withCipherKey(key) { key in
            unsafe Bytes(count: size + tagSize) { output in
                let text = unsafe output + tagSize
                // The plaintext is made where the ciphertext will be: the cipher works in place.
                unsafe Padding.write(message, into: UnsafeMutableRawBufferPointer(start: text, count: size))
                _ = unsafe crypto_secretbox_detached(text, output, text, UInt64(size), nonce.bytes, key)
            }
        }
    }

    /// The message of a box.
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
                    // A failed call writes nothing: the memory has to hold something all the same.
                    if !isAuthentic { unsafe output.initialize(repeating: 0, count: size) }
                }
            }
        }
        guard isAuthentic else { throw .authenticationFailed }
        return message
    }

    /// The message of a box of padded bytes.
    public static func openPadded(_ box: Bytes, nonce: Nonce, key: Secret) throws(CryptoError) -> Bytes {
        try Padding.unpad(try open(box, nonce: nonce, key: key))
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
