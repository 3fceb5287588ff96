import ByteCoding
public import ChatProtocol
import JSONCoding

/// Why something about who is in a group is not done.
public enum MembershipObstacle: Hashable, Sendable {
    /// A group of the active profile with this name is not there.
    case groupNameNotFound(String)
    indirect case memberNameNotFound(Group, String)
    /// The contact is a member already.
    case duplicateMember(String)
    /// The link of the invitation is not there any more.
    indirect case cannotRepeat(Group, String)
    /// The contact knows a profile that was made up for it.
    case incognitoContact
    /// The group knows a profile that was made up for it.
    case incognitoGroup
    /// Nobody invited the user, or the invitation was accepted.
    case notInvited
    indirect case linkExists(Group)
    indirect case noLink(Group)
    /// Who joins through a link gets no such role.
    indirect case linkRole(Group, GroupRole)
    /// The member left or was removed.
    case memberNotActive
    /// Something in words.
    case refused(Refusal)

    /// What is refused in words. The raw values are those of the reference implementation where it has some.
    public enum Refusal: String, CaseIterable, Hashable, Sendable {
        case contactExists = "member contact already exists"
        case contactInvited = "x.grp.direct.inv already sent"
        case noInvitation = "member contact has no invitation"
        case directMessagesOff = "direct messages not allowed"
        case notPending = "member should be pending approval or review"
        case ownMember = "can't change role for self"
        case ownerLeaves = "the last owner cannot leave the group"
        case notPrepared = "group doesn't have link to connect"
        case begun = "group already has connection"
        case noLinkGroup = "not a group link"
        case business = "not possible in a business chat"
    }
}

extension MembershipObstacle {
    /// `ChatError` of the API.
    var errorFields: JSONObject {
        switch self {
        case .groupNameNotFound(let name): ChatError.store("groupNotFoundByName", ["groupName": .string(name)])
        case .memberNameNotFound(let group, let name):
            ChatError.store(
                "groupMemberNameNotFound",
                [
                    "groupId": .integer(group.id.number), "groupMemberName": .string(name), "groupInfo": group.json,
                ])
        case .duplicateMember(let name):
            ChatError.command("groupDuplicateMember", ["contactName": .string(name)])
        case .cannotRepeat(let group, let name):
            ChatError.command(
                "groupCantResendInvitation", ["groupInfo": group.json, "contactName": .string(name)])
        case .incognitoContact: ChatError.command("contactIncognitoCantInvite", [:])
        case .incognitoGroup: ChatError.command("groupIncognitoCantInvite", [:])
        case .notInvited: ChatError.store("groupInvitationNotFound", [:])
        case .linkExists(let group): ChatError.store("duplicateGroupLink", ["groupInfo": group.json])
        case .noLink(let group): ChatError.store("groupLinkNotFound", ["groupInfo": group.json])
        case .linkRole(let group, let role):
            ChatError.command(
                "groupMemberInitialRole", ["groupInfo": group.json, "initialRole": .string(role.rawValue)])
        case .memberNotActive: ChatError.command("groupMemberNotActive", [:])
        case .refused(let refusal):
            ChatError.command("commandError", ["message": .string(refusal.rawValue)])
        }
    }

    /// Reads a `ChatErrorType`; nil for one that is about something else.
    init?(command type: String, _ fields: JSONObject) throws(DecodeError) {
        var error = JSONFields(fields)
        switch type {
        case "groupDuplicateMember": self = .duplicateMember(try error.text("contactName"))
        case "groupCantResendInvitation":
            self = .cannotRepeat(try error.required("groupInfo"), try error.text("contactName"))
        case "contactIncognitoCantInvite": self = .incognitoContact
        case "groupIncognitoCantInvite": self = .incognitoGroup
        case "groupMemberInitialRole":
            self = .linkRole(
                try error.required("groupInfo"), GroupRole(rawValue: try error.text("initialRole")))
        case "groupMemberNotActive": self = .memberNotActive
        case "commandError":
            guard let refusal = Refusal(rawValue: try error.text("message")) else { return nil }
            self = .refused(refusal)
        default: return nil
        }
    }

    /// Reads a `StoreError`; nil for one that is about something else.
    init?(store type: String, _ fields: JSONObject) throws(DecodeError) {
        var error = JSONFields(fields)
        switch type {
        case "groupNotFoundByName": self = .groupNameNotFound(try error.text("groupName"))
        case "groupMemberNameNotFound":
            self = .memberNameNotFound(try error.required("groupInfo"), try error.text("groupMemberName"))
        case "groupInvitationNotFound": self = .notInvited
        case "duplicateGroupLink": self = .linkExists(try error.required("groupInfo"))
        case "groupLinkNotFound": self = .noLink(try error.required("groupInfo"))
        default: return nil
        }
    }
}
