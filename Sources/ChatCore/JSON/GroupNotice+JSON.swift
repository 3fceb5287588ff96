public import ByteCoding
import ChatProtocol
public import JSONCoding

extension GroupNotice: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case "memberAdded": self = .memberAdded(try Subject(from: &fields))
        case "memberConnected": self = .memberConnected
        case "memberAccepted": self = .memberAccepted(try Subject(from: &fields))
        case "userAccepted": self = .userAccepted
        case "memberLeft": self = .memberLeft
        case "memberRole":
            self = .memberRole(try Subject(from: &fields), GroupRole(rawValue: try fields.text("role")))
        case "memberBlocked": self = .memberBlocked(try Subject(from: &fields), try fields.bool("blocked"))
        case "userRole": self = .userRole(GroupRole(rawValue: try fields.text("role")))
        case "memberDeleted": self = .memberRemoved(try Subject(from: &fields))
        case "userDeleted": self = .userRemoved
        case "groupDeleted": self = .groupDeleted
        case "groupUpdated": self = .groupUpdated(try fields.required("groupProfile"))
        case "invitedViaGroupLink": self = .joinedByLink
        case "memberCreatedContact": self = .memberCreatedContact
        case "memberProfileUpdated":
            self = .memberUpdated(from: try fields.required("fromProfile"), to: try fields.required("toProfile"))
        case "newMemberPendingReview": self = .memberPending
        case "userLeft": self = .userLeft
        case "userPendingReview": self = .userPending
        case "msgBadSignature": self = .badSignature
        default: throw .invalid("groupEvent")
        }
    }

    /// `RcvGroupEvent` or `SndGroupEvent` of the API.
    public var fields: JSONObject {
        switch self {
        case .memberAdded(let subject): subject.fields("memberAdded")
        case .memberConnected: ["type": "memberConnected"]
        case .memberAccepted(let subject): subject.fields("memberAccepted")
        case .userAccepted: ["type": "userAccepted"]
        case .memberLeft: ["type": "memberLeft"]
        case .memberRole(let subject, let role):
            subject.fields("memberRole").merging(["role": .string(role.rawValue)])
        case .memberBlocked(let subject, let isBlocked):
            subject.fields("memberBlocked").merging(["blocked": .bool(isBlocked)])
        case .userRole(let role): ["type": "userRole", "role": .string(role.rawValue)]
        case .memberRemoved(let subject): subject.fields("memberDeleted")
        case .userRemoved: ["type": "userDeleted"]
        case .groupDeleted: ["type": "groupDeleted"]
        case .groupUpdated(let profile): ["type": "groupUpdated", "groupProfile": profile.json]
        case .joinedByLink: ["type": "invitedViaGroupLink"]
        case .memberCreatedContact: ["type": "memberCreatedContact"]
        case .memberUpdated(let former, let profile):
            ["type": "memberProfileUpdated", "fromProfile": former.json, "toProfile": profile.json]
        case .memberPending: ["type": "newMemberPendingReview"]
        case .userLeft: ["type": "userLeft"]
        case .userPending: ["type": "userPendingReview"]
        case .badSignature: ["type": "msgBadSignature"]
        }
    }

    /// What a reader of plain text sees, behind the name of the author.
    var plainText: String {
        switch self {
        case .memberAdded(let subject): "added \(subject.profile.displayName)"
        case .memberConnected: "connected"
        case .memberAccepted(let subject): "accepted \(subject.profile.displayName)"
        case .userAccepted: "accepted you"
        case .memberLeft, .userLeft: "left the group"
        case .memberRole(let subject, let role):
            "changed the role of \(subject.profile.displayName) to \(role.rawValue)"
        case .memberBlocked(let subject, let isBlocked):
            "\(isBlocked ? "blocked" : "unblocked") \(subject.profile.displayName) for all"
        case .userRole(let role): "changed your role to \(role.rawValue)"
        case .memberRemoved(let subject): "removed \(subject.profile.displayName)"
        case .userRemoved: "removed you from the group"
        case .groupDeleted: "deleted the group"
        case .groupUpdated: "changed the profile of the group"
        case .joinedByLink: "joins through your group link"
        case .memberCreatedContact: "wants to be a contact"
        case .memberUpdated: "has a new profile"
        case .memberPending: "asks to be let in"
        case .userPending: "the moderators review your request to join"
        case .badSignature: "sent a message with a wrong signature, which was refused"
        }
    }
}

