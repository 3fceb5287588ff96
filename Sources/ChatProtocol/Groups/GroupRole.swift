/// The role of a group member (chat.md 2.5). Each role includes the permissions of the roles below it.
///
/// An unknown role is kept as text and is lower than all known ones.
public struct GroupRole: RawRepresentable, Hashable, Sendable {
    /// The name in messages.
    public let rawValue: String

    /// Creates a role from its name in messages.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A relay of a channel; it forwards messages and has no permissions.
    public static let relay = GroupRole(rawValue: "relay")
    /// May read and react.
    public static let observer = GroupRole(rawValue: "observer")
    /// The lowest role that may send messages; a part of later versions.
    public static let author = GroupRole(rawValue: "author")
    /// May send messages.
    public static let member = GroupRole(rawValue: "member")
    /// May delete messages of others and accept or block members.
    public static let moderator = GroupRole(rawValue: "moderator")
    /// May add and remove members and change their roles.
    public static let admin = GroupRole(rawValue: "admin")
    /// May change the profile of the group and delete it.
    public static let owner = GroupRole(rawValue: "owner")

    /// The known roles, lowest first.
    public static let known: [GroupRole] = [.relay, .observer, .author, .member, .moderator, .admin, .owner]

    /// True if the role is one of ``known``.
    public var isKnown: Bool { rank != nil }

    private var rank: Int? { GroupRole.known.firstIndex(of: self) }
}

extension GroupRole: Comparable {
    /// Compares the permissions. Unknown roles are in the order of their names, below the known ones.
    public static func < (left: GroupRole, right: GroupRole) -> Bool {
        switch (left.rank, right.rank) {
        case (let left?, let right?): left < right
        case (nil, .some): true
        case (.some, nil): false
        case (nil, nil): left.rawValue < right.rawValue
        }
    }
}
