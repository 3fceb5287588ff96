public import ByteCoding
public import JSONCoding

/// The id of a message that both ends of a connection know it by.
///
/// Opaque: the official clients make ids of 16 bytes, others may be of any length from 1 to 255. In JSON base64url.
public struct SharedMessageID: Hashable, Sendable {
    public let bytes: Bytes

    /// An id of 1 to 255 bytes (a programmer error otherwise).
    public init(_ bytes: Bytes) {
        precondition(SharedMessageID.sizes.contains(bytes.count), "an id has 1 to 255 bytes")
        self.bytes = bytes
    }

    /// An id received as bytes, where `field` names it in an error.
    init(checking bytes: Bytes, _ field: StaticText) throws(DecodeError) {
        guard SharedMessageID.sizes.contains(bytes.count) else { throw .invalid(field) }
        self.bytes = bytes
    }

    private static let sizes = 1...255

    public var json: JSONValue { .string(Base64URL.encode(bytes)) }
}

extension JSONFields {
    /// An id in base64url.
    public mutating func requiredID(_ name: StaticText) throws(DecodeError) -> SharedMessageID {
        guard let id = try optionalID(name) else { throw .invalid(name) }
        return id
    }

    public mutating func optionalID(_ name: StaticText) throws(DecodeError) -> SharedMessageID? {
        guard let bytes = try optionalBytes(name) else { return nil }
        return try SharedMessageID(checking: bytes, name)
    }
}