extension GroupNotice.Subject {
    fileprivate init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(id: GroupMemberID(try fields.integer("groupMemberId")), profile: try fields.required("profile"))
    }

    fileprivate func fields(_ type: String) -> JSONObject {
        ["type": .string(type), "groupMemberId": .integer(id.number), "profile": profile.json]
    }
}

extension GroupInvitationNotice: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let role = GroupRole(rawValue: try fields.text("memberRole"))
        try self.init(from: &fields, role)
    }

    /// `CIGroupInvitation` of the API, with the role that stands beside it there.
    public var fields: JSONObject { invitation.merging(["memberRole": .string(role.rawValue)]) }

    private var invitation: JSONObject {
        [
            "groupId": .integer(groupID.number), "groupMemberId": .integer(memberID.number),
            "localDisplayName": .string(name), "groupProfile": profile.json, "status": .string(status.rawValue),
        ]
    }

    private init(from fields: inout JSONFields, _ role: GroupRole) throws(DecodeError) {
        self.init(
            groupID: GroupID(try fields.integer("groupId")),
            memberID: GroupMemberID(try fields.integer("groupMemberId")), name: try fields.text("localDisplayName"),
            profile: try fields.required("groupProfile"),
            status: try fields.word("status", Status.init(rawValue:)), role: role)
    }

    /// `CIContent` of the API.
    func content(_ direction: ChatItem.Direction) -> JSONObject {
        [
            "type": direction == .sent ? "sndGroupInvitation" : "rcvGroupInvitation",
            "groupInvitation": .object(invitation), "memberRole": .string(role.rawValue),
        ]
    }

    /// Reads a `CIContent`.
    init(content fields: inout JSONFields) throws(DecodeError) {
        let role = GroupRole(rawValue: try fields.text("memberRole"))
        var invitation = try fields.object("groupInvitation")
        try self.init(from: &invitation, role)
    }
}

extension GroupPreferences.Setting {
    /// The form of messages.
    var fields: JSONObject {
        var fields: JSONObject = ["enable": isOn ? "on" : "off"]
        fields.set("role", role?.rawValue)
        fields.set("ttl", ttl)
        return fields
    }
}

extension GroupPreferences.Feature {
    /// `CIContent` of the API.
    func content(_ setting: GroupPreferences.Setting, _ direction: ChatItem.Direction) -> JSONObject {
        var fields: JSONObject = [
            "type": direction == .sent ? "sndGroupFeature" : "rcvGroupFeature", "groupFeature": .string(rawValue),
            "preference": .object(["enable": setting.isOn ? "on" : "off"]),
        ]
        if setting.isOn { fields.set("param", setting.ttl) } else { fields.set("ttl", setting.ttl) }
        if setting.isOn { fields.set("memberRole_", setting.role?.rawValue) }
        return fields
    }

    /// Reads a `CIContent`.
    static func decode(
        content fields: inout JSONFields
    ) throws(DecodeError) -> (GroupPreferences.Feature, GroupPreferences.Setting) {
        let feature = try fields.word("groupFeature", GroupPreferences.Feature.init(rawValue:))
        var preference = try fields.object("preference")
        let isOn = try preference.text("enable") == "on"
        let seconds = try fields.optionalInteger("param"), kept = try fields.optionalInteger("ttl")
        return (
            feature,
            GroupPreferences.Setting(
                isOn, role: try fields.optionalText("memberRole_").map { GroupRole(rawValue: $0) }, ttl: seconds ?? kept
            )
        )
    }
}
