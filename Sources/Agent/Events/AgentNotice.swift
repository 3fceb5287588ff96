public import AgentProtocol
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
    /// A session with a relay began.
    case up(ServerAddress)
    /// A session with a relay ended, or could not be made.
    case down(ServerAddress, SessionError)
    /// Somebody else, with a copy of the keys, receives the messages of a connection.
    case end(ConnectionID)
    /// The relay does not let a connection receive.
    case refused(ConnectionID, ProtocolError)
    /// A task of a connection failed and will be tried again.
    case mwarn(ConnectionID, SessionError)
}
