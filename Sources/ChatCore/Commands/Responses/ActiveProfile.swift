public import ByteCoding
public import JSONCoding

/// The active profile.
public struct ActiveProfile: SimpleResponse {
    public let profile: OwnProfile

    public static let type = "activeUser"

    public var fields: JSONObject { ["user": profile.json] }

    init(_ profile: OwnProfile) {
        self.profile = profile
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"))
    }
}
