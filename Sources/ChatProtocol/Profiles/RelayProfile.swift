public import ByteCoding
public import JSONCoding

/// The profile of a chat relay in its address (network-7.md 4.5). It has no preferences and no address.
public struct RelayProfile: Hashable, Sendable {
    /// The name for display.
    public var displayName: String
    /// The longer name; may be empty.
    public var fullName: String
    /// A short description of the relay.
    public var shortDescription: String?
    /// A picture, as a data URI.
    public var image: String?

    /// Creates the part of a profile that a relay shows.
    public init(_ profile: Profile) {
        self.init(
            displayName: profile.displayName, fullName: profile.fullName, shortDescription: profile.shortDescription,
            image: profile.image)
    }

    /// Creates a relay profile from its parts.
    public init(displayName: String, fullName: String = "", shortDescription: String? = nil, image: String? = nil) {
        self.displayName = displayName
        self.fullName = fullName
        self.shortDescription = shortDescription
        self.image = image
    }
}

extension RelayProfile: JSONObjectCodable {
    /// Reads the JSON form. The profile of a member has further fields, which are skipped.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            displayName: try fields.text("displayName"), fullName: try fields.text("fullName"),
            shortDescription: try fields.optionalText("shortDescr"), image: try fields.optionalText("image"))
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("displayName", displayName)
        fields.set("fullName", fullName)
        fields.set("shortDescr", shortDescription)
        fields.set("image", image)
        return fields
    }
}
