package import SMPProtocol

/// Which way the commands of senders take to a relay.
package enum SenderRoute: Hashable {
    case direct
    /// Through one of these relays of the profile.
    case proxied([ConfiguredServer])
    /// A proxy is wanted, and the profile has no relay that could be one.
    case noProxy

    /// - Parameter own: The relays of the profile.
    package init(to destination: ServerAddress, own: [ConfiguredServer], settings: NetworkSettings) {
        let isOwn = own.contains { $0.address.sharesHost(with: destination) }
        let wantsProxy =
            switch settings.proxyMode {
            case .always: true
            case .unknown: !isOwn
            case .unprotected: !isOwn && !settings.hidesAddress
            case .never: false
            }
        guard wantsProxy else {
            self = .direct
            return
        }
        // A relay that is its own proxy hides nothing.
        let others = own.filter { !$0.address.sharesHost(with: destination) }
        if others.isEmpty {
            self = isOwn ? .direct : .noProxy
        } else {
            self = .proxied(others)
        }
    }
}

extension ServerAddress {
    /// Whether both are at one host: then one operator sees both.
    fileprivate func sharesHost(with other: ServerAddress) -> Bool {
        hosts.contains(where: other.hosts.contains)
    }
}
