public import ByteCoding
public import JSONCoding

extension GroupRelay: JSONObjectCodable {
    /// Reads a `GroupRelay` of the API.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var capabilities = try fields.object("relayCap")
        self.init(
            GroupRelayID(try fields.integer("groupRelayId")), GroupMemberID(try fields.integer("groupMemberId")),
            try fields.required("userChatRelay"), try fields.word("relayStatus", RelayStatus.init(rawValue:)),
            link: try fields.optionalText("relayLink"), webDomain: try capabilities.optionalText("webDomain"))
    }

    /// `GroupRelay` of the API.
    public var fields: JSONObject {
        var capabilities = JSONObject()
        capabilities.set("webDomain", webDomain)
        var fields: JSONObject = [
            "groupRelayId": .integer(id.number), "groupMemberId": .integer(memberID.number),
            "userChatRelay": relay.json, "relayStatus": .string(status.rawValue), "relayCap": .object(capabilities),
        ]
        fields.set("relayLink", link)
        return fields
    }
}

extension AddedRelay: JSONObjectCodable {
    /// Reads an `AddRelayResult` of the API.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("relay"), try fields.optional("relayError"))
    }

    /// `AddRelayResult` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["relay": relay.json]
        fields.set("relayError", error)
        return fields
    }
}
