public import ByteCoding
public import JSONCoding

/// A group that the user gave another profile.
public struct GroupUpdate: SimpleResponse {
    public let profile: OwnProfile
    public let former: Group
    public let group: Group

    public static let type = "groupUpdated"

    init(_ profile: OwnProfile, _ former: Group, _ group: Group) {
        self.profile = profile
        self.former = former
        self.group = group
    }

    public var fields: JSONObject {
        [
            "user": profile.json, "fromGroup": former.json, "toGroup": group.json, "msgSigned": .bool(group.isChannel),
        ]
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"), try fields.required("fromGroup"), try fields.required("toGroup"))
    }
}
