import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// A connection has two forms in the API: `PendingContactConnection`, which is the one of `JSONObjectCodable`, and
/// `Connection` within a contact. What the official core does not tell is the same in both.
extension ContactConnection: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let alias = try fields.text("localAlias")
        try self.init(
            ConnectionID(try fields.integer("pccConnId")), try fields.word("pccConnStatus", Status.init(rawValue:)),
            isInitiated: try !fields.bool("viaContactUri"), contactID: try fields.optionalInteger("contactId"),
            requestedName: alias.isEmpty ? nil : alias, rest: &fields)
    }

    /// `PendingContactConnection` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = [
            "pccConnId": .integer(id.number), "pccAgentConnId": .string(id.description),
            "pccConnStatus": .string(status.rawValue), "viaContactUri": .bool(!isInitiated),
        ]
        setLinks(in: &fields)
        fields.set("customUserProfileId", incognitoNumber)
        fields.set("localAlias", requestedName ?? "")
        fields.set("createdAt", createdAt.description)
        fields.set("updatedAt", updatedAt.description)
        fields.set("contactId", contactID?.number)
        setRest(in: &fields)
        return fields
    }

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
        fields.set("connectionCode", verification)
        fields.set("pqEncryption", quantumResistance.isWanted)
        fields.set("createdAt", createdAt.description)
        fields.set("updatedAt", updatedAt.description)
        fields.set("contactName", requestedName)
        setLinks(in: &fields)
        setRest(in: &fields)
        return .object(fields)
    }

    /// Reads a `Connection`.
    init(active fields: inout JSONFields) throws(DecodeError) {
        try self.init(
            ConnectionID(try fields.integer("connId")), try fields.word("connStatus", Status.init(rawValue:)),
            isInitiated: try fields.bool("contactConnInitiated"), contactID: try fields.optionalInteger("entityId"),
            requestedName: try fields.optionalText("contactName"), rest: &fields)
    }

    // MARK: - What both have

    private init(
        _ id: ConnectionID, _ status: Status, isInitiated: Bool, contactID: Int64?, requestedName: String?,
        rest fields: inout JSONFields
    ) throws(DecodeError) {
        var links = try fields.optionalObject(isInitiated ? "connLinkInv" : "connLinkUsed")
        self.init(
            id: id, profileID: ProfileID(try fields.integer("userId")), contactID: contactID.map { ContactID($0) },
            status: status, isInitiated: isInitiated, link: try links?.optionalText("connFullLink"),
            shortLink: try links?.optionalText("connShortLink"), requestedName: requestedName,
            version: try fields.optional("agreedVersion"),
            quantumResistance: QuantumResistance(
                isWanted: try fields.bool("pqSupport"), protectsSent: try fields.bool("pqSndEnabled"),
                protectsReceived: try fields.bool("pqRcvEnabled")),
            createdAt: try fields.timestamp("createdAt"), updatedAt: try fields.timestamp("updatedAt"),
            authErrorCount: try fields.count("authErrCounter"), quotaErrorCount: try fields.count("quotaErrCounter"),
            isRefused: try fields.optionalBool("queueRefused") ?? false,
            movesOwnQueue: try fields.optionalBool("rcvQueueSwitching") ?? false,
            movesContactQueue: try fields.optionalBool("sndQueueSwitching") ?? false,
            synchronization: try fields.word("ratchetSyncState", RatchetSynchronization.init(word:)),
            storedIncognito: try (fields.optional("incognitoProfile") as Profile?).map { StoredProfile($0) })
    }

    private func setRest(in fields: inout JSONObject) {
        fields.set("userId", profileID.number)
        fields.set("agreedVersion", version)
        fields.set("pqSupport", quantumResistance.isWanted)
        fields.set("pqSndEnabled", quantumResistance.protectsSent)
        fields.set("pqRcvEnabled", quantumResistance.protectsReceived)
        fields.set("authErrCounter", authErrorCount)
        fields.set("quotaErrCounter", quotaErrorCount)
        if isRefused { fields["queueRefused"] = true }
        if movesOwnQueue { fields["rcvQueueSwitching"] = true }
        if movesContactQueue { fields["sndQueueSwitching"] = true }
        fields.set("ratchetSyncState", synchronization.word)
        fields.set("incognitoProfile", incognito)
    }

    /// The link that this side made, or the one that it used, which the official core does not tell.
    private func setLinks(in fields: inout JSONObject) {
        guard link != nil || shortLink != nil else { return }
        var links = JSONObject()
        links.set("connFullLink", link)
        links.set("connShortLink", shortLink)
        fields[isInitiated ? "connLinkInv" : "connLinkUsed"] = .object(links)
    }

    /// The number of the profile that was made up for the connection: it has no other than that of the connection.
    private var incognitoNumber: Int64? { storedIncognito == nil ? nil : id.number }
}

extension AgreedChatVersion: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(version: try fields.number("chatVersion"), peer: try fields.optionalVersions("peerChatVRange"))
    }

    /// The version in use, and what the other side announced last.
    public var fields: JSONObject {
        var fields: JSONObject = ["chatVersion": .integer(Int64(version))]
        fields["peerChatVRange"] = peer?.json
        return fields
    }
}
