public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// A contact, as it is after the command.
public struct ContactInfo: SimpleResponse {
    public let profile: OwnProfile
    public let contact: Contact
    /// The queues of the connection; nil if it was not asked for, or if there is none.
    public let condition: ConnectionCondition?

    public static let type = "contactInfo"

    init(_ profile: OwnProfile, _ contact: Contact, _ condition: ConnectionCondition? = nil) {
        self.profile = profile
        self.contact = contact
        self.condition = condition
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        contact = try fields.required("contact")
        condition = try fields.optional("connectionStats_")
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "contact": contact.json]
        fields.set("connectionStats_", condition)
        fields.set("customUserProfile", contact.connection?.incognito)
        return fields
    }
}
