public import ByteCoding

/// A cursor over the fields of a received object: reading a field takes it out, and the rest is what we do not know.
///
/// A field with the value null is the same as none. A field of the wrong type, or a required one that is missing, is
/// ``DecodeError/invalid(_:)`` with its name.
public struct JSONFields {
    private let object: JSONObject
    /// For each field of the object, true if it was taken; empty before the first. Taking fields out of the object itself
    /// would move all others each time.
    private var taken: [Bool] = []

    public init(_ fields: JSONObject) {
        object = fields
    }

    /// The fields of the object that a message is.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        guard let fields = try JSONValue(decoding: bytes).object else { throw .invalid("object") }
        object = fields
    }

    /// The fields that nobody took.
    public var rest: JSONObject {
        taken.isEmpty ? object : object.filter { !taken[$0] }
    }

    /// The value of a field of any type.
    public mutating func value(_ name: StaticText) -> JSONValue? {
        guard let (place, value) = object.field(name.description) else { return nil }
        if taken.isEmpty { taken = Array(repeating: false, count: object.names.count) }
        guard !taken[place] else { return nil }
        taken[place] = true
        return value == .null ? nil : value
    }

    public mutating func text(_ name: StaticText) throws(DecodeError) -> String {
        try required(try optionalText(name), name)
    }

    public mutating func optionalText(_ name: StaticText) throws(DecodeError) -> String? {
        try typed(name, \.string)
    }

    public mutating func integer(_ name: StaticText) throws(DecodeError) -> Int64 {
        try required(try optionalInteger(name), name)
    }

    public mutating func optionalInteger(_ name: StaticText) throws(DecodeError) -> Int64? {
        try typed(name, \.integer)
    }

    public mutating func bool(_ name: StaticText) throws(DecodeError) -> Bool {
        try required(try optionalBool(name), name)
    }

    public mutating func optionalBool(_ name: StaticText) throws(DecodeError) -> Bool? {
        try typed(name, \.bool)
    }

    /// The fields of an inner object.
    public mutating func object(_ name: StaticText) throws(DecodeError) -> JSONFields {
        JSONFields(try required(try typed(name, \.object), name))
    }

    /// At least one byte in base64url, with or without padding.
    public mutating func optionalBytes(_ name: StaticText) throws(DecodeError) -> Bytes? {
        guard let text = try optionalText(name) else { return nil }
        guard let bytes = try? Base64URL.decode(text), !bytes.isEmpty else { throw .invalid(name) }
        return bytes
    }

    public mutating func required<Value: JSONObjectCodable>(_ name: StaticText) throws(DecodeError) -> Value {
        try required(try optional(name), name)
    }

    public mutating func optional<Value: JSONObjectCodable>(_ name: StaticText) throws(DecodeError) -> Value? {
        guard let fields = try typed(name, \.object) else { return nil }
        var inner = JSONFields(fields)
        return try Value(from: &inner)
    }

    /// The fields of an inner object; nil if there is none.
    public mutating func optionalObject(_ name: StaticText) throws(DecodeError) -> JSONFields? {
        try typed(name, \.object).map { JSONFields($0) }
    }

    /// The elements of an array of any types; none if there is no array.
    public mutating func elements(_ name: StaticText) throws(DecodeError) -> [JSONValue] {
        try typed(name, \.array) ?? []
    }

    /// The values of an array of objects; none if there is no array.
    public mutating func list<Value: JSONObjectCodable>(_ name: StaticText) throws(DecodeError) -> [Value] {
        try list(name) { fields throws(DecodeError) in try Value(from: &fields) }
    }

    /// What `read` makes of an array of objects; nothing if there is no array.
    public mutating func list<Value>(
        _ name: StaticText, _ read: (inout JSONFields) throws(DecodeError) -> Value
    ) throws(DecodeError) -> [Value] {
        try elements(name).map { element throws(DecodeError) in
            guard let object = element.object else { throw .invalid(name) }
            var inner = JSONFields(object)
            return try read(&inner)
        }
    }

    /// A number of things: 0 to `Int.max`.
    public mutating func count(_ name: StaticText) throws(DecodeError) -> Int {
        guard let count = Int(exactly: try integer(name)), count >= 0 else { throw .invalid(name) }
        return count
    }

    /// A moment in RFC 3339 text.
    public mutating func timestamp(_ name: StaticText) throws(DecodeError) -> Timestamp {
        try required(try optionalTimestamp(name), name)
    }

    public mutating func optionalTimestamp(_ name: StaticText) throws(DecodeError) -> Timestamp? {
        guard let text = try optionalText(name) else { return nil }
        guard let time = try? Timestamp(text: text) else { throw .invalid(name) }
        return time
    }

    /// A text that `read` makes a value of: a word of a closed list, an address and the like.
    public mutating func word<Value>(
        _ name: StaticText, _ read: (String) throws -> Value?
    ) throws(DecodeError) -> Value {
        try required(try optionalWord(name, read), name)
    }

    public mutating func optionalWord<Value>(
        _ name: StaticText, _ read: (String) throws -> Value?
    ) throws(DecodeError) -> Value? {
        guard let text = try optionalText(name) else { return nil }
        return try required((try? read(text)) ?? nil, name)
    }

    /// An integer that fits into the type.
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

/// A value that is a JSON object.
public protocol JSONObjectCodable {
    /// Takes the fields of the value out of `fields`; what is left there is not known.
    init(from fields: inout JSONFields) throws(DecodeError)
    /// The fields of the value, with those that were kept although they are not known.
    var fields: JSONObject { get }
}

extension JSONObjectCodable {
    /// Reads a text that is the value and nothing else. Fields that are not known are left out.
    public init(decoding json: Bytes) throws(DecodeError) {
        var fields = try JSONFields(decoding: json)
        try self.init(from: &fields)
    }

    /// The value as JSON text, like ``JSONValue/encoded``.
    public var encoded: Bytes { fields.encoded }

    /// The value as part of another.
    public var json: JSONValue { .object(fields) }
}
