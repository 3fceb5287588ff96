/// A builder of the binary encoding that ``ByteReader`` reads (smp-agent.md 1.1).
///
/// A counted string or list that exceeds its count is a programmer error and traps. Values of variable length
/// (passwords, host names, messages) are checked on input.
public struct ByteWriter: Sendable {
    /// The written bytes.
    public private(set) var bytes: Bytes = []

    /// Creates an empty writer.
    public init() {}

    /// Creates an empty writer with room for `capacity` bytes.
    public init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    // MARK: - Fixed sizes

    /// Writes one byte.
    public mutating func uint8(_ value: UInt8) {
        bytes.append(value)
    }

    /// Writes two bytes, big-endian.
    public mutating func uint16(_ value: UInt16) {
        bigEndian(UInt64(value), 2)
    }

    /// Writes four bytes, big-endian.
    public mutating func uint32(_ value: UInt32) {
        bigEndian(UInt64(value), 4)
    }

    /// Writes eight bytes, big-endian two's complement.
    public mutating func int64(_ value: Int64) {
        bigEndian(UInt64(bitPattern: value), 8)
    }

    /// Writes the letter `T` or `F`.
    public mutating func bool(_ value: Bool) {
        bytes.append(UInt8(ascii: value ? "T" : "F"))
    }

    /// Writes one ASCII character.
    public mutating func character(_ value: Unicode.Scalar) {
        bytes.append(UInt8(ascii: value))
    }

    /// Writes the bytes without a length.
    public mutating func raw(_ value: some Sequence<UInt8>) {
        bytes.append(contentsOf: value)
    }

    /// Writes the UTF-8 bytes of a text without a length.
    public mutating func ascii(_ value: String) {
        bytes.append(contentsOf: value.utf8)
    }

    private mutating func bigEndian(_ value: UInt64, _ count: Int) {
        for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    // MARK: - Counted

    /// Writes the bytes behind a one-byte length.
    public mutating func shortBytes(_ value: Bytes) {
        precondition(value.count <= UInt8.max, "a short byte string has at most 255 bytes")
        uint8(UInt8(value.count))
        raw(value)
    }

    /// Writes the bytes behind a two-byte length.
    public mutating func largeBytes(_ value: Bytes) {
        precondition(value.count <= UInt16.max, "a large byte string has at most 65535 bytes")
        uint16(UInt16(value.count))
        raw(value)
    }

    /// Writes the UTF-8 bytes of a text behind a one-byte length.
    public mutating func shortText(_ value: String) {
        shortBytes(Bytes(value.utf8))
    }

    /// Writes the digit `0` for nil, or the digit `1` and the value.
    public mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        guard let value else { return character("0") }
        character("1")
        write(&self, value)
    }

    /// Writes a count byte and the values.
    public mutating func list<Value>(_ values: [Value], _ write: (inout ByteWriter, Value) -> Void) {
        precondition(values.count <= UInt8.max, "a list has at most 255 items")
        uint8(UInt8(values.count))
        for value in values {
            write(&self, value)
        }
    }

    // MARK: - Values

    /// Writes an optional value.
    public mutating func optional(_ value: (some ByteEncodable)?) {
        optional(value) { $0.value($1) }
    }

    /// Writes a list of values.
    public mutating func list(_ values: [some ByteEncodable]) {
        list(values) { $0.value($1) }
    }

    /// Writes a value.
    public mutating func value(_ value: some ByteEncodable) {
        value.encode(into: &self)
    }
}
