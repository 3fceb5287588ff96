public import ByteCoding

/// Hides the length of a message: a two-byte length, the message, and `#` up to a fixed size.
public enum Padding {
    static let filler = UInt8(ascii: "#")
    /// The bytes of the length field.
    public static let lengthSize = 2
    /// The longest message, however large the padded size is.
    public static let maximumMessage = 65533

    /// `message` padded to `size` bytes.
    public static func pad(_ message: Bytes, to size: Int) throws(CryptoError) -> Bytes {
        guard message.count <= maximumMessage, message.count + lengthSize <= size else { throw .messageTooLarge }
        var writer = ByteWriter(capacity: size)
        writer.largeBytes(message)
        writer.raw(repeatElement(filler, count: size - message.count - lengthSize))
        return writer.bytes
    }

    /// The message inside of `padded`. The filler is not looked at.
    public static func unpad(_ padded: Bytes) throws(CryptoError) -> Bytes {
        var reader = ByteReader(padded)
        guard let message = try? reader.largeBytes() else { throw .invalidPadding }
        return message
    }
}
