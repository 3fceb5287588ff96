import ByteCoding
import JSONCoding

/// An event of a group (`x.grp.*`, chat.md 2.5 and 4).
public enum GroupEvent: Hashable, Sendable {
    // MARK: - Joining

    /// A member invites a contact to a group (`x.grp.inv`).
    case invitation(GroupInvitation)
    /// The invited contact accepts, under its member id (`x.grp.acpt`).
    case invitationAccepted(MemberID)
    /// A host invites the requester of a group link (`x.grp.link.inv`).
    case linkInvitation(GroupLinkInvitation)
    /// A host rejects the requester of a group link (`x.grp.link.reject`).
    case linkRejection(GroupLinkRejection)
    /// The host presents itself to a member that joined through a link (`x.grp.link.mem`).
    case hostProfile(Profile)
    /// A member that joined through a link is accepted, or must wait for a review (`x.grp.link.acpt`).
    case admission(GroupAcceptance, role: GroupRole, MemberID)

    // MARK: - Introductions

    /// A member has joined the group, or only the support chat of a scope (`x.grp.mem.new`).
    case memberJoined(MemberInfo, scope: MessageScope? = nil)
    /// The host introduces a member to a new member (`x.grp.mem.intro`).
    case memberIntroduced(MemberInfo, MemberRestrictions? = nil)
    /// A new member has made links for an introduced member, and sends them to the host (`x.grp.mem.inv`).
    case introInvitation(MemberID, IntroInvitation)
    /// The host forwards the links of a new member (`x.grp.mem.fwd`).
    case introForwarded(MemberInfo, IntroInvitation)
    /// A member presents itself in the handshake of a connection (`x.grp.mem.info`).
    case memberPresented(MemberID, Profile)
    /// The sender is connected with a member, to which the host need not forward any longer (`x.grp.mem.con`).
    case memberConnected(MemberID)
    /// The sender is connected with all members. No client sends it (`x.grp.mem.con.all`).
    case allConnected(MemberID)

    // MARK: - Members

    /// A member has another role (`x.grp.mem.role`).
    case roleChanged(MemberID, GroupRole)
    /// A member is blocked for all, or no longer blocked (`x.grp.mem.restrict`).
    case restrictionChanged(MemberID, MemberRestrictions)
    /// A member is removed, possibly with its messages (`x.grp.mem.del`).
    case memberRemoved(MemberID, removesMessages: Bool = false)
    /// The sender leaves (`x.grp.leave`).
    case memberLeft
    /// The sender invites a member to a direct contact (`x.grp.direct.inv`).
    case contactInvitation(MemberContactInvitation)

    // MARK: - Group

    /// The group is deleted (`x.grp.del`).
    case groupDeleted
    /// The group has another profile (`x.grp.info`).
    case profileChanged(GroupProfile)
    /// A business chat has other preferences (`x.grp.prefs`).
    case preferencesChanged(GroupPreferences)
    /// The message of another member (`x.grp.msg.forward`).
    case forwarded(ForwardedMessage)
}

extension GroupEvent {
    /// The names of the events.
    enum Name: String, CaseIterable {
        case invitation = "x.grp.inv"
        case invitationAccepted = "x.grp.acpt"
        case linkInvitation = "x.grp.link.inv"
        case linkRejection = "x.grp.link.reject"
        case hostProfile = "x.grp.link.mem"
        case admission = "x.grp.link.acpt"
        case memberJoined = "x.grp.mem.new"
        case memberIntroduced = "x.grp.mem.intro"
        case introInvitation = "x.grp.mem.inv"
        case introForwarded = "x.grp.mem.fwd"
        case memberPresented = "x.grp.mem.info"
        case memberConnected = "x.grp.mem.con"
        case allConnected = "x.grp.mem.con.all"
        case roleChanged = "x.grp.mem.role"
        case restrictionChanged = "x.grp.mem.restrict"
        case memberRemoved = "x.grp.mem.del"
        case memberLeft = "x.grp.leave"
        case contactInvitation = "x.grp.direct.inv"
        case groupDeleted = "x.grp.del"
        case profileChanged = "x.grp.info"
        case preferencesChanged = "x.grp.prefs"
        case forwarded = "x.grp.msg.forward"
    }

    var name: Name {
        switch self {
        case .invitation: .invitation
        case .invitationAccepted: .invitationAccepted
        case .linkInvitation: .linkInvitation
        case .linkRejection: .linkRejection
        case .hostProfile: .hostProfile
        case .admission: .admission
        case .memberJoined: .memberJoined
        case .memberIntroduced: .memberIntroduced
        case .introInvitation: .introInvitation
        case .introForwarded: .introForwarded
        case .memberPresented: .memberPresented
        case .memberConnected: .memberConnected
        case .allConnected: .allConnected
        case .roleChanged: .roleChanged
        case .restrictionChanged: .restrictionChanged
        case .memberRemoved: .memberRemoved
        case .memberLeft: .memberLeft
        case .contactInvitation: .contactInvitation
        case .groupDeleted: .groupDeleted
        case .profileChanged: .profileChanged
        case .preferencesChanged: .preferencesChanged
        case .forwarded: .forwarded
        }
    }

