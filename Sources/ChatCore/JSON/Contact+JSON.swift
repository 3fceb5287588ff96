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
        self.init(
            id: ContactID(try fields.integer("contactId")), profileID: ProfileID(try fields.integer("userId")),
            name: try fields.text("localDisplayName"), storedProfile: StoredProfile(try Profile(local: &profile)),
            status: try fields.word("contactStatus", Status.init(rawValue:)), connection: connection,
            sendsReceipts: try settings.optionalBool("sendRcpts"), unreadCount: try fields.count("unreadCount"),
            createdAt: try fields.timestamp("createdAt"), updatedAt: try fields.timestamp("updatedAt"),
            activeAt: try fields.optionalTimestamp("chatTs"), isMuted: isMuted,
            isBlocked: try fields.optionalBool("blocked") ?? false,
            retention: Retention(ttl: try fields.optionalInteger("chatItemTTL")),
            expiry: try fields.optionalInteger("messageTTL"), verification: verification,
            codeChangedAt: try fields.optionalTimestamp("codeChangedAt"),
            prepared: try fields.optional("preparedContact"))
    }

    /// `Contact` of the API.
    public var fields: JSONObject {
        // Read once, because it is read from text.
        let profile = profile
        var fields: JSONObject = [
            "contactId": .integer(id.number),
            "localDisplayName": .string(name),
            "profile": .object(profile.localFields(id: id.number)),
        ]
        fields["activeConn"] = connection?.json(verification)
        fields["contactUsed"] = true
        fields.set("contactStatus", status.rawValue)
        fields.set("chatItemTTL", retention.ttl)
        var settings: JSONObject = ["enableNtfs": isMuted ? "none" : "all"]
        settings["sendRcpts"] = sendsReceipts.map { .bool($0) }
        settings["favorite"] = false
        fields["chatSettings"] = .object(settings)
        fields["userPreferences"] = .object([:])
        fields["mergedPreferences"] = Preferences.merged(with: profile)
        fields.set("createdAt", createdAt.description)
        fields.set("updatedAt", updatedAt.description)
        fields.set("chatTs", activeAt?.description)
        fields.set("preparedContact", prepared)
        fields["contactGrpInvSent"] = false
        fields["chatTags"] = []
        fields["chatDeleted"] = false
        // The official core has these elsewhere, or not at all.
        fields.set("userId", profileID.number)
        fields.set("unreadCount", unreadCount)
        if isBlocked { fields["blocked"] = true }
        fields.set("messageTTL", expiry)
        fields.set("codeChangedAt", codeChangedAt?.description)
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
        ["securityCode": .string(code), "verifiedAt": .string(verifiedAt.description)]
    }
}

extension Preferences {
    /// `ContactUserPreferences` of the API.
    fileprivate static func merged(with profile: Profile) -> JSONValue {
        .object(
            Feature.allCases.reduce(into: JSONObject()) { merged, feature in
                let other = permission(feature, in: profile)
                let own = own(feature)
                let effect = effect(own, other, of: feature)
                merged[feature.rawValue] = .object([
                    "enabled": .object(["forUser": .bool(effect.own), "forContact": .bool(effect.other)]),
                    "userPreference": .object([
                        "type": "user", "preference": .object(["allow": .string(own.rawValue)]),
                    ]),
                    "contactPreference": .object(["allow": .string(other.rawValue)]),
                ])
            })
    }
}
