import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

extension Contact: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var profile = try fields.object("profile")
        var verification: Verification?
        var connection: ContactConnection?
        if var active = try fields.optionalObject("activeConn") {
            verification = try active.optional("connectionCode")
            connection = try ContactConnection(active: &active)
        } else {
            verification = try fields.optional("connectionCode")
        }
        var settings = try fields.object("chatSettings")
        let isMuted = try settings.text("enableNtfs") != "all"
        var marks = try ChatMarks(from: &fields)
        marks.isFavorite = try settings.bool("favorite")
        marks.isDeleted = try fields.bool("chatDeleted")
        marks.tags = try fields.elements("chatTags").compactMap(\.integer).map { TagID($0) }
        var choices = ContactChoices()
        choices.alias = try profile.text("localAlias")
        choices.preferences = try fields.object("userPreferences").rest
        choices.profilePreferences = try fields.optionalObject("profilePreferences")?.rest ?? [:]
        choices.memberInvitation = try fields.optional("memberInvitation")
        let shownName = try fields.text("localDisplayName"), name = try fields.optionalText("name") ?? shownName
        if name != shownName { choices.presentedName = shownName }
        self.init(
            id: ContactID(try fields.integer("contactId")), profileID: ProfileID(try fields.integer("userId")),
            name: name, storedProfile: StoredProfile(try Profile(local: &profile)),
            status: try fields.word("contactStatus", Status.init(rawValue:)), connection: connection,
            sendsReceipts: try settings.optionalBool("sendRcpts"), unreadCount: try fields.count("unreadCount"),
            createdAt: try fields.timestamp("createdAt"), updatedAt: try fields.timestamp("updatedAt"),
            activeAt: try fields.optionalTimestamp("chatTs"), isMuted: isMuted,
            isBlocked: try fields.optionalBool("blocked") ?? false,
            retention: Retention(ttl: try fields.optionalInteger("chatItemTTL")),
            expiry: try fields.optionalInteger("messageTTL"), marks: marks, choices: choices,
            verification: verification,
            codeChangedAt: try fields.optionalTimestamp("codeChangedAt"),
            requestID: try fields.optionalInteger("contactRequestId").map { RequestID($0) },
            prepared: try fields.optional("preparedContact"))
    }

    /// `Contact` of the API.
    public var fields: JSONObject {
        // Read once, because it is read from text.
        let profile = profile
        // The number stays what it was in the request.
        var presented = profile.localFields(id: requestID?.profileNumber ?? id.number, alias: choices.alias)
        presented.set("contactDomainVerified", NameCheck.verified(profile.domainClaim, prepared?.name))
        var fields: JSONObject = [
            "contactId": .integer(id.number),
            "localDisplayName": .string(choices.presentedName ?? name),
            "profile": .object(presented),
        ]
        fields["activeConn"] = connection?.json(verification)
        fields["contactUsed"] = true
        fields.set("contactStatus", status.rawValue)
        fields.set("chatItemTTL", retention.ttl)
        var settings: JSONObject = ["enableNtfs": isMuted ? "none" : "all"]
        settings["sendRcpts"] = sendsReceipts.map { .bool($0) }
        settings.set("favorite", marks.isFavorite)
        fields["chatSettings"] = .object(settings)
        fields["userPreferences"] = .object(choices.preferences)
        fields["mergedPreferences"] = Preferences.merged(with: self, profile)
        fields.set("createdAt", createdAt.apiText)
        fields.set("updatedAt", updatedAt.apiText)
        fields.set("chatTs", activeAt?.apiText)
        fields.set("preparedContact", prepared)
        fields.set("contactRequestId", requestID?.number)
        let invitation = choices.memberInvitation
        fields["contactGrpInvSent"] = .bool(invitation?.isOwn == true && invitation?.isSent == true)
        if let invitation {
            if invitation.isOwn { fields.set("contactGroupMemberId", invitation.memberID.number) }
            if !invitation.isOwn { fields["groupDirectInv"] = invitation.groupDirectInvitation(connection) }
            fields["memberInvitation"] = invitation.json
        }
        fields["chatTags"] = .array(marks.tags.map { .integer($0.number) })
        fields.set("chatDeleted", marks.isDeleted)
        marks.set(in: &fields)
        // The official core has these elsewhere, or not at all.
        if choices.presentedName != nil { fields.set("name", name) }
        if !choices.profilePreferences.isEmpty { fields["profilePreferences"] = .object(choices.profilePreferences) }
        fields.set("userId", profileID.number)
        fields.set("unreadCount", unreadCount)
        if isBlocked { fields["blocked"] = true }
        fields.set("messageTTL", expiry)
        fields.set("codeChangedAt", codeChangedAt?.apiText)
        if connection == nil { fields.set("connectionCode", verification) }
        return fields
    }
}

extension Contact.Verification: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(code: try fields.text("securityCode"), verifiedAt: try fields.timestamp("verifiedAt"))
    }

    /// `SecurityCode` of the API.
    public var fields: JSONObject {
        ["securityCode": .string(code), "verifiedAt": .string(verifiedAt.apiText)]
    }
}

extension ChatMarks {
    /// Reads what contacts and notes have in the same way.
    init(from fields: inout JSONFields) throws(DecodeError) {
        self.init()
        isUnread = try fields.optionalBool("unreadChat") ?? false
        firstUnread = try fields.optionalInteger("minUnreadItemId").map { ChatItemID($0) }
        customData = try fields.optionalObject("customData")?.rest
        themes = try fields.optionalObject("uiThemes")?.rest
    }

    func set(in fields: inout JSONObject) {
        fields["uiThemes"] = themes.map { .object($0) }
        fields["customData"] = customData.map { .object($0) }
        // The official core has these elsewhere.
        if isUnread { fields["unreadChat"] = true }
        fields.set("minUnreadItemId", firstUnread?.number)
    }
}

extension Preferences {
    /// `ContactUserPreferences` of the API.
    fileprivate static func merged(with contact: Contact, _ profile: Profile) -> JSONValue {
        let isIncognito = contact.connection?.storedIncognito != nil, others = profile.preferences?.object
        var merged = Feature.allCases.reduce(into: JSONObject()) { merged, feature in
            let other = permission(feature, in: profile), own = own(feature, for: contact)
            let isOfContact = isIncognito || contact.choices.preferences[feature.rawValue] != nil
            let isTimer = feature == .timedMessages
            merged[feature.rawValue] = .object([
                "enabled": effect(own, other, of: feature).json,
                "userPreference": .object([
                    "type": isOfContact ? "contact" : "user",
                    "preference": preference(own, isTimer ? seconds(for: contact) : nil),
                ]),
                "contactPreference": preference(other, isTimer ? seconds(in: others) : nil),
            ])
        }
        merged["commands"] = others?["commands"]?.array.map { .array($0) }
        return .object(merged)
    }
}
