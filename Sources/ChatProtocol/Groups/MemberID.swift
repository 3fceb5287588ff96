public import ByteCoding
public import JSONCoding

/// The id of a member within a group, the same for all members.
///
/// The id is opaque: 1 to 255 bytes. JSON has it as base64url.
public struct MemberID: Hashable, Sendable {
    /// The bytes, 1 to 255.
    public let bytes: Bytes

    /// Creates an id of 1 to 255 bytes. Returns nil for another size.
    public init?(_ bytes: Bytes) {
        guard MemberID.sizes.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Creates the id of a new member from ``randomSize`` random bytes. Another size is a programmer error.
    ///
    /// As in the official clients, the id is the Base64 text of these bytes, so that it does not show the client.
    public init(random bytes: Bytes) {
        precondition(bytes.count == MemberID.randomSize, "a new id needs \(MemberID.randomSize) random bytes")
        self.bytes = Bytes(Base64.encode(bytes).utf8)
    }

    /// The number of random bytes in a new id.
    public static let randomSize = 12

    private static let sizes = 1...255

    /// The JSON form, base64url.
    public var json: JSONValue { .string(Base64URL.encode(bytes)) }

    /// The name of a member without a known profile: the first seven characters of the id in Base64, as in the
    /// official clients.
    public var placeholderName: String { String(Base64.encode(bytes).prefix(7)) }
}

extension JSONFields {
    /// Takes a required member id in base64url.
    ///
    /// - Throws: ``DecodeError`` if the field is missing or invalid.
    public mutating func requiredMemberID(_ name: StaticText) throws(DecodeError) -> MemberID {
        guard let id = try optionalMemberID(name) else { throw .invalid(name) }
        return id
    }

    /// Takes an optional member id in base64url.
    ///
    /// - Throws: ``DecodeError`` if the field is invalid.
    public mutating func optionalMemberID(_ name: StaticText) throws(DecodeError) -> MemberID? {
        guard let bytes = try optionalBytes(name) else { return nil }
        guard let id = MemberID(bytes) else { throw .invalid(name) }
        return id
    }
}
