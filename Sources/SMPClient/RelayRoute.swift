public import SMPProtocol
public import SecureTransport

/// How the hosts of relays are reached, and which of them.
public struct RelayRoute: Hashable, Sendable {
    /// What to do with the onion hosts of relays.
    public enum OnionPolicy: String, Hashable, Sendable, CaseIterable {
        /// They come first where there is a proxy to reach them.
        case prefer
        /// Nothing else is connected to.
        case require
        case never
    }

    /// To which all connections are left, and all looking up of names.
    public var proxy: SOCKSProxy?
    /// Whether nothing is connected to without a proxy.
    public var requiresProxy: Bool
    public var onion: OnionPolicy
    /// Whether nothing is connected to at all.
    public var isOffline = false

    public init(proxy: SOCKSProxy? = nil, requiresProxy: Bool = false, onion: OnionPolicy = .prefer) {
        self.proxy = proxy
        self.requiresProxy = requiresProxy
        self.onion = onion
    }

    /// The hosts of a relay to connect to, in this order; at least one.
    ///
    /// SECURITY: without a proxy there is never an onion host among them: to look it up would tell a name server whom one
    /// speaks to.
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

/// Why no host of a relay may be connected to.
public enum RouteError: Error, Hashable, Sendable {
    /// The user wants no connections for now.
    case offline
    /// A proxy is required, by a rule or because the relay is an onion service, and there is none.
    case proxyRequired
    /// Only onion hosts are allowed, and the relay has none.
    case onionRequired
    /// Onion hosts are not allowed, and the relay has no other.
    case onionRefused
    /// Another relay is required in between, and there is none that could be asked.
    case forwarderRequired
}

extension TransportHost {
    fileprivate var isOnion: Bool {
        if case .onion = self { true } else { false }
    }
}
