/// A cursor over received bytes.
///
/// Every method either returns a value and moves behind it, or throws ``DecodeError``. After an error the position is
/// unspecified; start a new reader to try something else, or use ``attempt(_:)``.
public struct ByteReader: Sendable {
    private let bytes: Bytes
    private var position: Int
    private let end: Int

    /// Reads `bytes` from the start.
    public init(_ bytes: Bytes) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    /// How many bytes have not been read yet.
    public var remaining: Int { end - position }

    /// The next byte without moving, or nil at the end.
    public var next: UInt8? { position < end ? bytes[position] : nil }

    /// Throws ``DecodeError/trailing`` unless everything was read.
    public func finish() throws(DecodeError) {
        guard position == end else { throw .trailing }
    }

    // MARK: - Fixed sizes

    /// One byte.
    public mutating func uint8() throws(DecodeError) -> UInt8 {
        guard position < end else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Two bytes, big-endian.
    public mutating func uint16() throws(DecodeError) -> UInt16 {
        UInt16(truncatingIfNeeded: try bigEndian(2))
    }

    /// Four bytes, big-endian.
    public mutating func uint32() throws(DecodeError) -> UInt32 {
        UInt32(truncatingIfNeeded: try bigEndian(4))
    }

    /// Eight bytes, big-endian two's complement.
    public mutating func int64() throws(DecodeError) -> Int64 {
        Int64(bitPattern: try bigEndian(8))
    }

    /// The letter `T` or `F`.
    public mutating func bool() throws(DecodeError) -> Bool {
        switch try uint8() {
        case UInt8(ascii: "T"): true
        case UInt8(ascii: "F"): false
        default: throw .invalid("boolean")
        }
    }

    /// Exactly `count` bytes.
    public mutating func take(_ count: Int) throws(DecodeError) -> Bytes {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { position += count }
        return Bytes(bytes[position..<position + count])
    }

    /// Everything that is left.
    public mutating func rest() -> Bytes {
        defer { position = end }
        return Bytes(bytes[position..<end])
    }

    private mutating func bigEndian(_ count: Int) throws(DecodeError) -> UInt64 {
        guard count <= remaining else { throw .truncated }
        var value: UInt64 = 0
        for offset in 0..<count {
            value = value << 8 | UInt64(bytes[position + offset])
        }
        position += count
        return value
    }

    // MARK: - Counted

    /// A byte string of up to 255 bytes behind its one-byte length.
    public mutating func shortBytes() throws(DecodeError) -> Bytes {
        try take(Int(try uint8()))
    }

    /// A byte string of up to 65535 bytes behind its two-byte length.
    public mutating func largeBytes() throws(DecodeError) -> Bytes {
        try take(Int(try uint16()))
    }

    /// UTF-8 text behind its one-byte length.
    public mutating func shortText() throws(DecodeError) -> String {
        let bytes = try shortBytes()
        guard let text = String(validUTF8: bytes.span) else { throw .invalid("text") }
        return text
    }

    /// The digit `0`, or the digit `1` and a value.
    public mutating func optional<Value>(
        _ read: (inout ByteReader) throws(DecodeError) -> Value
    ) throws(DecodeError) -> Value? {
        switch try uint8() {
        case UInt8(ascii: "0"): nil
        case UInt8(ascii: "1"): try read(&self)
        default: throw .invalid("optional")
        }
    }

    /// A count byte and that many values.
    public mutating func list<Value>(
        _ read: (inout ByteReader) throws(DecodeError) -> Value
    ) throws(DecodeError) -> [Value] {
        let count = Int(try uint8())
        var values: [Value] = []
        for _ in 0..<count {
            values.append(try read(&self))
        }
        return values
    }

    /// Like ``list(_:)`` with at least one value.
    public mutating func nonEmptyList<Value>(
        _ read: (inout ByteReader) throws(DecodeError) -> Value
    ) throws(DecodeError) -> [Value] {
        guard next != 0 else { throw .invalid("empty list") }
        return try list(read)
    }

    // MARK: - Values

    /// A value of a type that knows its encoding.
    public mutating func value<Value: ByteDecodable>(_ type: Value.Type = Value.self) throws(DecodeError) -> Value {
        try Value(from: &self)
    }

    /// An optional value of a type that knows its encoding.
    public mutating func optional<Value: ByteDecodable>(_ type: Value.Type = Value.self) throws(DecodeError) -> Value? {
        try optional { reader throws(DecodeError) in try Value(from: &reader) }
    }

    /// A list of values of a type that knows its encoding.
    public mutating func list<Value: ByteDecodable>(of type: Value.Type = Value.self) throws(DecodeError) -> [Value] {
        try list { reader throws(DecodeError) in try Value(from: &reader) }
    }

    /// A list of at least one value of a type that knows its encoding.
    public mutating func nonEmptyList<Value: ByteDecodable>(
        of type: Value.Type = Value.self
    ) throws(DecodeError) -> [Value] {
        try nonEmptyList { reader throws(DecodeError) in try Value(from: &reader) }
    }

    // MARK: - Choices

    /// Skips one byte if it is `character`, and says whether it was.
    public mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads with `read`, or returns nil and stays in place if that fails.
    ///
    /// For the few fields of the protocols that are recognised only by being readable.
    public mutating func attempt<Value>(
        _ read: (inout ByteReader) throws(DecodeError) -> Value
    ) -> Value? {
        var copy = self
        guard let value = try? read(&copy) else { return nil }
        self = copy
        return value
    }

    /// The bytes up to the first `separator`, which is skipped, or nil (and no move) if there is none.
    public mutating func upTo(_ separator: Unicode.Scalar) -> Bytes? {
        guard let index = bytes[position..<end].firstIndex(of: UInt8(ascii: separator)) else { return nil }
        defer { position = index + 1 }
        return Bytes(bytes[position..<index])
    }
}
