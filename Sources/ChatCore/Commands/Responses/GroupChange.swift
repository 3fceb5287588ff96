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
    }

    public let kind: Kind
    public let profile: OwnProfile
    /// The group; as it was before it was deleted.
    public let group: Group

    init(_ kind: Kind, _ profile: OwnProfile, _ group: Group) {
        self.kind = kind
        self.profile = profile
        self.group = group
    }

    public var type: String { kind.rawValue }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "groupInfo": group.json]
        switch kind {
        case .deleted: fields["msgSigned"] = false
        // Only channels have relays.
        case .connecting: fields["relayResults"] = []
        case .created, .joined, .left, .linkDeleted, .described: break
        }
        return fields
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard let kind = Kind(rawValue: type) else { throw .invalid("type") }
        self.init(kind, try fields.required("user"), try fields.required("groupInfo"))
    }
}
