import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

extension OwnProfile: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var profile = try fields.object("profile")
        let showsNotifications = try fields.bool("showNtfs"), wasMuted = try fields.optionalBool("muted")
        self.init(
            id: ProfileID(try fields.integer("userId")), name: try fields.text("localDisplayName"),
            profile: try Profile(local: &profile), isActive: try fields.bool("activeUser"),
            sendsReceipts: try fields.bool("sendRcptsContacts"),
            isMuted: wasMuted ?? !showsNotifications,
            unreadCount: try fields.count("unreadCount"), createdAt: try fields.timestamp("createdAt"),
            retention: try fields.optionalInteger("chatItemTTL"),
            isHidden: try fields.optionalObject("viewPwdHash") != nil,
            sendsGroupReceipts: try fields.bool("sendRcptsSmallGroups"),
            acceptsMembers: try fields.bool("autoAcceptMemberContacts"),
            changedAt: try fields.optionalTimestamp("userMemberProfileUpdatedAt"),
            home: try fields.optionalInteger("homeContactId").map { ContactID($0) },
            usesService: try fields.bool("clientService"), isChatRelay: try fields.bool("userChatRelay"))
    }

    /// `User` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = [
            "userId": .integer(id.number),
            "agentUserId": .string("\(id.number)"),
            // The official core keeps a contact for each user; here the profile itself is all there is.
            "userContactId": .integer(id.number),
            "localDisplayName": .string(name),
            "profile": .object(profile.localFields(id: id.number)),
            "fullPreferences": .object(Preferences.full(of: profile.preferences?.object ?? [:])),
            "activeUser": .bool(isActive),
            "activeOrder": .integer(id.number),
            "showNtfs": .bool(!isMuted && !isHidden),
            "sendRcptsContacts": .bool(sendsReceipts),
            "sendRcptsSmallGroups": .bool(sendsGroupReceipts),
            "autoAcceptMemberContacts": .bool(acceptsMembers),
            "userChatRelay": .bool(isChatRelay),
            "clientService": .bool(usesService),
        ]
        // SECURITY: that there is a password, and nothing that helps to find it. A client that wants to check one uses it.
        if isHidden { fields["viewPwdHash"] = .object(["hash": "", "salt": ""]) }
        fields.set("userMemberProfileUpdatedAt", changedAt?.apiText)
        // The official core has these elsewhere, or not at all.
        fields.set("homeContactId", home?.number)
        fields.set("unreadCount", unreadCount)
        fields.set("createdAt", createdAt.apiText)
        fields.set("chatItemTTL", retention)
        // A hidden profile is always silent, and as it was when it is shown again.
        if isHidden { fields.set("muted", isMuted) }
        return fields
    }

    /// `UserInfo` of the API.
    var summaryJSON: JSONValue {
        .object(["user": json, "unreadCount": .integer(Int64(unreadCount))])
    }
}

extension Profile {
    /// `LocalProfile` of the API. Its number and alias are those of this program, whatever a contact calls so.
    func localFields(id: Int64, alias: String = "") -> JSONObject {
        var fields: JSONObject = ["profileId": .integer(id)]
        fields = fields.merging(self.fields)
        fields["profileId"] = .integer(id)
        fields.set("localAlias", alias)
        fields["preferences"] = (preferences?.object).map { .object(Preferences.published($0)) }
        if peerType != .human, peerType != .bot { fields["peerType"] = nil }
        // What this side thinks of a badge and a name is not for the contact to say.
        fields["localBadge"] = localBadge
        fields["contactDomainVerified"] = nil
        return fields
    }

    /// `LocalBadge` of the API, with the status of a badge whose issuer is not known.
    private var localBadge: JSONValue? {
        guard let badge, SupporterBadge.knownKinds.contains(badge.kind) else { return nil }
        var info: JSONObject = ["badgeType": .string(badge.kind)]
        info.set("badgeExpiry", badge.expiresAt?.apiText)
        info.set("badgeExtra", badge.extra)
        return .object(["badge": .object(info), "status": "unknownKey"])
    }

    /// Reads a `LocalProfile`.
    init(local fields: inout JSONFields) throws(DecodeError) {
        _ = try fields.integer("profileId")
        _ = try fields.optionalText("localAlias")
        _ = fields.value("localBadge")
        _ = fields.value("contactDomainVerified")
        try self.init(from: &fields)
    }
}

extension VersionRange {
    /// `VersionRange` of the API.
    var json: JSONValue {
        .object(["minVersion": .integer(Int64(min)), "maxVersion": .integer(Int64(max))])
    }
}

extension JSONFields {
    /// A `VersionRange`.
    mutating func versions(_ name: StaticText) throws(DecodeError) -> VersionRange {
        guard let versions = try optionalVersions(name) else { throw .invalid(name) }
        return versions
    }

    mutating func optionalVersions(_ name: StaticText) throws(DecodeError) -> VersionRange? {
        guard var range = try optionalObject(name) else { return nil }
        let min: UInt16 = try range.number("minVersion"), max: UInt16 = try range.number("maxVersion")
        guard min <= max else { throw .invalid(name) }
        return VersionRange(min, max)
    }
}
