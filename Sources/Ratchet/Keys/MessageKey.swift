package import ByteCoding
package import CryptoCore

/// The key and the IV of one message body, 32 and 16 bytes.
package struct MessageKey: Sendable {
    package let secret: Secret
    /// Never sent: both sides derive it.
    package let iv: Bytes

    init(_ secret: Secret, iv: Bytes) {
        self.secret = secret
        self.iv = iv
    }

    /// The length and the bytes of `header`, the tag and the ciphertext of `message` padded to `paddedSize` bytes.
    func seal(
        _ message: Bytes, paddedSize: Int, header: EncryptedHeader, associatedData: Bytes
    ) throws(CryptoError) -> Bytes {
        try AESGCM.sealPadded(
            message, to: paddedSize, after: header.prefixed, key: secret, iv: iv,
            associated: [associatedData, header.encoded])
    }

    /// The message inside of a body.
    func open(_ body: ArraySlice<UInt8>, header: EncryptedHeader, associatedData: Bytes) throws(CryptoError) -> Bytes {
        try AESGCM.openPadded(body, key: secret, iv: iv, associated: [associatedData, header.encoded])
    }
}
