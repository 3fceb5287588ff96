public import ByteCoding
public import JSONCoding

/// How a group presents itself. As in a ``Profile``, nothing in a received one is checked.
public struct GroupProfile: Hashable, Sendable {
    public var displayName: String
    public var fullName: String
    /// A few words about the group.
    public var shortDescription: String?
    /// What new members are welcomed with.
    public var welcome: String?
    /// A picture, as a data URI.
    public var image: String?
    /// What members may do. Kept whole, because unknown preferences must survive.
    public var preferences: JSONValue?
    /// Who lets new members in; kept whole.
    public var admission: JSONValue?
    /// What is not known here.
    public var otherFields: JSONObject

    public init(
        displayName: String, fullName: String = "", shortDescription: String? = nil, welcome: String? = nil,
        image: String? = nil, preferences: JSONValue? = nil, admission: JSONValue? = nil,
        otherFields: JSONObject = [:]
    ) {
        self.displayName = displayName
        self.fullName = fullName
        self.shortDescription = shortDescription
        self.welcome = welcome
        self.image = image
        self.preferences = preferences
        self.admission = admission
        self.otherFields = otherFields
    }
}

extension GroupProfile: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        displayName = try fields.text("displayName")
        fullName = try fields.text("fullName")
        shortDescription = try fields.optionalText("shortDescr")
        welcome = try fields.optionalText("description")
        image = try fields.optionalText("image")
        preferences = fields.value("groupPreferences")
        admission = fields.value("memberAdmission")
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        var fields = otherFields
        fields.set("displayName", displayName)
        fields.set("fullName", fullName)
        fields.set("shortDescr", shortDescription)
        fields.set("description", welcome)
        fields.set("image", image)
        fields["groupPreferences"] = preferences
        fields["memberAdmission"] = admission
        return fields
    }
}
