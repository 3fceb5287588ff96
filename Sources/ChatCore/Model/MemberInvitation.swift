public import ByteCoding
import ChatProtocol
public import JSONCoding

/// How a contact came from a group: which member it is, and the invitation of one side.
public struct MemberInvitation: Hashable, Sendable {
    public let groupID: GroupID
    public let memberID: GroupMemberID
    /// The full link of the connection.
    public let link: String
    /// Whether the user invites the member.
    public let isOwn: Bool
    /// Whether an own invitation was sent, or the user began to connect with that of the member.
    public var isSent = false

    init(groupID: GroupID, memberID: GroupMemberID, link: String, isOwn: Bool, isSent: Bool = false) {
        self.groupID = groupID
        self.memberID = memberID
        self.link = link
        self.isOwn = isOwn
        self.isSent = isSent
    }
}

extension Contact {
    /// How it came from a group; nil for a contact that did not.
    public var memberInvitation: MemberInvitation? { choices.memberInvitation }

    /// True if it is a member of a group whose invitation to a direct chat the user has not accepted.
    public var invitesUser: Bool { memberInvitation.map { !$0.isOwn && !$0.isSent } ?? false }
}

extension MemberInvitation: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            groupID: GroupID(try fields.integer("groupId")),
            memberID: GroupMemberID(try fields.integer("groupMemberId")), link: try fields.text("connReq"),
            isOwn: try fields.bool("own"), isSent: try fields.bool("sent"))
    }

    public var fields: JSONObject {
        [
            "groupId": .integer(groupID.number), "groupMemberId": .integer(memberID.number), "connReq": .string(link),
            "own": .bool(isOwn), "sent": .bool(isSent),
        ]
    }

    /// `GroupDirectInvitation` of the API.
    func groupDirectInvitation(_ connection: ContactConnection?) -> JSONValue {
        var fields: JSONObject = ["groupDirectInvLink": .string(link)]
        fields.set("fromGroupId_", groupID.number)
        fields.set("fromGroupMemberId_", memberID.number)
        fields.set("groupDirectInvStartedConnection", isSent)
        return .object(fields)
    }
}
