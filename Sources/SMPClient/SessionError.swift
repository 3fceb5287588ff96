public import SMPProtocol
public import SecureTransport

/// The reason why a session could not be opened, or a command failed.
public indirect enum SessionError: Error, Hashable, Sendable {
    /// The relay is unreachable, or is not the one of the address.
    case connection(ConnectionError)
    /// No host of the relay may be connected to.
    case noRoute(RouteError)
    /// The relay and this program have no common session parameters.
    case handshake(TransportError)
    /// The relay rejected the command.
    case refused(ProtocolError)
    /// The response does not fit the command, or is malformed.
    case unexpectedAnswer
    /// The response did not arrive in time.
    case timedOut
    /// The command does not fit into a block of this version.
    case tooLarge
    /// The key of the command is unusable in this session.
    case unusableKey
    /// The relay that should have forwarded the command is unusable.
    case forwarder(SessionError)

    /// True if the same command may succeed later without action by the user.
    public var isTemporary: Bool {
        switch self {
        case .noRoute(.offline): true
        case .connection(.wrongIdentity), .noRoute, .handshake, .unexpectedAnswer, .tooLarge, .unusableKey: false
        case .connection, .timedOut: true
        case .forwarder(let error): error.isTemporary
        case .refused(.proxy(.broker(let error))): error == .network || error == .timeout
        case .refused(let error): [.quota, .internal, .proxy(.noSession)].contains(error)
        }
    }
}
