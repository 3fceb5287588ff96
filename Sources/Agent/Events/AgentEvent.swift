public import AgentProtocol
public import ByteCoding

/// Something that the application has to know. It is kept until the application says that it keeps it itself.
public struct AgentEvent: Hashable, Sendable {
    /// Grows from event to event.
    public let id: Int64
    public let connectionID: ConnectionID
    public let profileID: ProfileID
    public let content: Content

    /// The cases are named after the events of the reference implementation.
    public enum Content: Hashable, Sendable {
        case connection(ConnectionEvent)
        /// A relay accepted the message that was handed over with this token.
        case sent(token: Bytes)
        /// The other side received messages that were handed over.
        case rcvd([DeliveryReceipt])
        /// A message will not be sent.
        case merr(token: Bytes, DeliveryProblem)
        /// The connection could not be made or is lost; nothing more comes.
        case err(ConnectionProblem)
        /// A message came that could not be read.
        case unreadable(ReadingProblem)
    }

    public init(id: Int64, connectionID: ConnectionID, profileID: ProfileID, content: Content) {
        self.id = id
        self.connectionID = connectionID
        self.profileID = profileID
        self.content = content
    }
}

/// What the other side says about a message that it received.
public struct DeliveryReceipt: Hashable, Sendable {
    /// What the message was handed over with.
    public let token: Bytes
    /// Whether it is the same message that was sent.
    public let isIntact: Bool

    public init(token: Bytes, isIntact: Bool) {
        self.token = token
        self.isIntact = isIntact
    }
}
