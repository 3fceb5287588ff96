/// A cursor over text for hand-written grammars: server addresses, links, commands of the core.
///
/// Works on UTF-8 bytes. Errors and positions behave as in ``ByteReader``.
public struct TextReader: Sendable {
    private let bytes: Bytes
    private var position = 0

    /// Creates a reader at the start of `text`.
    public init(_ text: String) {
        bytes = Bytes(text.utf8)
    }

    /// True if all bytes were read.
    public var isAtEnd: Bool { position == bytes.count }

    /// The next byte, without advancing; nil at the end.
    public var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Checks that all bytes were read.
    ///
    /// - Throws: ``DecodeError/trailing``.
    public func finish() throws(DecodeError) {
        guard isAtEnd else { throw .trailing }
    }

    /// Skips `literal` if it is next. Returns true if it was.
    public mutating func skip(_ literal: StaticString) -> Bool {
        let wanted = literal.description.utf8
        guard bytes[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    /// Skips a text known only at run time, like a literal.
    public mutating func skip(text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    /// Skips `literal`, which must be next.
    ///
    /// - Throws: ``DecodeError``.
    public mutating func expect(_ literal: StaticString) throws(DecodeError) {
        guard skip(literal) else { throw isAtEnd ? .truncated : .invalid(StaticText(stringLiteral: literal)) }
    }

    /// Reads the longest run of bytes that satisfy `isIncluded`, possibly empty.
    public mutating func take(while isIncluded: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, isIncluded(bytes[position]) {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads the bytes before `separator`, or up to the end.
    public mutating func take(until separator: Unicode.Scalar) -> String {
        take { $0 != UInt8(ascii: separator) }
    }

    /// Reads all remaining bytes.
    public mutating func rest() -> String {
        take { _ in true }
    }

    /// Reads a decimal number without sign. Leading zeros are allowed.
    ///
    /// - Throws: ``DecodeError`` without a digit, or for a number out of range.
    public mutating func number<Value: FixedWidthInteger>(
        _ type: Value.Type = Value.self
    ) throws(DecodeError) -> Value {
        let digits = take { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { throw isAtEnd ? .truncated : .invalid("number") }
        guard let value = Value(digits) else { throw .invalid("number") }
        return value
    }

    /// Reads and decodes the longest run of the base64url alphabet with padding.
    ///
    /// - Throws: ``DecodeError`` if the run is empty or invalid.
    public mutating func base64URL() throws(DecodeError) -> Bytes {
        let text = take { Base64URL.isDigit($0) } + take { $0 == UInt8(ascii: "=") }
        guard !text.isEmpty else { throw isAtEnd ? .truncated : .invalid("base64") }
        return try Base64URL.decode(text)
    }

    /// Reads items separated by commas, at least one.
    public mutating func commaSeparated<Value>(
        _ read: (inout TextReader) throws(DecodeError) -> Value
    ) throws(DecodeError) -> [Value] {
        var values = [try read(&self)]
        while skip(",") {
            values.append(try read(&self))
        }
        return values
    }

    /// Reads with `read`, or returns nil without advancing if that fails.
    public mutating func attempt<Value>(
        _ read: (inout TextReader) throws(DecodeError) -> Value
    ) -> Value? {
        var copy = self
        guard let value = try? read(&copy) else { return nil }
        self = copy
        return value
    }
}
