import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

extension Contact {
    /// `Contact` of the API.
    var json: JSONValue {
        var fields: JSONObject = [
            "contactId": .integer(id.number),
            "localDisplayName": .string(name),
            "profile": .object(profile.localFields(id: id.number)),
        ]
        fields["activeConn"] = connection?.json(verification)
        fields["contactUsed"] = true
        fields.set("contactStatus", status.rawValue)
        switch retention {
        case .standard: break
        case .unlimited: fields.set("chatItemTTL", 0)
        case .limited(let seconds): fields.set("chatItemTTL", seconds)
        }
        var settings: JSONObject = ["enableNtfs": isMuted ? "none" : "all"]
        settings["sendRcpts"] = sendsReceipts.map { .bool($0) }
        settings["favorite"] = false
        fields["chatSettings"] = .object(settings)
        fields["userPreferences"] = .object([:])
        fields["mergedPreferences"] = mergedPreferences
        fields.set("createdAt", createdAt.description)
        fields.set("updatedAt", updatedAt.description)
        fields.set("chatTs", activeAt?.description)
        fields["contactGrpInvSent"] = false
        fields["chatTags"] = []
        fields["chatDeleted"] = false
        return .object(fields)
    }

    /// `ChatInfo` of the API.
    var chatInfo: JSONValue {
        isNotes
            ? .object(["type": "local", "noteFolder": noteFolder]) : .object(["type": "direct", "contact": json])
    }

    /// `NoteFolder` of the API.
    private var noteFolder: JSONValue {
        var fields: JSONObject = [
            "noteFolderId": .integer(id.number), "userId": .integer(profileID.number), "favorite": false,
            "unread": false,
        ]
        fields.set("createdAt", createdAt.description)
        fields.set("updatedAt", updatedAt.description)
        fields.set("chatTs", (activeAt ?? createdAt).description)
        return .object(fields)
    }

    private var mergedPreferences: JSONValue {
        .object(
            Preferences.Feature.allCases.reduce(into: JSONObject()) { merged, feature in
                let other = Preferences.permission(feature, in: profile)
                let own = Preferences.own(feature)
                let effect = Preferences.effect(own, other, of: feature)
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

extension ContactConnection {
    /// `Connection` of the API.
    func json(_ verification: Contact.Verification?) -> JSONValue {
        var fields: JSONObject = ["connId": .integer(id.number), "agentConnId": .string(id.description)]
        fields.set("connChatVersion", version?.version ?? ChatVersion.initial.max)
        fields["peerChatVRange"] = (version?.peer ?? ChatVersion.initial).json
        fields["connLevel"] = 0
        fields["viaGroupLink"] = false
        fields["connType"] = "contact"
        fields.set("connStatus", status.rawValue)
        fields.set("customUserProfileId", incognitoNumber)
        fields["contactConnInitiated"] = .bool(isInitiated)
        fields["localAlias"] = ""
        fields.set("entityId", contactID?.number)
        if let verification {
            fields["connectionCode"] = .object([
                "securityCode": .string(verification.code), "verifiedAt": .string(verification.verifiedAt.description),
            ])
        }
        fields.set("pqSupport", quantumResistance.isWanted)
        fields.set("pqEncryption", quantumResistance.isWanted)
        fields.set("pqSndEnabled", quantumResistance.protectsSent)
        fields.set("pqRcvEnabled", quantumResistance.protectsReceived)
        fields.set("authErrCounter", authErrorCount)
        fields.set("quotaErrCounter", quotaErrorCount)
        fields.set("createdAt", createdAt.description)
        return .object(fields)
    }

    /// The number of the profile that was made up for the connection: it has no other than that of the connection.
    private var incognitoNumber: Int64? { storedIncognito == nil ? nil : id.number }

    /// `PendingContactConnection` of the API.
    var pendingJSON: JSONValue {
        var fields: JSONObject = [
            "pccConnId": .integer(id.number), "pccAgentConnId": .string(id.description),
            "pccConnStatus": .string(status.rawValue), "viaContactUri": .bool(!isInitiated),
        ]
        if isInitiated, link != nil { fields["connLinkInv"] = LinkText(self).json }
        fields.set("customUserProfileId", incognitoNumber)
        fields.set("localAlias", wishedName ?? "")
        fields.set("createdAt", createdAt.description)
        fields.set("updatedAt", updatedAt.description)
        return .object(fields)
    }
}

extension VersionRange {
    /// `VersionRange` of the API.
    var json: JSONValue {
        .object(["minVersion": .integer(Int64(min)), "maxVersion": .integer(Int64(max))])
    }
}
