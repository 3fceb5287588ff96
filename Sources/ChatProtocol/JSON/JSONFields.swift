import ByteCoding

/// A cursor over the fields of a received object: reading a field takes it out, and the rest is what we do not know.
///
/// A field with the value null is the same as none. A field of the wrong type, or a required one that is missing, is
/// ``DecodeError/invalid(_:)`` with its name.
struct JSONFields {
    /// The fields that nobody took.
    private(set) var rest: JSONObject

    init(_ fields: JSONObject) {
        rest = fields
    }

    /// The fields of the object that a message is.
    init(decoding bytes: Bytes) throws(DecodeError) {
        guard let fields = try JSONValue(decoding: bytes).object else { throw .invalid("object") }
        rest = fields
    }

    /// The value of a field of any type.
    mutating func value(_ name: StaticText) -> JSONValue? {
        let value = rest.removeValue(forKey: name.description)
        return value == .null ? nil : value
    }

    mutating func text(_ name: StaticText) throws(DecodeError) -> String {
        try required(try optionalText(name), name)
    }

    mutating func optionalText(_ name: StaticText) throws(DecodeError) -> String? {
        try typed(name, \.string)
    }

    mutating func integer(_ name: StaticText) throws(DecodeError) -> Int64 {
        try required(try optionalInteger(name), name)
    }

    mutating func optionalInteger(_ name: StaticText) throws(DecodeError) -> Int64? {
        try typed(name, \.integer)
    }

    mutating func bool(_ name: StaticText) throws(DecodeError) -> Bool {
        try required(try optionalBool(name), name)
    }

    mutating func optionalBool(_ name: StaticText) throws(DecodeError) -> Bool? {
        try typed(name, \.bool)
    }

    /// The fields of an inner object.
    mutating func object(_ name: StaticText) throws(DecodeError) -> JSONFields {
        JSONFields(try required(try typed(name, \.object), name))
    }

    /// At least one byte in base64url, with or without padding.
    mutating func optionalBytes(_ name: StaticText) throws(DecodeError) -> Bytes? {
        guard let text = try optionalText(name) else { return nil }
        guard let bytes = try? Base64URL.decode(text), !bytes.isEmpty else { throw .invalid(name) }
        return bytes
    }

    mutating func required<Value: JSONObjectCodable>(_ name: StaticText) throws(DecodeError) -> Value {
        try required(try optional(name), name)
    }

    mutating func optional<Value: JSONObjectCodable>(_ name: StaticText) throws(DecodeError) -> Value? {
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

/// A value that is a JSON object on the wire.
protocol JSONObjectCodable {
    /// Takes the fields of the value out of `fields`, and keeps what is left.
    init(from fields: inout JSONFields) throws(DecodeError)
    /// The fields of the value, with those that were kept.
    var fields: JSONObject { get }
}

extension JSONObjectCodable {
    var json: JSONValue { .object(fields) }
}
