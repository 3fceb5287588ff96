package import SMPProtocol

/// Which way the commands of senders take to a relay.
package enum SenderRoute: Hashable {
    case direct
    /// Through one of these relays of the profile.
    case proxied([ConfiguredServer])
    /// A proxy is wanted, and the profile has no relay that could be one.
    case noProxy

    /// - Parameters:
    ///   - destination: The relay of the contact's queue. The contact has chosen it.
    ///   - own: The relays of the profile.
    package init(to destination: ServerAddress, own: [ConfiguredServer], settings: NetworkSettings) {
        let isOwn = own.contains { $0.address.includes(destination) }
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
        // A relay that is its own proxy hides nothing. Nothing else of the destination has a say in the choice: with
        // hosts of the profile's relays in its address a contact could leave no proxy.
        let others = own.filter { !$0.address.includes(destination) }
        if others.isEmpty {
            self = isOwn ? .direct : .noProxy
        } else {
            self = .proxied(others)
        }
    }
}

extension ServerAddress {
    /// True if the other address is of the same relay, and all its hosts and its port are known from this one.
    ///
    /// SECURITY: with direct connections, a single unknown host in the address learns the user's IP address, even if its
    /// certificate is refused.
    fileprivate func includes(_ other: ServerAddress) -> Bool {
        fingerprint == other.fingerprint && (port ?? SMP.defaultPort) == (other.port ?? SMP.defaultPort)
            && other.hosts.allSatisfy(hosts.contains)
    }
}
