import ChatProtocol
import CommandKit

/// A role that can be given to a member, as it is typed.
enum MemberRole: String, CaseIterable, Sendable {
    case observer, author, member, moderator, admin, owner

    var role: GroupRole { GroupRole(rawValue: rawValue) }

    static let option = Option<MemberRole>(
        "role", "Role of the new member", .choice(), default: .member, isCommon: true)
}
