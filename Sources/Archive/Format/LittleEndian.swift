import ByteCoding

/// A cursor over the little-endian records of an archive, with the bounds checks of ``ByteReader``.
struct LittleEndianReader {
    private var reader: ByteReader
    private let part: StaticPart

    /// Creates a cursor.
    ///
    /// - Parameter part: The name of the record, for errors.
    init(_ bytes: Bytes, _ part: StaticPart) {
        reader = ByteReader(bytes)
        self.part = part
    }

    var remaining: Int { reader.remaining }

    mutating func uint16() throws(ZipError) -> UInt16 {
        try read { reader throws(DecodeError) in try reader.uint16() }.byteSwapped
    }

    mutating func uint32() throws(ZipError) -> UInt32 {
        try read { reader throws(DecodeError) in try reader.uint32() }.byteSwapped
    }

    mutating func uint64() throws(ZipError) -> UInt64 {
        UInt64(bitPattern: try read { reader throws(DecodeError) in try reader.int64() }).byteSwapped
    }

    mutating func take(_ count: Int) throws(ZipError) -> Bytes {
        try read { reader throws(DecodeError) in try reader.take(count) }
    }

    /// Skips the signature of a record.
    mutating func expect(_ signature: UInt32) throws(ZipError) {
        guard try uint32() == signature else { throw .malformed(part) }
    }

    /// Checks that all bytes were read.
    func finish() throws(ZipError) {
        guard reader.remaining == 0 else { throw .malformed(part) }
    }

    private mutating func read<Value>(
        _ body: (inout ByteReader) throws(DecodeError) -> Value
    ) throws(ZipError) -> Value {
        do throws(DecodeError) { return try body(&reader) } catch { throw .malformed(part) }
    }
}

extension ByteWriter {
    /// Writes two bytes, little-endian.
    mutating func littleEndian(_ value: UInt16) { uint16(value.byteSwapped) }

    /// Writes four bytes, little-endian.
    mutating func littleEndian(_ value: UInt32) { uint32(value.byteSwapped) }

    /// Writes eight bytes, little-endian.
    mutating func littleEndian(_ value: UInt64) { int64(Int64(bitPattern: value.byteSwapped)) }

    /// Writes the low half of a number, or the mark of a number in a 64-bit field.
    mutating func saturated(_ value: Int, if isLarge: Bool) {
        littleEndian(isLarge ? UInt32.max : UInt32(truncatingIfNeeded: value))
    }
}
