public import SMPProtocol
public import SecureTransport

/// The route to the hosts of relays, and the choice of hosts.
public struct RelayRoute: Hashable, Sendable {
    /// The use of the onion hosts of relays.
    public enum OnionPolicy: String, Hashable, Sendable, CaseIterable {
        /// Onion hosts come first if there is a proxy to reach them.
        case prefer
        /// Only onion hosts are used.
        case require
        /// Onion hosts are not used.
        case never
    }

    /// The proxy of all connections, which also resolves names.
    public var proxy: SOCKSProxy?
    /// True if connections without a proxy are forbidden.
    public var requiresProxy: Bool
    /// The use of onion hosts.
    public var onion: OnionPolicy
    /// True if all connections are forbidden.
    public var isOffline = false

    /// Creates a relay route from its parts.
    public init(proxy: SOCKSProxy? = nil, requiresProxy: Bool = false, onion: OnionPolicy = .prefer) {
        self.proxy = proxy
        self.requiresProxy = requiresProxy
        self.onion = onion
    }

    /// Returns the hosts of a relay to connect to, in order; at least one.
    ///
    /// SECURITY: without a proxy they never include an onion host: resolving it would reveal the destination to a name
    /// server.
    ///
    /// - Throws: ``RouteError``.
    public func hosts(of server: ServerAddress) throws(RouteError) -> [TransportHost] {
        guard !isOffline else { throw .offline }
        guard proxy != nil || !requiresProxy else { throw .proxyRequired }
        let onions = server.hosts.filter(\.isOnion), others = server.hosts.filter { !$0.isOnion }
        switch onion {
        case .require:
            guard !onions.isEmpty else { throw .onionRequired }
            guard proxy != nil else { throw .proxyRequired }
            return onions
        case .never:
            guard !others.isEmpty else { throw .onionRefused }
            return others
        case .prefer:
            if proxy != nil { return onions + others }
            guard !others.isEmpty else { throw .proxyRequired }
            return others
        }
    }
}

/// The reason why no host of a relay may be connected to.
public enum RouteError: Error, Hashable, Sendable {
    /// The user has disabled all connections.
    case offline
    /// A proxy is required, by a setting or for an onion host, and there is none.
    case proxyRequired
    /// Only onion hosts are allowed, and the relay has none.
    case onionRequired
    /// Onion hosts are not allowed, and the relay has no other host.
    case onionRefused
    /// Private message routing is required, and no relay supports it.
    case forwarderRequired
}

extension TransportHost {
    fileprivate var isOnion: Bool {
        if case .onion = self { true } else { false }
    }
}
