import AgentProtocol
import CryptoCore
import SMPClient
package import SMPProtocol

/// The routing of commands to relays: those of senders through an own relay if the settings require it, all others
/// directly (smp-agent.md 5.9).
///
/// A route through a proxy is used until it fails. The next attempt then uses another proxy, if there is one.
final class SenderRouter {
    /// The result of an attempt.
    enum Outcome {
        /// The relay's response, or the error of the connection.
        case answered(RelaySession.Answer)
        /// An obstacle before the relay.
        case undelivered(Obstacle)
    }

    private struct Way {
        let proxy: ServerAddress
        let path: ForwardingPath
    }

    private let environment: any AgentEnvironment
    private let link: (LinkKey) -> RelayLink
    /// Returns the relays of a profile, called at every attempt.
    var ownServers: (ProfileID) -> [ConfiguredServer] = { _ in [] }
    private var ways: [LinkKey: Way] = [:]
    /// The proxies that failed last.
    private var avoided: [LinkKey: ServerAddress] = [:]

    init(environment: any AgentEnvironment, link: @escaping (LinkKey) -> RelayLink) {
        self.environment = environment
        self.link = link
    }

    /// Forgets all routes.
    func reset() {
        ways = [:]
        avoided = [:]
    }

    /// Forgets the route to a relay.
    func forget(_ key: LinkKey) {
        ways[key] = nil
        avoided[key] = nil
    }

    /// Sends a command to a relay for a profile and calls `finish` once.
    func send(
        _ command: RelayRequest, to server: ServerAddress, for profileID: ProfileID,
        finish: @escaping (Outcome) -> Void
    ) {
        let key = LinkKey(profileID: profileID, server: server)
        guard command.canBeForwarded else { return sendDirectly(command, key, finish) }
        let settings = environment.network
        switch SenderRoute(to: server, own: ownServers(profileID), settings: settings) {
        case .direct(let address): sendDirectly(command, LinkKey(profileID: profileID, server: address), finish)
        case .noProxy where settings.allowsFallback: sendDirectly(command, key, finish)
        case .noProxy: finish(.undelivered(Obstacle(server: server, error: .noRoute(.forwarderRequired))))
        case .proxied(let proxies):
            let way = way(key, through: proxies)
            way.path.send(command) { [weak self] answer in
                switch answer {
                case .success(let message): finish(.answered(.success(message)))
                case .failure(let error): self?.failed(error, on: way, command, key, finish)
                }
            }
        }
    }

    private func sendDirectly(_ command: RelayRequest, _ key: LinkKey, _ finish: @escaping (Outcome) -> Void) {
        link(key).send(command) { finish(.answered($0)) }
    }

    private func failed(
        _ error: ForwardingError, on way: Way, _ command: RelayRequest, _ key: LinkKey,
        _ finish: @escaping (Outcome) -> Void
    ) {
        if !error.isRefusal, ways[key]?.path === way.path {
            ways[key] = nil
            avoided[key] = way.proxy
        }
        if error.isLackOfSupport, environment.network.allowsFallback { return sendDirectly(command, key, finish) }
        switch error {
        // It is the proxy that does not forward to such an address.
        case .destination(.refused(.proxy(.broker(.host)))):
            finish(.undelivered(Obstacle(server: way.proxy, error: .forwarder(.refused(.proxy(.broker(.host)))))))
        case .destination(let error): finish(.answered(.failure(error)))
        case .proxy(let error): finish(.undelivered(Obstacle(server: way.proxy, error: .forwarder(error))))
        }
    }

    /// Returns the route to a relay: the previous one, as long as its proxy is one of `proxies`.
    private func way(_ key: LinkKey, through proxies: [ConfiguredServer]) -> Way {
        if let way = ways[key], proxies.contains(where: { $0.address == way.proxy }) { return way }
        let others = proxies.filter { $0.address != avoided[key] }
        let proxy = choose(others.isEmpty ? proxies : others)
        let proxyKey = LinkKey(profileID: key.profileID, server: proxy.address)
        let path = ForwardingPath(to: key.server, password: proxy.password, random: environment.random) {
            [link] command, finish in link(proxyKey).send(command, finish: finish)
        }
        let way = Way(proxy: proxy.address, path: path)
        ways[key] = way
        return way
    }

    private func choose(_ proxies: [ConfiguredServer]) -> ConfiguredServer {
        let number = environment.random.bytes(4).reduce(0) { $0 << 8 | Int($1) }
        return proxies[number % proxies.count]
    }
}

extension ForwardingError {
    /// True if the destination itself has responded.
    fileprivate var isRefusal: Bool {
        switch self {
        case .destination(.refused(.proxy)), .proxy: false
        case .destination(.refused): true
        case .destination: false
        }
    }
}

/// The route of a sender's commands to a relay.
package enum SenderRoute: Hashable {
    /// Directly to the relay at this address: the stored one of a relay of the profile, the given one of any other.
    case direct(ServerAddress)
    /// Through one of these relays of the profile.
    case proxied([ConfiguredServer])
    /// A proxy is required, but the profile has no suitable relay.
    case noProxy

    /// Chooses the route.
    ///
    /// - Parameters:
    ///   - destination: The relay of the contact's queue, chosen by the contact.
    ///   - own: The relays of the profile.
    package init(to destination: ServerAddress, own: [ConfiguredServer], settings: NetworkSettings) {
        let known = own.map { KnownRelay($0.address, defaultPort: SMP.defaultPort) }.relay(meantBy: destination)
        let isOwn = known != nil, direct = SenderRoute.direct(known?.address ?? destination)
        let wantsProxy =
            switch settings.proxyMode {
            case .always: true
            case .unknown: !isOwn
            case .unprotected: !isOwn && !settings.hidesAddress
            case .never: false
            }
        guard wantsProxy else {
            self = direct
            return
        }
        // A relay that is its own proxy hides nothing. No other part of the destination affects the choice: with the
        // hosts of the profile's relays in its address a contact could exclude all proxies.
        let others = own.filter { !KnownRelay($0.address, defaultPort: SMP.defaultPort).isMeant(by: destination) }
        if others.isEmpty {
            self = isOwn ? direct : .noProxy
        } else {
            self = .proxied(others)
        }
    }
}
