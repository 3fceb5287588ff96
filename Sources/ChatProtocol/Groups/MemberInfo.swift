public import ByteCoding
public import JSONCoding

/// A member with the role (chat.md 2.5).
public struct MemberIDRole: Hashable, Sendable {
    /// The id of the member.
    public let id: MemberID
    /// The role of the member.
    public let role: GroupRole
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a member with a role from its parts.
    public init(_ id: MemberID, _ role: GroupRole, otherFields: JSONObject = [:]) {
        self.id = id
        self.role = role
        self.otherFields = otherFields
    }
}

extension MemberIDRole: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredMemberID("memberId")
        role = try fields.role("memberRole")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        otherFields.merging(["memberId": id.json, "memberRole": .string(role.rawValue)])
    }
}

/// A member as a host describes it to others (chat.md 2.5).
public struct MemberInfo: Hashable, Sendable {
    /// The id of the member.
    public let id: MemberID
    /// The role of the member.
    public let role: GroupRole
    /// The chat versions of the member, if known.
    public let versions: VersionRange?
    /// The profile of the member, as ``Profile/forMembers(keepsLink:)`` returns it.
    public let profile: Profile
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a member info from its parts.
    public init(
        _ id: MemberID, _ role: GroupRole, versions: VersionRange? = nil, profile: Profile,
        otherFields: JSONObject = [:]
    ) {
        self.id = id
        self.role = role
        self.versions = versions
        self.profile = profile
        self.otherFields = otherFields
    }
}

extension MemberInfo {
    /// Creates a member info with the DER form of the member's Ed25519 key.
    public init(
        _ id: MemberID, _ role: GroupRole, versions: VersionRange? = nil, profile: Profile, publicKey: Bytes
    ) {
        self.init(
            id, role, versions: versions, profile: profile,
            otherFields: ["memberKey": .string(Base64URL.encode(publicKey))])
    }

    /// The DER form of the member's Ed25519 key; nil if there is none. Regular groups have keys in versions above 19.
    public var publicKey: Bytes? {
        guard let text = otherFields["memberKey"]?.string else { return nil }
        return try? Base64URL.decode(text)
    }
}

extension MemberInfo: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.requiredMemberID("memberId")
        role = try fields.role("memberRole")
        versions = try fields.optionalWord("v") { try VersionRange(text: $0) }
        profile = try fields.required("profile")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields["memberId"] = id.json
        fields.set("memberRole", role.rawValue)
        fields.set("v", versions?.description)
        fields.set("profile", profile)
        return fields
    }
}

/// The limits that moderators set for a member (chat.md 2.5).
public struct MemberRestrictions: Hashable, Sendable {
    /// The restriction.
    public let restriction: MemberRestriction
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates member restrictions from their parts.
    public init(_ restriction: MemberRestriction, otherFields: JSONObject = [:]) {
        self.restriction = restriction
        self.otherFields = otherFields
    }

    /// True if the messages of the member are hidden from all members.
    public var isBlocked: Bool { restriction == .blocked }
}

/// The restriction of a member. Later versions may have others.
public struct MemberRestriction: RawRepresentable, Hashable, Sendable {
    /// The name in messages.
    public let rawValue: String

    /// Creates a restriction from its name in messages.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The messages of the member are hidden from all members.
    public static let blocked = MemberRestriction(rawValue: "blocked")
    /// The member has no restriction.
    public static let unrestricted = MemberRestriction(rawValue: "unrestricted")
}

extension MemberRestrictions: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        restriction = MemberRestriction(rawValue: try fields.text("restriction"))
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject { otherFields.merging(["restriction": .string(restriction.rawValue)]) }
}

extension JSONFields {
    /// Takes a required role.
    ///
    /// - Throws: ``DecodeError`` if the field is missing or not a text.
    mutating func role(_ name: StaticText) throws(DecodeError) -> GroupRole {
        GroupRole(rawValue: try text(name))
    }
}
