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
