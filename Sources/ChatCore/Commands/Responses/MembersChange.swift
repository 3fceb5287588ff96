public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Members with which the user did something, as they are then.
public struct MembersChange: ChatResponse {
    public enum Change: Hashable, Sendable {
        case removed(withMessages: Bool)
        case role(GroupRole)
        case blocked(Bool)
    }

    public let change: Change
    public let profile: OwnProfile
    public let group: Group
    public let members: [GroupMember]

    init(_ change: Change, _ profile: OwnProfile, _ group: Group, _ members: [GroupMember]) {
        self.change = change
        self.profile = profile
        self.group = group
        self.members = members
    }

    public var type: String {
        switch change {
        case .removed: "userDeletedMembers"
        case .role: "membersRoleUser"
        case .blocked: "membersBlockedForAllUser"
        }
    }

    public var fields: JSONObject {
        var fields: JSONObject = [
            "user": profile.json, "groupInfo": group.json, "members": .array(members.map(\.json)),
            "msgSigned": .bool(group.isChannel),
        ]
        switch change {
        case .removed(let withMessages): fields.set("withMessages", withMessages)
        case .role(let role): fields.set("toRole", role.rawValue)
        case .blocked(let isBlocked): fields.set("blocked", isBlocked)
        }
        return fields
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        let change: Change =
            switch type {
            case "userDeletedMembers": .removed(withMessages: try fields.bool("withMessages"))
            case "membersRoleUser": .role(try fields.groupRole("toRole"))
            case "membersBlockedForAllUser": .blocked(try fields.bool("blocked"))
            default: throw .invalid("type")
            }
        self.init(
            change, try fields.required("user"), try fields.required("groupInfo"), try fields.list("members"))
    }
}
