public import AgentProtocol
public import ByteCoding
public import SMPClient
public import SMPProtocol

/// Why something at a relay is not done yet.
public struct Obstacle: Hashable, Sendable {
    public let server: ServerAddress
    public let error: SessionError

    public init(server: ServerAddress, error: SessionError) {
        self.server = server
        self.error = error
    }
}

/// What is so at the moment and need not be remembered. The cases are named after the events of the reference
/// implementation where it has them.
public enum AgentNotice: Sendable {
    /// A session of a profile with a relay began.
    case connect(ProfileID, ServerAddress)
    /// A session of a profile with a relay ended, or could not be made.
    case disconnect(ProfileID, ServerAddress, SessionError)
    /// These connections of a profile receive from a relay now.
    case up(ProfileID, ServerAddress, [ConnectionID])
    /// These connections of a profile do not receive from a relay any more.
    case down(ProfileID, ServerAddress, [ConnectionID])
    /// Somebody else, with a copy of the keys, receives the messages of a connection.
    case end(ConnectionID)
    /// The relay has deleted the queue of a connection.
    case deld(ConnectionID)
    /// The relay does not let a connection receive.
    case err(ConnectionID, ProtocolError)
    /// A task of a connection failed and will be tried again. The token is that of the message, if it is one of the
    /// application.
    case mwarn(ConnectionID, token: Bytes?, SessionError)
    /// The records of a connection cannot be read: nothing is received or sent there, and nothing acknowledged.
    case unreadable(ConnectionID)
    /// Nothing of these connections is left, neither here nor at their relays.
    case delConns([ConnectionID])
}
