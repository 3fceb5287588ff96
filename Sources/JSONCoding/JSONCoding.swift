/// JSON (RFC 8259) for the whole program: what peers and relays send, what a script reads from us.
///
/// - ``JSONValue`` and ``JSONObject`` are any text and its objects. ``JSONValue/init(decoding:)`` reads hostile bytes
///   strictly, in proportion to their number; ``JSONValue/encoded`` writes one line that is also harmless on a terminal.
/// - ``JSONFields`` takes the fields out of an object one after another, and keeps what nobody knows.
/// - ``JSONObjectCodable`` is a value that is an object on the wire.
/// - ``JSONElements`` cuts an array apart without reading its elements.
///
/// There is no `Codable`, because its coders lose digits and order, and are slow on what an enemy sends.
///
/// ```swift
/// var fields = try JSONFields(decoding: bytes)
/// let name = try fields.text("displayName")
/// let image = try fields.optionalText("image")
/// keep(fields.rest)
/// ```
public import ByteCoding

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
