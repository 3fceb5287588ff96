public import ByteCoding
public import JSONCoding

/// The answer of a host to a request through a group link (`x.grp.link.inv`, chat.md 4.3).
public struct GroupLinkInvitation: Hashable, Sendable {
    /// The host.
    public let fromMember: MemberIDRole
    /// The display name of the host.
    public let fromMemberName: String
    /// The joining member.
    public let invitedMember: MemberIDRole
    /// The profile of the group.
    public let groupProfile: GroupProfile
    /// The state of the admission; nil from clients without reviews, which accept all members.
    public let acceptance: GroupAcceptance?
    /// The sides of a business chat; nil for other groups.
    public let business: BusinessChatInfo?
    /// The number of members.
    public let groupSize: Int64?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a group link invitation from its parts.
    public init(
        from member: MemberIDRole, named name: String, to invitedMember: MemberIDRole, groupProfile: GroupProfile,
        acceptance: GroupAcceptance? = nil, business: BusinessChatInfo? = nil, groupSize: Int64? = nil,
        otherFields: JSONObject = [:]
    ) {
        fromMember = member
        fromMemberName = name
        self.invitedMember = invitedMember
        self.groupProfile = groupProfile
        self.acceptance = acceptance
        self.business = business
        self.groupSize = groupSize
        self.otherFields = otherFields
    }
}

extension GroupLinkInvitation: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        fromMember = try fields.required("fromMember")
        fromMemberName = try fields.text("fromMemberName")
        invitedMember = try fields.required("invitedMember")
        groupProfile = try fields.required("groupProfile")
        acceptance = try fields.optionalWord("accepted", GroupAcceptance.init(rawValue:))
        business = try fields.optional("business")
        groupSize = try fields.optionalInteger("groupSize")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("fromMember", fromMember)
        fields.set("fromMemberName", fromMemberName)
        fields.set("invitedMember", invitedMember)
        fields.set("groupProfile", groupProfile)
        fields.set("accepted", acceptance?.rawValue)
        fields.set("business", business)
        fields.set("groupSize", groupSize)
        return fields
    }
}

/// The state of a joining member's admission (chat.md 4.4).
public enum GroupAcceptance: String, Hashable, Sendable {
    /// The member is admitted.
    case accepted
    /// The host must approve the member.
    case pendingApproval = "pending"
    /// The moderators must accept the member.
    case pendingReview = "pending_review"
}

/// The rejection of a request through a group link (`x.grp.link.reject`, chat.md 4.3).
public struct GroupLinkRejection: Hashable, Sendable {
    /// The reason. Later versions may have others.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The name in messages.
        public let rawValue: String

        /// Creates a reason from its name in messages.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The display name of the joining member is too long.
        public static let longName = Reason(rawValue: "long_name")
        /// The display name of the joining member is not allowed.
        public static let blockedName = Reason(rawValue: "blocked_name")
    }

    /// The host.
    public let fromMember: MemberIDRole
    /// The rejected member.
    public let invitedMember: MemberIDRole
    /// The profile of the group.
    public let groupProfile: GroupProfile
    /// The reason.
    public let reason: Reason
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a group link rejection from its parts.
    public init(
        from member: MemberIDRole, to invitedMember: MemberIDRole, groupProfile: GroupProfile, reason: Reason,
        otherFields: JSONObject = [:]
    ) {
        fromMember = member
        self.invitedMember = invitedMember
        self.groupProfile = groupProfile
        self.reason = reason
        self.otherFields = otherFields
    }
}

extension GroupLinkRejection: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        fromMember = try fields.required("fromMember")
        invitedMember = try fields.required("invitedMember")
        groupProfile = try fields.required("groupProfile")
        reason = Reason(rawValue: try fields.text("rejectionReason"))
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("fromMember", fromMember)
        fields.set("invitedMember", invitedMember)
        fields.set("groupProfile", groupProfile)
        fields.set("rejectionReason", reason.rawValue)
        return fields
    }
}
