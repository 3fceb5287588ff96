/// A cursor over text for hand-written grammars: server addresses, links, command lines of the core.
///
/// Works on UTF-8 bytes. Errors and positions behave as in ``ByteReader``.
public struct TextReader: Sendable {
    private let bytes: Bytes
    private var position = 0

    public init(_ text: String) {
        bytes = Bytes(text.utf8)
    }

    /// Whether everything was read.
    public var isAtEnd: Bool { position == bytes.count }

    /// The next byte without moving, or nil at the end.
    public var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Throws ``DecodeError/trailing`` unless everything was read.
    public func finish() throws(DecodeError) {
        guard isAtEnd else { throw .trailing }
    }

    /// Skips `literal` if the text continues with it, and says whether it did.
    public mutating func skip(_ literal: StaticString) -> Bool {
        let wanted = literal.description.utf8
        guard bytes[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    /// Skips a text that is not known before, like a literal.
    public mutating func skip(text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    /// Skips `literal`, which must come next.
    public mutating func expect(_ literal: StaticString) throws(DecodeError) {
        guard skip(literal) else { throw isAtEnd ? .truncated : .invalid(StaticText(stringLiteral: literal)) }
    }

    /// The longest run of bytes that satisfy `isIncluded`, possibly empty.
    public mutating func take(while isIncluded: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, isIncluded(bytes[position]) {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Everything up to `separator` (which stays) or the end.
    public mutating func take(until separator: Unicode.Scalar) -> String {
        take { $0 != UInt8(ascii: separator) }
    }

    /// Everything that is left.
    public mutating func rest() -> String {
        take { _ in true }
    }

    /// A decimal number without sign. Leading zeros are allowed, numbers that do not fit are not.
    public mutating func number<Value: FixedWidthInteger>(
        _ type: Value.Type = Value.self
    ) throws(DecodeError) -> Value {
        let digits = take { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { throw isAtEnd ? .truncated : .invalid("number") }
        guard let value = Value(digits) else { throw .invalid("number") }
        return value
    }

    /// The longest run of the base64url alphabet and its padding, decoded; empty is an error.
    public mutating func base64URL() throws(DecodeError) -> Bytes {
        let text = take { Base64URL.isDigit($0) } + take { $0 == UInt8(ascii: "=") }
        guard !text.isEmpty else { throw isAtEnd ? .truncated : .invalid("base64") }
        return try Base64URL.decode(text)
    }

    /// Items of one grammar separated by commas, at least one.
    public mutating func commaSeparated<Value>(
        _ read: (inout TextReader) throws(DecodeError) -> Value
    ) throws(DecodeError) -> [Value] {
        var values = [try read(&self)]
        while skip(",") {
            values.append(try read(&self))
        }
        return values
    }

    /// Reads with `read`, or returns nil and stays in place if that fails.
    public mutating func attempt<Value>(
        _ read: (inout TextReader) throws(DecodeError) -> Value
    ) -> Value? {
        var copy = self
        guard let value = try? read(&copy) else { return nil }
        self = copy
        return value
    }
}
