public import ByteCoding
public import JSONCoding

/// The command was carried out, and there is nothing to tell but the profile that it was about, if it was about one.
public struct CommandOK: SimpleResponse {
    public let profile: OwnProfile?

    public static let type = "cmdOk"

    init(_ profile: OwnProfile? = nil) {
        self.profile = profile
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.optional("user_")
    }

    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("user_", profile)
        return fields
    }
}
