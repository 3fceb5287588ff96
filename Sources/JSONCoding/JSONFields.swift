public import ByteCoding

/// A cursor over the fields of a received object: reading a field takes it out, and the rest is what we do not know.
///
/// A field with the value null is the same as none. A field of the wrong type, or a required one that is missing, is
/// ``DecodeError/invalid(_:)`` with its name.
public struct JSONFields {
    /// The fields that nobody took.
    public private(set) var rest: JSONObject

    public init(_ fields: JSONObject) {
        rest = fields
    }

    /// The fields of the object that a message is.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        guard let fields = try JSONValue(decoding: bytes).object else { throw .invalid("object") }
        rest = fields
    }

    /// The value of a field of any type.
    public mutating func value(_ name: StaticText) -> JSONValue? {
        let value = rest[name.description]
        rest[name.description] = nil
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
