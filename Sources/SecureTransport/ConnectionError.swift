public import SystemIO

/// The reason why a connection failed or ended. It contains no host.
public enum ConnectionError: Error, Hashable, Sendable {
    /// The host has no address.
    case unknownHost
    /// No address of the host accepts a connection. The value is the error of the last attempt.
    case unreachable(SystemError)
    /// The proxy did not make the connection.
    case proxy(SOCKSError)
    /// A stage exceeded its deadline.
    case timedOut(Stage)
    /// The two sides have no common TLS parameters, or the other side does not speak TLS.
    case handshakeFailed
    /// The other side is not the server of the address.
    case wrongIdentity(IdentityError)
    /// The other side closed the connection.
    case closed
    /// The connection broke.
    case broken(SystemError)
    /// The received bytes are invalid TLS.
    case invalidTraffic

    /// A stage with a deadline.
    public enum Stage: Hashable, Sendable {
        /// Connecting to the host.
        case connecting
        /// The TLS handshake.
        case handshake
        /// Sending.
        case writing
    }
}

/// The reason why certificates do not prove the identity of a server.
public enum IdentityError: Error, Hashable, Sendable {
    /// The chain does not have two to four certificates. The value is their number.
    case chainLength(Int)
    /// The second certificate does not have the fingerprint in the address.
    case fingerprint
    /// A certificate is not signed by the next, or the last is not signed by itself.
    case path
    /// The chain is valid, except that a certificate is not valid yet by the clock of this machine.
    case notYetValid
    /// The chain is valid, except that a certificate has expired by the clock of this machine.
    case expired
    /// The key of the first certificate is neither Ed25519 nor Ed448.
    case keyType
}
