public import ByteCoding

/// A cursor over the fields of a received object. Reading a field removes it; the rest are unknown fields.
///
/// A field with the value null counts as absent. A field of the wrong type, or a missing required one, throws
/// ``DecodeError/invalid(_:)`` with its name.
public struct JSONFields {
    private let object: JSONObject
    /// True for each field that was taken; empty before the first. Removing fields from the object itself would move
    /// all others each time.
    private var taken: [Bool] = []

    /// Creates a cursor over the fields of an object.
    public init(_ fields: JSONObject) {
        object = fields
    }

    /// Reads a JSON object.
    ///
    /// - Throws: ``DecodeError`` for malformed JSON and other values.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        guard let fields = try JSONValue(decoding: bytes).object else { throw .invalid("object") }
        object = fields
    }

    /// The fields that were not taken.
    public var rest: JSONObject {
        taken.isEmpty ? object : object.filter { !taken[$0] }
    }

    /// Takes a field of any type.
    public mutating func value(_ name: StaticText) -> JSONValue? {
        guard let (place, value) = object.field(name.description) else { return nil }
        if taken.isEmpty { taken = Array(repeating: false, count: object.names.count) }
        guard !taken[place] else { return nil }
        taken[place] = true
        return value == .null ? nil : value
    }

    /// Takes a required text.
    public mutating func text(_ name: StaticText) throws(DecodeError) -> String {
        try required(try optionalText(name), name)
    }

    /// Takes an optional text.
    public mutating func optionalText(_ name: StaticText) throws(DecodeError) -> String? {
        try typed(name, \.string)
    }

    /// Takes a required 64-bit integer.
    public mutating func integer(_ name: StaticText) throws(DecodeError) -> Int64 {
        try required(try optionalInteger(name), name)
    }

    /// Takes an optional 64-bit integer.
    public mutating func optionalInteger(_ name: StaticText) throws(DecodeError) -> Int64? {
        try typed(name, \.integer)
    }

    /// Takes a required Boolean.
    public mutating func bool(_ name: StaticText) throws(DecodeError) -> Bool {
        try required(try optionalBool(name), name)
    }

    /// Takes an optional Boolean.
    public mutating func optionalBool(_ name: StaticText) throws(DecodeError) -> Bool? {
        try typed(name, \.bool)
    }

    /// Takes a required inner object.
    public mutating func object(_ name: StaticText) throws(DecodeError) -> JSONFields {
        JSONFields(try required(try typed(name, \.object), name))
    }

    /// Takes optional bytes in base64url, at least one, with or without padding.
    public mutating func optionalBytes(_ name: StaticText) throws(DecodeError) -> Bytes? {
        guard let text = try optionalText(name) else { return nil }
        guard let bytes = try? Base64URL.decode(text), !bytes.isEmpty else { throw .invalid(name) }
        return bytes
    }

    /// Takes a required value.
    public mutating func required<Value: JSONObjectCodable>(_ name: StaticText) throws(DecodeError) -> Value {
        try required(try optional(name), name)
    }

    /// Takes an optional value.
    public mutating func optional<Value: JSONObjectCodable>(_ name: StaticText) throws(DecodeError) -> Value? {
        guard let fields = try typed(name, \.object) else { return nil }
        var inner = JSONFields(fields)
        return try Value(from: &inner)
    }

    /// Takes an optional inner object.
    public mutating func optionalObject(_ name: StaticText) throws(DecodeError) -> JSONFields? {
        try typed(name, \.object).map { JSONFields($0) }
    }

    /// Takes the elements of an array of any types; empty without an array.
    public mutating func elements(_ name: StaticText) throws(DecodeError) -> [JSONValue] {
        try typed(name, \.array) ?? []
    }

    /// A list of numbers.
    public mutating func integers(_ name: StaticText) throws(DecodeError) -> [Int64] {
        try elements(name).map { element throws(DecodeError) in
            guard let number = element.integer else { throw .invalid(name) }
            return number
        }
    }

    /// Takes the values of an array of objects; empty without an array.
    public mutating func list<Value: JSONObjectCodable>(_ name: StaticText) throws(DecodeError) -> [Value] {
        try list(name) { fields throws(DecodeError) in try Value(from: &fields) }
    }

    /// Takes an array of objects through `read`; empty without an array.
    public mutating func list<Value>(
        _ name: StaticText, _ read: (inout JSONFields) throws(DecodeError) -> Value
    ) throws(DecodeError) -> [Value] {
        try elements(name).map { element throws(DecodeError) in
            guard let object = element.object else { throw .invalid(name) }
            var inner = JSONFields(object)
            return try read(&inner)
        }
    }

    /// Takes a required count, 0 to `Int.max`.
    public mutating func count(_ name: StaticText) throws(DecodeError) -> Int {
        guard let count = Int(exactly: try integer(name)), count >= 0 else { throw .invalid(name) }
        return count
    }

    /// Takes a required time as RFC 3339 text.
    public mutating func timestamp(_ name: StaticText) throws(DecodeError) -> Timestamp {
        try required(try optionalTimestamp(name), name)
    }

    /// Takes an optional time as RFC 3339 text.
    public mutating func optionalTimestamp(_ name: StaticText) throws(DecodeError) -> Timestamp? {
        guard let text = try optionalText(name) else { return nil }
        guard let time = try? Timestamp(text: text) else { throw .invalid(name) }
        return time
    }

    /// Takes a required text through `read`: a word of a closed list, an address or similar.
    public mutating func word<Value>(
        _ name: StaticText, _ read: (String) throws -> Value?
    ) throws(DecodeError) -> Value {
        try required(try optionalWord(name, read), name)
    }

    /// Takes an optional text through `read`.
    public mutating func optionalWord<Value>(
        _ name: StaticText, _ read: (String) throws -> Value?
    ) throws(DecodeError) -> Value? {
        guard let text = try optionalText(name) else { return nil }
        return try required((try? read(text)) ?? nil, name)
    }

    /// Takes a required integer that fits into the type.
    public mutating func number<Value: FixedWidthInteger>(_ name: StaticText) throws(DecodeError) -> Value {
        try required(Value(exactly: try integer(name)), name)
    }

    private mutating func typed<Value>(
        _ name: StaticText, _ read: (JSONValue) -> Value?
    ) throws(DecodeError) -> Value? {
        guard let value = value(name) else { return nil }
        return try required(read(value), name)
    }

    private func required<Value>(_ value: Value?, _ name: StaticText) throws(DecodeError) -> Value {
        guard let value else { throw .invalid(name) }
        return value
    }
}

/// A value with the form of a JSON object.
public protocol JSONObjectCodable {
    /// Takes the fields of the value from `fields`, and leaves the unknown ones.
    ///
    /// - Throws: ``DecodeError``.
    init(from fields: inout JSONFields) throws(DecodeError)
    /// The fields of the value, including preserved unknown ones.
    var fields: JSONObject { get }
}

extension JSONObjectCodable {
    /// Reads a JSON object. Unknown fields are ignored.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding json: Bytes) throws(DecodeError) {
        var fields = try JSONFields(decoding: json)
        try self.init(from: &fields)
    }

    /// The JSON text of the value, as ``JSONValue/encoded``.
    public var encoded: Bytes { fields.encoded }

    /// The value as part of another value.
    public var json: JSONValue { .object(fields) }
}
