import AgentProtocol
public import ByteCoding
public import JSONCoding

extension ChatRelay: JSONObjectCodable {
    /// Reads a `UserChatRelay` of the API.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let domains = try fields.elements("domains").map { element throws(DecodeError) in
            guard let text = element.string else { throw .invalid("domains") }
            return text
        }
        self.init(
            id: try fields.optionalInteger("chatRelayId").map { ChatRelayID($0) },
            try fields.word("address", ChatRelay.address(text:)), try fields.required("relayProfile"),
            domains: domains, isPreset: try fields.bool("preset"), isTested: try fields.optionalBool("tested"),
            isEnabled: try fields.bool("enabled"), isDeleted: try fields.optionalBool("deleted") ?? false)
    }

    /// `UserChatRelay` of the API.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("chatRelayId", id?.number)
        fields.set("address", text)
        fields.set("relayProfile", profile)
        fields["domains"] = .array(domains.map { .string($0) })
        fields.set("preset", isPreset)
        fields.set("tested", isTested)
        fields.set("enabled", isEnabled)
        fields.set("deleted", isDeleted)
        return fields
    }

    /// Reads an address; other kinds of links are none.
    static func address(text: String) throws(DecodeError) -> ShortLink {
        let link = try ShortLink(text: text)
        guard link.kind == .address(.relay) else { throw .invalid("relay address") }
        return link.restored(from: PresetServers.all)
    }
}
