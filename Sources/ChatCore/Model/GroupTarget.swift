/// A group as a command names it.
public enum GroupTarget: Hashable, Sendable {
    /// `#12` in the text form of a command.
    case id(GroupID)
    /// `#'name'`: a group of the active profile.
    case name(String)
}

/// Members of a group as a command names them.
public enum MemberTarget: Hashable, Sendable {
    /// `2,3`: at least one.
    case ids([GroupMemberID])
    /// `'name'`
    case name(String)
}
