public import ByteCoding
public import CryptoCore

extension SkippedKey {
    /// The key for a store, 85 bytes. The same key is always the same bytes, so a store finds by them what to remove.
    public func stored() -> Secret {
        var writer = SecretWriter()
        writer.plain.uint8(StorageFormat.current)
        writer.plain.uint32(number)
        writer.secret(headerKey.secret)
        writer.secret(messageKey.secret)
        writer.plain.raw(messageKey.iv)
        return writer.finish()
    }

    /// Reads a stored key.
    public init(stored: Secret) throws(DecodeError) {
        var reader = SecretReader(stored)
        try StorageFormat.check(&reader)
        var plain = try reader.plain(4)
        number = try plain.uint32()
        headerKey = HeaderKey(try reader.key())
        let secret = try reader.key()
        messageKey = MessageKey(secret, iv: try reader.plainBytes(AESGCM.ivSize))
        try reader.finish()
    }
}
