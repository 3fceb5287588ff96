public import ByteCoding
public import JSONCoding

/// A contact, as it is after the command.
public struct ContactInfo: SimpleResponse {
    public let profile: OwnProfile
    public let contact: Contact

    public static let type = "contactInfo"

    init(_ profile: OwnProfile, _ contact: Contact) {
        self.profile = profile
        self.contact = contact
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        contact = try fields.required("contact")
    }

    public var fields: JSONObject { ["user": profile.json, "contact": contact.json] }
}
