public import ByteCoding

/// Any JSON value.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number that is no 64-bit integer, or is not written as one.
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// How many arrays and objects may be inside of each other. Known messages need ten.
    public static let maximumDepth = 64

    /// Reads one JSON text in UTF-8.
    ///
    /// Stricter than RFC 8259 asks: at most ``maximumDepth`` arrays and objects inside of each other, and no halves of
    /// surrogate pairs. Of several fields with one name the first counts. Takes time and memory in proportion to the
    /// input.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        self = try JSONReader.read(bytes)
    }

    /// The value as one line of UTF-8 without a line break at the end, fields in their order, no spaces. It is safe to
    /// look at: control characters, line separators and bidirectional marks are escaped.
    public var encoded: Bytes {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The text of ``encoded``.
    public var line: String { String(decoding: encoded, as: UTF8.self) }

    // MARK: - Access

    /// The text of a string.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The integer that the value is, however it is written: `3600.0` and `36e2` are integers too.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value.double)
        default: nil
        }
    }

    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension JSONObject {
    /// The object as JSON text, like ``JSONValue/encoded``.
    public var encoded: Bytes { JSONValue.object(self).encoded }

    /// The text of ``encoded``.
    public var line: String { JSONValue.object(self).line }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}

/// A number with the digits it is written with, so that writing it again loses none.
public struct JSONNumber: Hashable, Sendable {
    /// The number in the grammar of JSON.
    public let literal: String

    /// The number nearest to which JSON can write `value`; nil if it is not finite.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        literal = "\(value)"
    }

    /// A literal that is known to follow the grammar.
    init(checked literal: String) {
        self.literal = literal
    }

    /// The nearest number that a `Double` can hold, infinite when there is none so large.
    public var double: Double { Double(literal) ?? .infinity }
}
