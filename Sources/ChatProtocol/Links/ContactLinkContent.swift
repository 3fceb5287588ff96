public import ByteCoding
public import JSONCoding

/// Who is behind an invitation or an address.
public struct ContactLinkContent: Hashable, Sendable {
    public let profile: Profile
    /// What the owner says to everybody who comes.
    public let welcome: MessageContent?
    /// Whether each request becomes a group, in which several people of a business answer.
    public let isBusiness: Bool
    /// What is not known here.
    public let otherFields: JSONObject

    public init(
        profile: Profile, welcome: MessageContent? = nil, isBusiness: Bool = false, otherFields: JSONObject = [:]
    ) {
        self.profile = profile
        self.welcome = welcome
        self.isBusiness = isBusiness
        self.otherFields = otherFields
    }

    /// The least that can be shown: a name and what its owner allows. For a profile that is too large for a link.
    public var reduced: ContactLinkContent {
        ContactLinkContent(
            profile: Profile(displayName: profile.displayName, preferences: profile.preferences),
            isBusiness: isBusiness)
    }
}

extension ContactLinkContent: LinkContent {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("profile")
        welcome = try fields.optional("message")
        isBusiness = try fields.optionalBool("business") ?? false
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        var fields = otherFields
        fields.set("profile", profile)
        fields.set("message", welcome)
        // Other clients require it.
        fields.set("business", isBusiness)
        return fields
    }
}
