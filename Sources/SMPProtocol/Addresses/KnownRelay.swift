/// A relay that a profile knows: its fingerprint, its port and all its hosts, as they are stored.
///
/// SECURITY: a direct connection shows the user's IP address to the host, even if its certificate is rejected then. A peer chooses
/// the addresses that it sends: one with the fingerprint of a known relay and a single unknown host is another relay. Connections
/// go to the stored address, never to the received one.
public struct KnownRelay: Hashable, Sendable {
    /// The stored address, the target of connections.
    public let address: ServerAddress
    private let defaultPort: UInt16

    /// Creates a relay from its stored address.
    ///
    /// - Parameter defaultPort: The port of the protocol, which an address may leave out.
    public init(_ address: ServerAddress, defaultPort: UInt16) {
        self.address = address
        self.defaultPort = defaultPort
    }

    /// Returns true if a received address means this relay: it has the fingerprint and the port, and no host that is not stored.
    public func isMeant(by received: ServerAddress) -> Bool {
        received.fingerprint == address.fingerprint && (received.port ?? defaultPort) == (address.port ?? defaultPort)
            && received.hosts.allSatisfy(address.hosts.contains)
    }
}

extension Sequence where Element == KnownRelay {
    /// Returns the relay that a received address means; nil for an unknown one.
    public func relay(meantBy received: ServerAddress) -> KnownRelay? {
        first { $0.isMeant(by: received) }
    }
}
