public import ByteCoding
public import JSONCoding

/// The id of a message, shared by both ends of a connection.
///
/// The id is opaque. The official clients make ids of 16 bytes; others may have 1 to 255. JSON has it as base64url.
public struct SharedMessageID: Hashable, Sendable {
    /// The bytes, 1 to 255.
    public let bytes: Bytes

    /// Creates an id of 1 to 255 bytes. Another size is a programmer error.
    public init(_ bytes: Bytes) {
        precondition(SharedMessageID.sizes.contains(bytes.count), "an id has 1 to 255 bytes")
        self.bytes = bytes
    }

    /// Creates an id from stored bytes; nil for another size.
    public init?(stored bytes: Bytes) {
        guard SharedMessageID.sizes.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Creates an id from received bytes. Errors name `field`.
    init(checking bytes: Bytes, _ field: StaticText) throws(DecodeError) {
        guard let id = SharedMessageID(stored: bytes) else { throw .invalid(field) }
        self = id
    }

    private static let sizes = 1...255

    /// The JSON form, base64url.
    public var json: JSONValue { .string(Base64URL.encode(bytes)) }
}

extension JSONFields {
    /// Reads a required id in base64url.
    ///
    /// - Throws: ``DecodeError`` if the field is missing or invalid.
    public mutating func requiredID(_ name: StaticText) throws(DecodeError) -> SharedMessageID {
        guard let id = try optionalID(name) else { throw .invalid(name) }
        return id
    }

    /// Reads an optional id in base64url.
    ///
    /// - Throws: ``DecodeError`` if the field is invalid.
    public mutating func optionalID(_ name: StaticText) throws(DecodeError) -> SharedMessageID? {
        guard let bytes = try optionalBytes(name) else { return nil }
        return try SharedMessageID(checking: bytes, name)
    }
}
