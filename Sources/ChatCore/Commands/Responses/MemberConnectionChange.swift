public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// A change of the connection with a member that was begun or given up.
public struct MemberConnectionChange: ChatResponse {
    public enum Kind: String, CaseIterable, Sendable {
        case switchStarted = "groupMemberSwitchStarted"
        case switchAborted = "groupMemberSwitchAborted"
        case synchronizationStarted = "groupMemberRatchetSyncStarted"
    }

    public let kind: Kind
    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    public let condition: ConnectionCondition

    init(
        _ kind: Kind, _ profile: OwnProfile, _ group: Group, _ member: GroupMember, _ condition: ConnectionCondition
    ) {
        self.kind = kind
        self.profile = profile
        self.group = group
        self.member = member
        self.condition = condition
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard let kind = Kind(rawValue: type) else { throw .invalid("type") }
        self.kind = kind
        profile = try fields.required("user")
        group = try fields.required("groupInfo")
        member = try fields.required("member")
        condition = try fields.required("connectionStats")
    }

    public var type: String { kind.rawValue }

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json, "member": member.json, "connectionStats": condition.json,
        ]
    }
}
