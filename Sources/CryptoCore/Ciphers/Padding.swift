public import ByteCoding

/// The padding that hides the length of a message: a two-byte length, the message, and `#` up to a fixed size
/// (smp-agent.md 0.4).
public enum Padding {
    static let filler = UInt8(ascii: "#")
    /// The size of the length field in bytes.
    public static let lengthSize = 2
    /// The longest message in bytes, for any padded size.
    public static let maximumMessage = 65533

    /// Returns `message` padded to `size` bytes.
    ///
    /// - Throws: ``CryptoError/messageTooLarge``.
    public static func pad(_ message: Bytes, to size: Int) throws(CryptoError) -> Bytes {
        guard fits(message.count, in: size) else { throw .messageTooLarge }
        return unsafe Bytes(count: size) { output in
            unsafe write(message, into: UnsafeMutableRawBufferPointer(start: output, count: size))
        }
    }

    /// Returns the message in `padded`. The filler is not checked.
    ///
    /// - Throws: ``CryptoError/invalidPadding``.
    public static func unpad(_ padded: Bytes) throws(CryptoError) -> Bytes {
        var reader = ByteReader(padded)
        guard let message = try? reader.largeBytes() else { throw .invalidPadding }
        return message
    }

    // MARK: - In memory that a cipher works on

    /// Returns true if a message of `count` bytes can be padded to `size` bytes.
    static func fits(_ count: Int, in size: Int) -> Bool {
        count <= maximumMessage && count <= size - lengthSize
    }

    /// Writes `message`, which must fit, padded to the size of `target`.
    static func write(_ message: Bytes, into target: UnsafeMutableRawBufferPointer) {
        unsafe target.storeBytes(of: UInt16(message.count).bigEndian, as: UInt16.self)
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[lengthSize...]).copyBytes(from: message)
        let filling = unsafe UnsafeMutableRawBufferPointer(rebasing: target[(lengthSize + message.count)...])
        unsafe filling.initializeMemory(as: UInt8.self, repeating: filler)
    }

    /// Moves the message in `padded` to the start of the memory and returns its size.
    static func moveMessageToStart(of padded: UnsafeMutableRawBufferPointer) throws(CryptoError) -> Int {
        guard padded.count >= lengthSize else { throw .invalidPadding }
        let size = Int(UInt16(bigEndian: unsafe padded.loadUnaligned(as: UInt16.self)))
        guard size <= padded.count - lengthSize else { throw .invalidPadding }
        unsafe padded.copyMemory(
            from: UnsafeRawBufferPointer(rebasing: padded[lengthSize..<lengthSize + size]))
        return size
    }
}
