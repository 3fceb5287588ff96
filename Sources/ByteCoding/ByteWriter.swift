/// Builds the binary encoding that ``ByteReader`` reads.
///
/// A counted string or list that is too long for its count is a programmer error and traps: whatever can be too long
/// (a password, a host name, a message) is checked where it enters the program.
public struct ByteWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: Bytes = []

    public init() {}

    /// An empty writer with room for `capacity` bytes.
    public init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    // MARK: - Fixed sizes

    public mutating func uint8(_ value: UInt8) {
        bytes.append(value)
    }

    /// Two bytes, big-endian.
    public mutating func uint16(_ value: UInt16) {
        bigEndian(UInt64(value), 2)
    }

    /// Four bytes, big-endian.
    public mutating func uint32(_ value: UInt32) {
        bigEndian(UInt64(value), 4)
    }

    /// Eight bytes, big-endian two's complement.
    public mutating func int64(_ value: Int64) {
        bigEndian(UInt64(bitPattern: value), 8)
    }

    /// The letter `T` or `F`.
    public mutating func bool(_ value: Bool) {
        bytes.append(UInt8(ascii: value ? "T" : "F"))
    }

    /// One ASCII character.
    public mutating func character(_ value: Unicode.Scalar) {
        bytes.append(UInt8(ascii: value))
    }

    /// The bytes alone, without a length.
    public mutating func raw(_ value: some Sequence<UInt8>) {
        bytes.append(contentsOf: value)
    }

    /// The UTF-8 bytes of a text, without a length.
    public mutating func ascii(_ value: String) {
        bytes.append(contentsOf: value.utf8)
    }

    private mutating func bigEndian(_ value: UInt64, _ count: Int) {
        for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    // MARK: - Counted

    /// A one-byte length and the bytes.
    public mutating func shortBytes(_ value: Bytes) {
        precondition(value.count <= UInt8.max, "a short byte string has at most 255 bytes")
        uint8(UInt8(value.count))
        raw(value)
    }

    /// A two-byte length and the bytes.
    public mutating func largeBytes(_ value: Bytes) {
        precondition(value.count <= UInt16.max, "a large byte string has at most 65535 bytes")
        uint16(UInt16(value.count))
        raw(value)
    }

    /// A one-byte length and the UTF-8 bytes of a text.
    public mutating func shortText(_ value: String) {
        shortBytes(Bytes(value.utf8))
    }

    /// The digit `0` for nil, or the digit `1` and the value.
    public mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        guard let value else { return character("0") }
        character("1")
        write(&self, value)
    }

    /// A count byte and the values.
    public mutating func list<Value>(_ values: [Value], _ write: (inout ByteWriter, Value) -> Void) {
        precondition(values.count <= UInt8.max, "a list has at most 255 items")
        uint8(UInt8(values.count))
        for value in values {
            write(&self, value)
        }
    }

    // MARK: - Values

    /// An optional value of a type that knows its encoding.
    public mutating func optional(_ value: (some ByteEncodable)?) {
        optional(value) { $0.value($1) }
    }

    /// A list of values of a type that knows its encoding.
    public mutating func list(_ values: [some ByteEncodable]) {
        list(values) { $0.value($1) }
    }

    /// The encoding of another value.
    public mutating func value(_ value: some ByteEncodable) {
        value.encode(into: &self)
    }
}
