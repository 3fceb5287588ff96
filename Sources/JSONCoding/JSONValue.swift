public import ByteCoding

/// A JSON value (RFC 8259).
public enum JSONValue: Hashable, Sendable {
    /// The value `null`.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A 64-bit integer.
    case integer(Int64)
    /// A number that is not a 64-bit integer, or not written as one.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// The largest depth of nested arrays and objects. Known messages need ten.
    public static let maximumDepth = 64

    /// Reads one JSON text in UTF-8, in linear time and memory.
    ///
    /// The reader is stricter than RFC 8259: it limits the depth to ``maximumDepth`` and rejects unpaired surrogates.
    /// The first of repeated names counts.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        self = try JSONReader.read(bytes)
    }

    /// The value as one line of UTF-8 without a final line break, fields in order, no spaces. The line is safe to
    /// display: control characters, line separators and bidirectional marks are escaped.
    public var encoded: Bytes {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The text of ``encoded``.
    public var line: String { String(decoding: encoded, as: UTF8.self) }

    // MARK: - Access

    /// The text of a string; nil for other values.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The integer, in any spelling: `3600.0` and `36e2` are integers too. Nil for other values.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value.double)
        default: nil
        }
    }

    /// The Boolean; nil for other values.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The array; nil for other values.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object; nil for other values.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension JSONObject {
    /// The object as JSON text, as ``JSONValue/encoded``.
    public var encoded: Bytes { JSONValue.object(self).encoded }

    /// The text of ``encoded``.
    public var line: String { JSONValue.object(self).line }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    /// Creates a text from a literal.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Creates an integer from a literal.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    /// Creates a Boolean from a literal.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Creates an array from a literal.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}

/// A number with its original digits, which writing preserves.
public struct JSONNumber: Hashable, Sendable {
    /// The number in the grammar of JSON.
    public let literal: String

    /// Creates the nearest number to `value` that JSON can express, or returns nil for an infinite or undefined value.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        literal = "\(value)"
    }

    /// Creates a number from a literal that was checked.
    init(checked literal: String) {
        self.literal = literal
    }

    /// The nearest `Double`, infinite for a larger number.
    public var double: Double { Double(literal) ?? .infinity }
}
