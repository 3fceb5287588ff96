public import ByteCoding
public import JSONCoding

/// The invitation of a contact to a group (`x.grp.inv`, chat.md 4.2).
public struct GroupInvitation: Hashable, Sendable {
    /// The inviting member.
    public let fromMember: MemberIDRole
    /// The invited member.
    public let invitedMember: MemberIDRole
    /// The full link of the connection with the inviting member.
    public let connectionLink: String
    /// The profile of the group.
    public let groupProfile: GroupProfile
    /// The sides of a business chat; nil for other groups.
    public let business: BusinessChatInfo?
    /// The id of the group link through which the invited member asked to join.
    public let groupLinkID: Bytes?
    /// The number of members.
    public let groupSize: Int64?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a group invitation from its parts.
    public init(
        from member: MemberIDRole, to invitedMember: MemberIDRole, connectionLink: String, groupProfile: GroupProfile,
        business: BusinessChatInfo? = nil, groupLinkID: Bytes? = nil, groupSize: Int64? = nil,
        otherFields: JSONObject = [:]
    ) {
        fromMember = member
        self.invitedMember = invitedMember
        self.connectionLink = connectionLink
        self.groupProfile = groupProfile
        self.business = business
        self.groupLinkID = groupLinkID
        self.groupSize = groupSize
        self.otherFields = otherFields
    }
}

extension GroupInvitation: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        fromMember = try fields.required("fromMember")
        invitedMember = try fields.required("invitedMember")
        connectionLink = try fields.text("connRequest")
        groupProfile = try fields.required("groupProfile")
        business = try fields.optional("business")
        groupLinkID = try fields.optionalBytes("groupLinkId")
        groupSize = try fields.optionalInteger("groupSize")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("fromMember", fromMember)
        fields.set("invitedMember", invitedMember)
        fields.set("connRequest", connectionLink)
        fields.set("groupProfile", groupProfile)
        fields.set("business", business)
        fields.set("groupLinkId", groupLinkID.map { Base64URL.encode($0) })
        fields.set("groupSize", groupSize)
        return fields
    }
}

/// The sides of a business chat (chat.md 4.6).
public struct BusinessChatInfo: Hashable, Sendable {
    /// The side of the reader of an invitation.
    public enum Side: String, Hashable, Sendable {
        /// The group has the name and the picture of the business.
        case business
        /// The group has the name and the picture of the customer.
        case customer
    }

    /// The side that names the group.
    public let side: Side
    /// The member who is the business.
    public let businessID: MemberID
    /// The member who is the customer.
    public let customerID: MemberID
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a business chat info from its parts.
    public init(_ side: Side, businessID: MemberID, customerID: MemberID, otherFields: JSONObject = [:]) {
        self.side = side
        self.businessID = businessID
        self.customerID = customerID
        self.otherFields = otherFields
    }
}

extension BusinessChatInfo: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        side = try fields.word("chatType", Side.init(rawValue:))
        businessID = try fields.requiredMemberID("businessId")
        customerID = try fields.requiredMemberID("customerId")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        otherFields.merging([
            "chatType": .string(side.rawValue), "businessId": businessID.json, "customerId": customerID.json,
        ])
    }
}
