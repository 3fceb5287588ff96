import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// A connection has two forms in the API: `PendingContactConnection`, which is the one of `JSONObjectCodable`, and
/// `Connection` within a contact. What the official core does not tell is the same in both.
extension ContactConnection: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        try self.init(
            ConnectionID(try fields.integer("pccConnId")), try Status("pccConnStatus", from: &fields),
            isInitiated: try fields.bool("contactConnInitiated"), contactID: try fields.optionalInteger("contactId"),
            rest: &fields)
    }

    /// `PendingContactConnection` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = [
            "pccConnId": .integer(id.number), "pccAgentConnId": .string(id.description),
            "pccConnStatus": status.json, "viaContactUri": .bool(isRequest),
        ]
        fields.set("customUserProfileId", incognitoNumber)
        setLinks(in: &fields)
        fields.set("localAlias", alias)
        fields.set("createdAt", createdAt.apiText)
        fields.set("updatedAt", updatedAt.apiText)
        fields.set("contactConnInitiated", isInitiated)
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
        fields["connType"] = memberID == nil ? "contact" : "member"
        fields["connStatus"] = status.json
        fields.set("customUserProfileId", incognitoNumber)
        fields["contactConnInitiated"] = .bool(isInitiated)
        fields.set("localAlias", alias)
        fields.set("entityId", contactID?.number ?? memberID?.number)
        fields.set("connectionCode", verification)
        fields.set("pqEncryption", quantumResistance.isWanted)
        fields.set("createdAt", createdAt.apiText)
        fields.set("updatedAt", updatedAt.apiText)
        setLinks(in: &fields)
        setRest(in: &fields)
        return .object(fields)
    }

    /// Reads a `Connection`.
    init(active fields: inout JSONFields) throws(DecodeError) {
        let entity = try fields.optionalInteger("entityId"), isMember = try fields.text("connType") == "member"
        try self.init(
            ConnectionID(try fields.integer("connId")), try Status("connStatus", from: &fields),
            isInitiated: try fields.bool("contactConnInitiated"), contactID: isMember ? nil : entity,
            memberID: isMember ? entity : nil, rest: &fields)
    }

    // MARK: - What both have

    private init(
        _ id: ConnectionID, _ status: Status, isInitiated: Bool, contactID: Int64?, memberID: Int64? = nil,
        rest fields: inout JSONFields
    ) throws(DecodeError) {
        var links = try fields.optionalObject("connLinkInv")
        if let used = try fields.optionalObject("connLinkUsed") { links = used }
        self.init(
            id: id, profileID: ProfileID(try fields.integer("userId")), contactID: contactID.map { ContactID($0) },
            status: status, isInitiated: isInitiated, link: try links?.optionalText("connFullLink"),
            shortLink: try links?.optionalText("connShortLink"), requestedName: try fields.optionalText("contactName"),
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
            storedIncognito: try (fields.optional("incognitoProfile") as Profile?).map { StoredProfile($0) },
            alias: try fields.text("localAlias"), requestKey: try fields.optionalBytes("xContactId"),
            addressID: try fields.optionalInteger("viaUserContactLink").map { ConnectionID($0) },
            memberID: memberID.map { GroupMemberID($0) })
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
        fields.set("viaUserContactLink", addressID?.number)
        fields.set("xContactId", requestKey.map { Base64URL.encode($0) })
        fields.set("contactName", requestedName)
        fields.set("ratchetSyncState", synchronization.word)
        fields.set("incognitoProfile", incognito)
    }

    /// The invitation that this side made or used. That of a request is the address, which the official core does not tell.
    private func setLinks(in fields: inout JSONObject) {
        guard link != nil || shortLink != nil else { return }
        var links = JSONObject()
        links.set("connFullLink", link)
        links.set("connShortLink", shortLink)
        fields[isRequest ? "connLinkUsed" : "connLinkInv"] = .object(links)
    }

    /// True for a request to the address of another.
    private var isRequest: Bool {
        // The words are enough, because reading a link takes long for lists of many contacts.
        guard !isInitiated, let path = link?.split(separator: "#").first, path != link?[...] else { return false }
        return path.split(separator: "/").last.map { $0 != "invitation" && $0 != "i" } ?? false
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
