public import ByteCoding
public import JSONCoding

/// The link of a group, which is new or not.
public struct GroupLinkInfo: ChatResponse {
    public let profile: OwnProfile
    public let group: Group
    public let link: GroupLink
    public let isNew: Bool

    private static let newType = "groupLinkCreated", knownType = "groupLink"

    init(_ profile: OwnProfile, _ group: Group, _ link: GroupLink, isNew: Bool = false) {
        self.profile = profile
        self.group = group
        self.link = link
        self.isNew = isNew
    }

    public var type: String { isNew ? GroupLinkInfo.newType : GroupLinkInfo.knownType }
    public var fields: JSONObject { ["user": profile.json, "groupInfo": group.json, "groupLink": link.json] }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard [GroupLinkInfo.newType, GroupLinkInfo.knownType].contains(type) else { throw .invalid("type") }
        self.init(
            try fields.required("user"), try fields.required("groupInfo"), try fields.required("groupLink"),
            isNew: type == GroupLinkInfo.newType)
    }
}
