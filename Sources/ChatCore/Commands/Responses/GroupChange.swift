public import ByteCoding
public import JSONCoding

/// Something that the user did with a group, as it is then.
public struct GroupChange: ChatResponse {
    public enum Kind: String, CaseIterable, Sendable {
        case created = "groupCreated"
        case joined = "userAcceptedGroupSent"
        case left = "leftMemberUser"
        case deleted = "groupDeletedUser"
        case linkDeleted = "groupLinkDeleted"
        case connecting = "startedConnectionToGroup"
        case described = "groupDescription"
        case allowed = "relayGroupAllowed"
    }

    public let kind: Kind
    public let profile: OwnProfile
    /// The group; as it was before it was deleted.
    public let group: Group
    /// The relays of a channel that were asked.
    public var relays: [RelayConnection] = []

    /// What became of the request to join a channel.
    init(_ profile: OwnProfile, joining group: Group, _ relays: [RelayConnection]) {
        self.init(.connecting, profile, group)
        self.relays = relays
    }

    init(_ kind: Kind, _ profile: OwnProfile, _ group: Group) {
        self.kind = kind
        self.profile = profile
        self.group = group
    }

    public var type: String { kind.rawValue }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "groupInfo": group.json]
        switch kind {
        case .deleted: fields["msgSigned"] = .bool(group.isChannel)
        case .connecting:
            fields["relayResults"] = .array(relays.map(\.json))
            if group.membership.isIncognito { fields["customUserProfile"] = group.membership.profile.json }
        case .created, .joined, .left, .linkDeleted, .described, .allowed: break
        }
        return fields
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard let kind = Kind(rawValue: type) else { throw .invalid("type") }
        self.init(kind, try fields.required("user"), try fields.required("groupInfo"))
        if kind == .connecting { relays = try fields.list("relayResults") }
    }
}

extension RelayConnection: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(member: try fields.required("relayMember"), problem: try fields.optional("relayError"))
    }

    /// `RelayConnectionResult` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["relayMember": member.json]
        fields.set("relayError", problem)
        return fields
    }
}
