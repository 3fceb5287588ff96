public import ByteCoding
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

    // MARK: - Channels

    /// A subscriber asks a relay to join a channel (`x.member`).
    case channelJoin(ChannelJoin)
    /// An owner asks a relay to serve a channel (`x.grp.relay.inv`).
    case relayInvitation(RelayInvitation)
    /// A relay serves a channel under a link (`x.grp.relay.acpt`).
    case relayAccepted(link: String, RelayCapabilities? = nil)
    /// A relay does not serve a channel (`x.grp.relay.reject`).
    case relayRejected(RelayRejection)
    /// A test of a relay address, and its answer with a signature (`x.grp.relay.test`).
    case relayTest(challenge: Bytes, signature: Bytes? = nil)
    /// A channel has a new relay with a link (`x.grp.relay.new`).
    case relayAdded(link: String)
    /// A relay has other capabilities (`x.grp.relay.cap`).
    case relayCapabilities(RelayCapabilities)
    /// The members with roles, in a file that follows (`x.grp.roster`).
    case roster(version: Int64, RosterFile)
    /// A relay has a roster, or cannot use it (`x.grp.roster.ack`).
    case rosterAcknowledged(version: Int64, error: String? = nil)
    /// A member asks for a roster newer than a version (`x.grp.roster.request`).
    case rosterRequested(since: Int64? = nil)
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
        case channelJoin = "x.member"
        case relayInvitation = "x.grp.relay.inv"
        case relayAccepted = "x.grp.relay.acpt"
        case relayRejected = "x.grp.relay.reject"
        case relayTest = "x.grp.relay.test"
        case relayAdded = "x.grp.relay.new"
        case relayCapabilities = "x.grp.relay.cap"
        case roster = "x.grp.roster"
        case rosterAcknowledged = "x.grp.roster.ack"
        case rosterRequested = "x.grp.roster.request"
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
        case .channelJoin: .channelJoin
        case .relayInvitation: .relayInvitation
        case .relayAccepted: .relayAccepted
        case .relayRejected: .relayRejected
        case .relayTest: .relayTest
        case .relayAdded: .relayAdded
        case .relayCapabilities: .relayCapabilities
        case .roster: .roster
        case .rosterAcknowledged: .rosterAcknowledged
        case .rosterRequested: .rosterRequested
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
        case .channelJoin: self = .channelJoin(try ChannelJoin(from: &fields))
        case .relayInvitation: self = .relayInvitation(try fields.required("groupRelayInvitation"))
        case .relayAccepted:
            self = .relayAccepted(link: try fields.text("relayLink"), try fields.optional("relayCap"))
        case .relayRejected: self = .relayRejected(RelayRejection(rawValue: try fields.text("reason")))
        case .relayTest:
            self = .relayTest(
                challenge: try fields.requiredBytes("challenge"), signature: try fields.optionalBytes("signature"))
        case .relayAdded: self = .relayAdded(link: try fields.text("relayLink"))
        case .relayCapabilities: self = .relayCapabilities(try fields.required("relayCap"))
        case .roster: self = .roster(version: try fields.integer("version"), try fields.required("fileInv"))
        case .rosterAcknowledged:
            self = .rosterAcknowledged(
                version: try fields.integer("version"), error: try fields.optionalText("error"))
        case .rosterRequested: self = .rosterRequested(since: try fields.optionalInteger("version"))
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
        case .channelJoin(let join): join.fields
        case .relayInvitation(let invitation): ["groupRelayInvitation": invitation.json]
        case .relayAccepted(let link, let capabilities): GroupEvent.parameters(link, "relayCap", capabilities?.json)
        case .relayRejected(let reason): ["reason": .string(reason.rawValue)]
        case .relayTest(let challenge, let signature):
            GroupEvent.parameters(
                ["challenge": .string(Base64URL.encode(challenge))], "signature",
                signature.map { .string(Base64URL.encode($0)) })
        case .relayAdded(let link): GroupEvent.parameters(link, "relayCap", nil)
        case .relayCapabilities(let capabilities): ["relayCap": capabilities.json]
        case .roster(let version, let file): ["version": .integer(version), "fileInv": file.json]
        case .rosterAcknowledged(let version, let error):
            GroupEvent.parameters(["version": .integer(version)], "error", error.map { .string($0) })
        case .rosterRequested(let version): GroupEvent.parameters([:], "version", version.map { .integer($0) })
        }
    }

    private static func parameters(_ link: String, _ name: String, _ value: JSONValue?) -> JSONObject {
        parameters(["relayLink": .string(link)], name, value)
    }

    private static func parameters(_ required: JSONObject, _ name: String, _ value: JSONValue?) -> JSONObject {
        var parameters = required
        if let value { parameters[name] = value }
        return parameters
    }

    private static func parameters(
        _ info: MemberInfo, _ name: String, _ value: (some JSONObjectCodable)?
    ) -> JSONObject {
        var parameters: JSONObject = ["memberInfo": info.json]
        parameters.set(name, value)
        return parameters
    }
}
