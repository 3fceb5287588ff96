/// Connections that carry blocks of a fixed size over TLS, as client and as server, and the certificates of a server.
///
/// - ``TLSContext`` fixes what both sides accept: TLS 1.3 with ChaCha20-Poly1305, X25519 or X448, Ed25519 or Ed448
///   certificates, no tickets, no early data. (Servers also serve TLS 1.2 with the same algorithms.)
/// - ``TLSConnection`` runs on an event loop without ever waiting in a call; it reports what happens as events.
/// - ``Dialer`` finds a host and connects to it, itself or through a ``SOCKSProxy``; ``Listener`` accepts connections.
/// - ``CertificateChain`` checks that a server is the one that an address promises, by the fingerprint of its identity
///   certificate. Names are not checked: the fingerprint is the name.
/// - ``RelayCertificates`` makes the offline and the online certificate of a server.
///
/// Every connection attempt, handshake and write has a deadline. Nothing here knows what is in a block.
public import SystemIO

/// Why a connection could not be made or does not go on. It names no host.
public enum ConnectionError: Error, Hashable, Sendable {
    /// The host has no address.
    case unknownHost
    /// No address of the host accepts a connection; the reason of the last attempt.
    case unreachable(SystemError)
    /// The connection was left to a proxy, which did not make it.
    case proxy(SOCKSError)
    /// A stage was not finished in time.
    case timedOut(Stage)
    /// The two sides have no TLS parameters in common, or the other side does not speak TLS.
    case handshakeFailed
    /// The other side did not prove to be the server of the address.
    case wrongIdentity(IdentityError)
    /// The other side closed the connection.
    case closed
    /// The connection broke.
    case broken(SystemError)
    /// Bytes arrived that TLS does not accept.
    case invalidTraffic

    public enum Stage: Hashable, Sendable {
        case connecting
        case handshake
        case writing
    }
}

/// Why certificates do not prove the identity of a server.
public enum IdentityError: Error, Hashable, Sendable {
    /// A server presents two to four certificates.
    case chainLength(Int)
    /// The second certificate is not the one of the address.
    case fingerprint
    /// A certificate is not signed by the next, or the last is not signed by itself.
    case path
    /// The chain is right, but a certificate is not valid yet by the clock of this machine.
    case notYetValid
    /// The chain is right, but a certificate has expired by the clock of this machine.
    case expired
    /// The key of the first certificate is neither Ed25519 nor Ed448.
    case keyType
}
