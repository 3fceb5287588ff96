public import SMPClient
public import SMPProtocol
public import SecureTransport
public import SystemIO
public import XFTPProtocol

/// The reason why a session with a file relay could not be opened, or a command failed. It contains nothing of a file.
public enum FileSessionError: Error, Hashable, Sendable {
    /// The relay is unreachable, is not the one of the address, or the connection broke.
    case connection(ConnectionError)
    /// No host of the relay may be connected to.
    case noRoute(RouteError)
    /// The relay and this program have no common session parameters.
    case handshake(TransportError)
    /// The relay rejected the command.
    case refused(FileRelayError)
    /// The response does not fit the command, or is malformed.
    case unexpectedAnswer
    /// The response did not arrive in time, or too slowly.
    case timedOut
    /// The command does not fit into a block.
    case tooLarge
    /// The key of the command is unusable in this session.
    case unusableKey
    /// The downloaded chunk is not the one of the description.
    case wrongChunk(FileDecryptionError)
    /// The file of the chunk cannot be read or written.
    case file(SystemError)

    /// True if the same command may succeed later without action by the user.
    public var isTemporary: Bool {
        switch self {
        case .noRoute(.offline): true
        case .connection(.wrongIdentity), .noRoute, .handshake, .unexpectedAnswer, .tooLarge, .unusableKey, .file:
            false
        // A transfer may have been damaged; a relay that keeps wrong bytes is given up after some attempts.
        case .connection, .timedOut, .wrongChunk: true
        case .refused(let error): [.quota, .internal, .timeout, .fileIO, .digest].contains(error)
        }
    }
}
