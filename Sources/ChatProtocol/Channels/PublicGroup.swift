public import ByteCoding
public import JSONCoding

/// The public part of the profile of a channel (network-7.md 9.2). Regular groups have none.
public struct PublicGroup: Hashable, Sendable {
    /// The type of a public group. Later versions may have others.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name in messages.
        public let rawValue: String

        /// Creates a type from its name in messages.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A channel: owners and contributors write, subscribers read.
        public static let channel = Kind(rawValue: "channel")
        /// A group with relays; a part of later versions.
        public static let group = Kind(rawValue: "group")
    }

    /// The type.
    public var kind: Kind
    /// The short link of the channel.
    public var link: String
    /// The id, the same for all members: the SHA-256 of the first root key.
    public var id: Bytes
    /// How the channel is shown on the web.
    public var access: PublicGroupAccess?
    /// The unknown fields, kept as received.
    public var otherFields: JSONObject

    /// Creates the public part of a profile.
    public init(
        _ kind: Kind = .channel, link: String, id: Bytes, access: PublicGroupAccess? = nil,
        otherFields: JSONObject = [:]
    ) {
        self.kind = kind
        self.link = link
        self.id = id
        self.access = access
        self.otherFields = otherFields
    }
}

extension PublicGroup: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        kind = Kind(rawValue: try fields.text("groupType"))
        link = try fields.text("groupLink")
        id = try fields.requiredBytes("publicGroupId")
        access = try fields.optional("publicGroupAccess")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("groupType", kind.rawValue)
        fields.set("groupLink", link)
        fields.set("publicGroupId", Base64URL.encode(id))
        fields.set("publicGroupAccess", access)
        return fields
    }
}

/// How relays show a channel on the web (network-7.md 9.2).
public struct PublicGroupAccess: Hashable, Sendable {
    /// The address of the page of the channel.
    public var webPage: String?
    /// The claim of a name, as received.
    public var domainClaim: JSONValue?
    /// True if the page of the name shows the channel.
    public var hasDomainPage: Bool
    /// True if other pages may contain the channel.
    public var allowsEmbedding: Bool
    /// The unknown fields, kept as received.
    public var otherFields: JSONObject

    /// Creates the access from its parts.
    public init(
        webPage: String? = nil, domainClaim: JSONValue? = nil, hasDomainPage: Bool = false,
        allowsEmbedding: Bool = false, otherFields: JSONObject = [:]
    ) {
        self.webPage = webPage
        self.domainClaim = domainClaim
        self.hasDomainPage = hasDomainPage
        self.allowsEmbedding = allowsEmbedding
        self.otherFields = otherFields
    }
}

extension PublicGroupAccess: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        webPage = try fields.optionalText("groupWebPage")
        domainClaim = fields.value("groupDomainClaim")
        hasDomainPage = try fields.optionalBool("domainWebPage") ?? false
        allowsEmbedding = try fields.optionalBool("allowEmbedding") ?? false
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("groupWebPage", webPage)
        fields["groupDomainClaim"] = domainClaim
        fields.set("domainWebPage", hasDomainPage)
        fields.set("allowEmbedding", allowsEmbedding)
        return fields
    }
}

extension JSONFields {
    /// Takes required bytes in base64url.
    ///
    /// - Throws: ``DecodeError`` if the field is missing or invalid.
    mutating func requiredBytes(_ name: StaticText) throws(DecodeError) -> Bytes {
        guard let bytes = try optionalBytes(name) else { throw .invalid(name) }
        return bytes
    }
}
