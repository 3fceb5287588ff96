import ByteCoding
public import ChatProtocol
import JSONCoding

/// Why something is not done in a group.
public enum GroupObstacle: Hashable, Sendable {
    /// The role of the user is lower than the required one.
    indirect case role(Group, required: GroupRole)
    case memberNotFound(GroupMemberID)
    /// One of several members of a command is not in the group, or is the user.
    case noSuchMember(GroupMemberID)
    /// The user left the group or was removed, the group was deleted, or nobody has let the user in yet.
    case notCurrentMember
    /// No moderator would get it.
    case noModerators
    /// The group does not allow it to the role of the user.
    case feature(GroupPreferences.Feature)
    /// There are more mentions in a message than allowed.
    case tooManyMentions
}

extension GroupObstacle {
    private static let notCurrent = "not current member", noModeratorsText = "no admins support this message"
    private static let notAllowed = "feature not allowed "

    /// `ChatError` of the API.
    var errorFields: JSONObject {
        switch self {
        case .role(let group, let role):
            ChatError.command(
                "groupUserRole", ["groupInfo": group.json, "requiredRole": .string(role.rawValue)])
        case .memberNotFound(let id):
            ChatError.store("groupMemberNotFound", ["groupMemberId": .integer(id.number)])
        case .noSuchMember(let id):
            ChatError.command("groupMemberNotFound", ["groupMemberId": .integer(id.number)])
        case .notCurrentMember: GroupObstacle.refusal(GroupObstacle.notCurrent)
        case .noModerators: GroupObstacle.refusal(GroupObstacle.noModeratorsText)
        case .feature(let feature):
            ChatError.command(
                "commandError",
                [
                    "message": .string(GroupObstacle.notAllowed + feature.officialName),
                    "groupFeature": .string(feature.rawValue),
                ])
        case .tooManyMentions: ChatError.store("invalidMention", [:])
        }
    }

    private static func refusal(_ message: String) -> JSONObject {
        ChatError.command("commandError", ["message": .string(message)])
    }

    /// Reads a `ChatErrorType`; nil for one that is about something else.
    init?(command type: String, _ fields: JSONObject) throws(DecodeError) {
        var error = JSONFields(fields)
        switch type {
        case "groupUserRole":
            self = .role(
                try error.required("groupInfo"), required: GroupRole(rawValue: try error.text("requiredRole")))
        case "groupMemberNotFound": self = .noSuchMember(GroupMemberID(try error.integer("groupMemberId")))
        case "commandError":
            if let feature = try error.optionalWord("groupFeature", GroupPreferences.Feature.init(rawValue:)) {
                self = .feature(feature)
                return
            }
            switch try error.text("message") {
            case GroupObstacle.notCurrent: self = .notCurrentMember
            case GroupObstacle.noModeratorsText: self = .noModerators
            default: return nil
            }
        default: return nil
        }
    }

    /// Reads a `StoreError`; nil for one that is about something else.
    init?(store type: String, _ fields: JSONObject) throws(DecodeError) {
        var error = JSONFields(fields)
        switch type {
        case "groupMemberNotFound": self = .memberNotFound(GroupMemberID(try error.integer("groupMemberId")))
        case "invalidMention": self = .tooManyMentions
        default: return nil
        }
    }
}
