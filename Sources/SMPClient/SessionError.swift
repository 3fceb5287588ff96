public import SMPProtocol
public import SecureTransport

/// Why a session could not be opened, or a command was not carried out.
public indirect enum SessionError: Error, Hashable, Sendable {
    /// The relay cannot be reached, or is another one than the address promises.
    case connection(ConnectionError)
    /// No host of the relay may be connected to.
    case noRoute(RouteError)
    /// The relay and this program do not find a common session.
    case handshake(TransportError)
    /// The relay refused the command.
    case refused(ProtocolError)
    /// The answer does not fit the command, or cannot be read.
    case unexpectedAnswer
    /// No answer came in time.
    case timedOut
    /// The command does not fit into a block of this version.
    case tooLarge
    /// The key of the command cannot be used in this session.
    case unusableKey
    /// The relay that should have forwarded the command cannot be used.
    case forwarder(SessionError)

    /// Whether the same command may succeed later without anybody doing something about it.
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
