/// A cursor over received bytes (smp-agent.md 1.1).
///
/// Every method either returns a value and advances past it, or throws ``DecodeError``. After an error the position is
/// unspecified. To try another form, use a new reader or ``attempt(_:)``.
public struct ByteReader: Sendable {
    private let bytes: Bytes
    private var position: Int
    private let end: Int

    /// Creates a reader at the start of `bytes`.
    public init(_ bytes: Bytes) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    /// The number of unread bytes.
    public var remaining: Int { end - position }

    /// The next byte, without advancing; nil at the end.
    public var next: UInt8? { position < end ? bytes[position] : nil }

    /// Checks that all bytes were read.
    ///
    /// - Throws: ``DecodeError/trailing``.
    public func finish() throws(DecodeError) {
        guard position == end else { throw .trailing }
    }

    // MARK: - Fixed sizes

    /// Reads one byte.
    public mutating func uint8() throws(DecodeError) -> UInt8 {
        guard position < end else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads two bytes, big-endian.
    public mutating func uint16() throws(DecodeError) -> UInt16 {
        UInt16(truncatingIfNeeded: try bigEndian(2))
    }

    /// Reads four bytes, big-endian.
    public mutating func uint32() throws(DecodeError) -> UInt32 {
        UInt32(truncatingIfNeeded: try bigEndian(4))
    }

    /// Reads eight bytes, big-endian two's complement.
    public mutating func int64() throws(DecodeError) -> Int64 {
        Int64(bitPattern: try bigEndian(8))
    }

    /// Reads the letter `T` or `F`.
    public mutating func bool() throws(DecodeError) -> Bool {
        switch try uint8() {
        case UInt8(ascii: "T"): true
        case UInt8(ascii: "F"): false
        default: throw .invalid("boolean")
        }
    }

    /// Reads `count` bytes.
    public mutating func take(_ count: Int) throws(DecodeError) -> Bytes {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { position += count }
        return Bytes(bytes[position..<position + count])
    }

    /// Reads all remaining bytes.
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

    /// Reads up to 255 bytes behind their one-byte length.
    public mutating func shortBytes() throws(DecodeError) -> Bytes {
        try take(Int(try uint8()))
    }

    /// Reads up to 65,535 bytes behind their two-byte length.
    public mutating func largeBytes() throws(DecodeError) -> Bytes {
        try take(Int(try uint16()))
    }

    /// Reads UTF-8 text behind its one-byte length.
    public mutating func shortText() throws(DecodeError) -> String {
        let bytes = try shortBytes()
        guard let text = String(validUTF8: bytes.span) else { throw .invalid("text") }
        return text
    }

    /// Reads the digit `0`, or the digit `1` and a value.
    public mutating func optional<Value>(
        _ read: (inout ByteReader) throws(DecodeError) -> Value
    ) throws(DecodeError) -> Value? {
        switch try uint8() {
        case UInt8(ascii: "0"): nil
        case UInt8(ascii: "1"): try read(&self)
        default: throw .invalid("optional")
        }
    }

    /// Reads a count byte and that many values.
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

    /// Reads a count byte and that many values, at least one.
    public mutating func nonEmptyList<Value>(
        _ read: (inout ByteReader) throws(DecodeError) -> Value
    ) throws(DecodeError) -> [Value] {
        guard next != 0 else { throw .invalid("empty list") }
        return try list(read)
    }

    // MARK: - Values

    /// Reads a value.
    public mutating func value<Value: ByteDecodable>(_ type: Value.Type = Value.self) throws(DecodeError) -> Value {
        try Value(from: &self)
    }

    /// Reads an optional value.
    public mutating func optional<Value: ByteDecodable>(_ type: Value.Type = Value.self) throws(DecodeError) -> Value? {
        try optional { reader throws(DecodeError) in try Value(from: &reader) }
    }

    /// Reads a list of values.
    public mutating func list<Value: ByteDecodable>(of type: Value.Type = Value.self) throws(DecodeError) -> [Value] {
        try list { reader throws(DecodeError) in try Value(from: &reader) }
    }

    /// Reads a list of at least one value.
    public mutating func nonEmptyList<Value: ByteDecodable>(
        of type: Value.Type = Value.self
    ) throws(DecodeError) -> [Value] {
        try nonEmptyList { reader throws(DecodeError) in try Value(from: &reader) }
    }

    // MARK: - Choices

    /// Skips one byte if it is `character`. Returns true if it was.
    public mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads with `read`, or returns nil without advancing if that fails.
    ///
    /// For the few fields of the protocols whose presence has no marker.
    public mutating func attempt<Value>(
        _ read: (inout ByteReader) throws(DecodeError) -> Value
    ) -> Value? {
        var copy = self
        guard let value = try? read(&copy) else { return nil }
        self = copy
        return value
    }

    /// Reads the bytes up to the first `separator`, which is skipped. Returns nil without advancing if there is none.
    public mutating func upTo(_ separator: Unicode.Scalar) -> Bytes? {
        guard let index = bytes[position..<end].firstIndex(of: UInt8(ascii: separator)) else { return nil }
        defer { position = index + 1 }
        return Bytes(bytes[position..<index])
    }
}
