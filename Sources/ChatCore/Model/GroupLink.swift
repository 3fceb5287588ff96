public import AgentProtocol
public import ByteCoding
public import ChatProtocol

/// The link through which others join a group.
public struct GroupLink: Hashable, Sendable {
    public let groupID: GroupID
    public let connectionID: ConnectionID
    public let link: LinkText
    /// The id that those who join name it by, 16 bytes.
    public let id: Bytes
    /// The role of those who join through it.
    public let role: GroupRole
    public let createdAt: Timestamp
}
