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
        try check(message, size)
        return unsafe Bytes(count: size) { output in
            unsafe write(message, into: UnsafeMutableRawBufferPointer(start: output, count: size))
        }
    }

    /// The message inside of `padded`. The filler is not looked at.
    public static func unpad(_ padded: Bytes) throws(CryptoError) -> Bytes {
        var reader = ByteReader(padded)
        guard let message = try? reader.largeBytes() else { throw .invalidPadding }
        return message
    }

    /// Throws unless `message` can be padded to `size` bytes.
    static func check(_ message: Bytes, _ size: Int) throws(CryptoError) {
        guard message.count <= maximumMessage, message.count + lengthSize <= size else { throw .messageTooLarge }
    }

    /// Fills `target`, whose size was checked. A relay pads every answer to 16 KB: this is a copy and a fill of memory,
    /// not a loop over bytes.
    @unsafe
    static func write(_ message: Bytes, into target: UnsafeMutableRawBufferPointer) {
        unsafe target.storeBytes(of: UInt16(message.count).bigEndian, as: UInt16.self)
        let end = lengthSize + message.count
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[lengthSize..<end]).copyBytes(from: message)
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[end...]).initializeMemory(as: UInt8.self, repeating: filler)
    }
}
