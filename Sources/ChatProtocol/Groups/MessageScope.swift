public import ByteCoding
public import JSONCoding

/// The part of a group to which a message belongs; messages without a scope belong to the whole group (chat.md 2.2).
public enum MessageScope: Hashable, Sendable {
    /// The support chat of a member with the moderators. Moderators name any member, others only themselves.
    case support(MemberID)

    /// The member of the support chat.
    public var memberID: MemberID {
        switch self {
        case .support(let id): id
        }
    }
}

extension MessageScope: JSONObjectCodable {
    private static let support = "member"

    /// Reads the JSON form. An unknown scope is an error: its messages are not for the whole group.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        guard try fields.text("type") == MessageScope.support else { throw .invalid("scope") }
        self = .support(try fields.requiredMemberID("memberId"))
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        switch self {
        case .support(let id): ["type": .string(MessageScope.support), "memberId": id.json]
        }
    }
}
