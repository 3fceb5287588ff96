public import ByteCoding
public import JSONCoding

/// One chat.
public struct ChatInfo: SimpleResponse {
    public let profile: OwnProfile
    public let chat: Contact

    public static let type = "contactInfo"

    public var fields: JSONObject { ["user": profile.json, "contact": chat.json] }

    init(profile: OwnProfile, chat: Contact) {
        self.profile = profile
        self.chat = chat
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), chat: try fields.required("contact"))
    }
}
