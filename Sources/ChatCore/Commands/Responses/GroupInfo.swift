public import ByteCoding
public import JSONCoding

/// A group.
public struct GroupInfo: SimpleResponse {
    public let profile: OwnProfile
    public let group: Group

    public static let type = "groupInfo"

    init(_ profile: OwnProfile, _ group: Group) {
        self.profile = profile
        self.group = group
    }

    public var fields: JSONObject { ["user": profile.json, "groupInfo": group.json] }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"), try fields.required("groupInfo"))
    }
}
