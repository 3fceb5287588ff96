import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

extension GroupMember: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var profile = try fields.object("memberProfile")
        var settings = try fields.object("memberSettings")
        var inviter = try fields.object("invitedBy")
        let inviterID = try fields.optionalInteger("invitedByGroupMemberId")
        let isInvitedByUser = try inviter.text("type") == "user"
        var connection: ContactConnection?
        if var active = try fields.optionalObject("activeConn") { connection = try ContactConnection(active: &active) }
        self.init(
            id: GroupMemberID(try fields.integer("groupMemberId")), groupID: GroupID(try fields.integer("groupId")),
            profileID: ProfileID(try fields.integer("userId")), memberID: try fields.requiredMemberID("memberId"),
            role: GroupRole(rawValue: try fields.text("memberRole")),
            category: try fields.word("memberCategory", Category.init(rawValue:)),
            status: try fields.word("memberStatus", Status.init(rawValue:)), name: try fields.text("localDisplayName"),
            storedProfile: StoredProfile(try Profile(local: &profile)),
            contactID: try fields.optionalInteger("memberContactId").map { ContactID($0) },
            inviter: isInvitedByUser ? .user : inviterID.map { .member(GroupMemberID($0)) } ?? .unknown,
            showsMessages: try settings.bool("showMessages"), isBlockedForAll: try fields.bool("blockedByAdmin"),
            versions: try fields.optionalVersions("memberChatVRange") ?? ChatVersion.initial,
            supportChat: try fields.optional("supportChat"), createdAt: try fields.timestamp("createdAt"),
            updatedAt: try fields.timestamp("updatedAt"), isIncognito: try fields.optionalBool("incognito") ?? false,
            publicKey: try fields.optionalBytes("memberPubKey"), relayLink: try fields.optionalText("relayLink"),
            connection: connection)
    }

    /// `GroupMember` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = [
            // The official core counts the members of a group. Only owners of channels need the number.
            "groupMemberId": .integer(id.number), "groupId": .integer(groupID.number),
            "indexInGroup": .integer(isUser ? 0 : id.number), "memberId": memberID.json,
            "memberRole": .string(role.rawValue), "memberCategory": .string(category.rawValue),
            "memberStatus": .string(status.rawValue),
            "memberSettings": .object(["showMessages": .bool(showsMessages)]), "blockedByAdmin": .bool(isBlockedForAll),
        ]
        fields["invitedBy"] = .object(["type": inviter == .user ? "user" : "unknown"])
        if case .member(let id) = inviter { fields.set("invitedByGroupMemberId", id.number) }
        fields.set("localDisplayName", name)
        fields["memberProfile"] = .object(profile.localFields(id: id.number, alias: ""))
        fields.set("memberContactId", contactID?.number)
        // Other clients know an incognito membership by a profile that is not that of the user.
        fields.set("memberContactProfileId", isUser ? isIncognito ? -id.number : profileID.number : id.number)
        if isIncognito { fields["incognito"] = true }
        fields["activeConn"] = connection?.json(nil)
        fields["memberChatVRange"] = versions.json
        fields.set("supportChat", supportChat)
        fields.set("memberPubKey", publicKey.map { Base64URL.encode($0) })
        fields.set("relayLink", relayLink)
        fields.set("createdAt", createdAt.apiText)
        fields.set("updatedAt", updatedAt.apiText)
        // The official core has it elsewhere.
        fields.set("userId", profileID.number)
        return fields
    }
}

extension GroupMember.SupportChat: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            activeAt: try fields.timestamp("chatTs"), unreadCount: try fields.count("unread"),
            attentionCount: try fields.count("memberAttention"), mentionCount: try fields.count("mentions"),
            memberWroteAt: try fields.optionalTimestamp("lastMsgFromMemberTs"))
    }

    /// `GroupSupportChat` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["chatTs": .string(activeAt.apiText)]
        fields.set("unread", unreadCount)
        fields.set("memberAttention", attentionCount)
        fields.set("mentions", mentionCount)
        fields.set("lastMsgFromMemberTs", memberWroteAt?.apiText)
        return fields
    }
}
