public import ByteCoding
public import CryptoCore

extension SkippedKey {
    /// The key for a store, 85 bytes. The same key is always the same bytes, so a store finds by them what to remove.
    public func stored() -> Secret {
        var writer = SecretWriter()
        writer.plain.uint8(isPostQuantum ? StorageFormat.postQuantum : StorageFormat.current)
        writer.plain.uint32(number)
        writer.secret(headerKey.secret)
        writer.secret(messageKey.secret)
        writer.plain.raw(messageKey.iv)
        return writer.finish()
    }

    /// Reads a stored key.
    public init(stored: Secret) throws(DecodeError) {
        var reader = SecretReader(stored)
        var plain = try reader.plain(1 + 4)
        switch try plain.uint8() {
        case StorageFormat.current: isPostQuantum = false
        case StorageFormat.postQuantum: isPostQuantum = true
        default: throw .invalid("storage format")
        }
        number = try plain.uint32()
        headerKey = HeaderKey(try reader.key())
        let secret = try reader.key()
        messageKey = MessageKey(secret, iv: try reader.plainBytes(AESGCM.ivSize))
        try reader.finish()
    }
}