    /// Takes the parameters of an event, and leaves the unknown ones.
    ///
    /// - Throws: ``DecodeError`` if a required field is missing or invalid.
    init(_ name: Name, from fields: inout JSONFields) throws(DecodeError) {
        switch name {
        case .invitation: self = .invitation(try fields.required("groupInvitation"))
        case .invitationAccepted: self = .invitationAccepted(try fields.requiredMemberID("memberId"))
        case .linkInvitation: self = .linkInvitation(try fields.required("groupLinkInvitation"))
        case .linkRejection: self = .linkRejection(try fields.required("groupLinkRejection"))
        case .hostProfile: self = .hostProfile(try fields.required("profile"))
        case .admission:
            self = .admission(
                try fields.word("acceptance", GroupAcceptance.init(rawValue:)), role: try fields.role("role"),
                try fields.requiredMemberID("memberId"))
        case .memberJoined:
            self = .memberJoined(try fields.required("memberInfo"), scope: try fields.optional("scope"))
        case .memberIntroduced:
            self = .memberIntroduced(try fields.required("memberInfo"), try fields.optional("memberRestrictions"))
        case .introInvitation:
            self = .introInvitation(try fields.requiredMemberID("memberId"), try fields.required("memberIntro"))
        case .introForwarded:
            self = .introForwarded(try fields.required("memberInfo"), try fields.required("memberIntro"))
        case .memberPresented:
            self = .memberPresented(try fields.requiredMemberID("memberId"), try fields.required("profile"))
        case .memberConnected: self = .memberConnected(try fields.requiredMemberID("memberId"))
        case .allConnected: self = .allConnected(try fields.requiredMemberID("memberId"))
        case .roleChanged: self = .roleChanged(try fields.requiredMemberID("memberId"), try fields.role("role"))
        case .restrictionChanged:
            self = .restrictionChanged(
                try fields.requiredMemberID("memberId"), try fields.required("memberRestrictions"))
        case .memberRemoved:
            // As in the official client, a malformed flag does not prevent the removal.
            self = .memberRemoved(
                try fields.requiredMemberID("memberId"), removesMessages: fields.value("messages")?.bool ?? false)
        case .memberLeft: self = .memberLeft
        case .contactInvitation: self = .contactInvitation(try MemberContactInvitation(from: &fields))
        case .groupDeleted: self = .groupDeleted
        case .profileChanged: self = .profileChanged(try fields.required("groupProfile"))
        case .preferencesChanged: self = .preferencesChanged(try fields.required("groupPreferences"))
        case .forwarded: self = .forwarded(try ForwardedMessage(from: &fields))
        }
    }

    /// The parameters of the event.
    var parameters: JSONObject {
        switch self {
        case .invitation(let invitation): ["groupInvitation": invitation.json]
        case .linkInvitation(let invitation): ["groupLinkInvitation": invitation.json]
        case .linkRejection(let rejection): ["groupLinkRejection": rejection.json]
        case .hostProfile(let profile): ["profile": profile.json]
        case .admission(let acceptance, let role, let id):
            ["acceptance": .string(acceptance.rawValue), "role": .string(role.rawValue), "memberId": id.json]
        case .memberJoined(let info, let scope): GroupEvent.parameters(info, "scope", scope)
        case .memberIntroduced(let info, let restrictions):
            GroupEvent.parameters(info, "memberRestrictions", restrictions)
        case .introInvitation(let id, let links): ["memberId": id.json, "memberIntro": links.json]
        case .introForwarded(let info, let links): ["memberInfo": info.json, "memberIntro": links.json]
        case .memberPresented(let id, let profile): ["memberId": id.json, "profile": profile.json]
        case .invitationAccepted(let id), .memberConnected(let id), .allConnected(let id): ["memberId": id.json]
        case .roleChanged(let id, let role): ["memberId": id.json, "role": .string(role.rawValue)]
        case .restrictionChanged(let id, let restrictions):
            ["memberId": id.json, "memberRestrictions": restrictions.json]
        case .memberRemoved(let id, false): ["memberId": id.json]
        case .memberRemoved(let id, true): ["memberId": id.json, "messages": true]
        case .memberLeft, .groupDeleted: [:]
        case .contactInvitation(let invitation): invitation.fields
        case .profileChanged(let profile): ["groupProfile": profile.json]
        case .preferencesChanged(let preferences): ["groupPreferences": preferences.json]
        case .forwarded(let forwarded): forwarded.fields
        }
    }

    private static func parameters(
        _ info: MemberInfo, _ name: String, _ value: (some JSONObjectCodable)?
    ) -> JSONObject {
        var parameters: JSONObject = ["memberInfo": info.json]
        parameters.set(name, value)
        return parameters
    }
}
