public import SMPClient

/// The network settings, which decide what relays and observers of the network may learn.
public struct NetworkSettings: Hashable, Sendable {
    /// The use of private message routing: commands of senders go through an own relay, so that relays chosen by others
    /// do not see the user's address.
    public enum ProxyMode: String, Hashable, Sendable, CaseIterable {
        /// For all relays.
        case always
        /// For relays that are not the profile's own.
        case unknown
        /// The same as ``unknown``, but only if the relay would see the user's address: not with a SOCKS proxy.
        case unprotected
        /// Never.
        case never
    }

    /// The action if private routing is required, but a relay does not support it.
    public enum ProxyFallback: String, Hashable, Sendable, CaseIterable {
        /// Send directly to the relay.
        case allow = "yes"
        /// Send directly only if the relay does not see the user's address: with a SOCKS proxy.
        case allowProtected = "protected"
        /// Do not send.
        case prohibit = "no"
    }

    /// The route to hosts.
    public var route: RelayRoute
    /// The use of private message routing.
    public var proxyMode: ProxyMode
    /// The action without support by a relay.
    public var proxyFallback: ProxyFallback

    /// Creates a network settings from its parts.
    public init(
        route: RelayRoute = RelayRoute(), proxyMode: ProxyMode = .unknown, proxyFallback: ProxyFallback = .allow
    ) {
        self.route = route
        self.proxyMode = proxyMode
        self.proxyFallback = proxyFallback
    }

    /// True if relays do not see the user's address.
    var hidesAddress: Bool { route.proxy != nil }

    /// True if commands may go directly to a relay that does not support routing.
    package var allowsFallback: Bool {
        switch proxyFallback {
        case .allow: true
        case .allowProtected: hidesAddress
        case .prohibit: false
        }
    }
}
