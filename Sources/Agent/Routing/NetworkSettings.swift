public import SMPClient

/// What the user decided about connections: what relays, and those who watch the network, may learn.
public struct NetworkSettings: Hashable, Sendable {
    /// When the commands of senders go through a relay of one's own, so that relays that others chose do not see the
    /// user's address.
    public enum ProxyMode: String, Hashable, Sendable, CaseIterable {
        case always
        /// To relays that are not the profile's own.
        case unknown
        /// As ``unknown``, but only where the address can be seen: not with a SOCKS proxy.
        case unprotected
        case never
    }

    /// What to do where that is wanted and not possible, because a relay does not know how.
    public enum ProxyFallback: String, Hashable, Sendable, CaseIterable {
        /// Commands go directly to the relay.
        case allow = "yes"
        /// Only where the address cannot be seen: with a SOCKS proxy.
        case allowProtected = "protected"
        case prohibit = "no"
    }

    /// How hosts are reached.
    public var route: RelayRoute
    public var proxyMode: ProxyMode
    public var proxyFallback: ProxyFallback

    public init(
        route: RelayRoute = RelayRoute(), proxyMode: ProxyMode = .unknown, proxyFallback: ProxyFallback = .allow
    ) {
        self.route = route
        self.proxyMode = proxyMode
        self.proxyFallback = proxyFallback
    }

    /// Whether relays see another address than the user's.
    var hidesAddress: Bool { route.proxy != nil }

    /// Whether a relay may be spoken to directly where a proxy was wanted.
    var allowsFallback: Bool {
        switch proxyFallback {
        case .allow: true
        case .allowProtected: hidesAddress
        case .prohibit: false
        }
    }
}
