public import AgentProtocol
public import ByteCoding
public import SMPClient
public import SMPProtocol

/// The reason for a delay at a relay.
public struct Obstacle: Hashable, Sendable {
    /// The relay.
    public let server: ServerAddress
    /// The error of the last attempt.
    public let error: SessionError

    /// Creates an obstacle from its parts.
    public init(server: ServerAddress, error: SessionError) {
        self.server = server
        self.error = error
    }
}

/// A notice about the current state, which is not stored. The cases have the names of the reference implementation's
/// events, if there are any.
public enum AgentNotice: Sendable {
    /// A session of a profile with a relay began.
    case connect(ProfileID, ServerAddress)
    /// A session of a profile with a relay ended, or could not be made.
    case disconnect(ProfileID, ServerAddress, SessionError)
    /// These connections of a profile receive from a relay.
    case up(ProfileID, ServerAddress, [ConnectionID])
    /// These connections of a profile no longer receive from a relay.
    case down(ProfileID, ServerAddress, [ConnectionID])
    /// Another client with the same keys receives the messages of a connection.
    case end(ConnectionID)
    /// The relay has deleted the queue of a connection.
    case deld(ConnectionID)
    /// The relay rejected the subscription of a connection.
    case err(ConnectionID, ProtocolError)
    /// A task of a connection failed and will be retried. The token is that of the message, if the task sends a message
    /// of the application.
    case mwarn(ConnectionID, token: Bytes?, SessionError)
    /// The records of a connection are unreadable: the connection neither receives nor sends.
    case unreadable(ConnectionID)
    /// These connections were removed here and at their relays.
    case delConns([ConnectionID])
}
