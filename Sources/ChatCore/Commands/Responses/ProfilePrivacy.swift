public import ByteCoding
public import JSONCoding

/// A profile that was hidden, muted, or neither again.
public struct ProfilePrivacy: SimpleResponse {
    public let profile: OwnProfile

    public static let type = "userPrivacy"

    public var fields: JSONObject { ["user": profile.json, "updatedUser": profile.json] }

    init(_ profile: OwnProfile) {
        self.profile = profile
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("updatedUser"))
    }
}
