public import ByteCoding
public import JSONCoding

/// A group, and how many belong to it.
public struct GroupInfo: SimpleResponse {
    public let profile: OwnProfile
    public let group: Group
    /// The members, with the user.
    public let memberCount: Int

    public static let type = "groupInfo"

    init(_ profile: OwnProfile, _ group: Group, memberCount: Int) {
        self.profile = profile
        self.group = group
        self.memberCount = memberCount
    }

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json,
            "groupSummary": .object(["currentMembers": .integer(Int64(memberCount))]),
        ]
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        var summary = try fields.object("groupSummary")
        self.init(
            try fields.required("user"), try fields.required("groupInfo"),
            memberCount: try summary.count("currentMembers"))
    }
}
