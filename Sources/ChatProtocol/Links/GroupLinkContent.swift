public import ByteCoding
public import JSONCoding

/// Which group is behind a link.
public struct GroupLinkContent: Hashable, Sendable {
    /// What a group tells about itself to those outside.
    public struct Summary: Hashable, Sendable {
        public let memberCount: Int64
        /// What is not known here.
        public let otherFields: JSONObject

        public init(memberCount: Int64, otherFields: JSONObject = [:]) {
            self.memberCount = memberCount
            self.otherFields = otherFields
        }
    }

    public let profile: GroupProfile
    /// Only of groups that count their members for everybody.
    public let summary: Summary?
    /// What is not known here.
    public let otherFields: JSONObject

    public init(profile: GroupProfile, summary: Summary? = nil, otherFields: JSONObject = [:]) {
        self.profile = profile
        self.summary = summary
        self.otherFields = otherFields
    }
}

extension GroupLinkContent: LinkContent {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("groupProfile")
        summary = try fields.optional("publicGroupData")
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        var fields = otherFields
        fields.set("groupProfile", profile)
        fields.set("publicGroupData", summary)
        return fields
    }
}

extension GroupLinkContent.Summary: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        memberCount = try fields.integer("publicMemberCount")
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        var fields = otherFields
        fields.set("publicMemberCount", memberCount)
        return fields
    }
}
