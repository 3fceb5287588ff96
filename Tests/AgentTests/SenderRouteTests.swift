import Agent
import SMPClient
import SMPProtocol
import SecureTransport
import Testing

/// Which way the commands of senders take, by the user's settings and relays.
@Suite struct SenderRouteTests {
    private static func server(_ hosts: TransportHost...) -> ConfiguredServer {
        ConfiguredServer(address: ServerAddress(hosts: hosts, port: nil, fingerprint: [1]))
    }

    private static let first = server(.domain("first.example"))
    private static let second = server(.domain("second.example"), .onion("abc.onion"))
    private static let own = [first, second]
    private static let stranger = server(.domain("stranger.example"))

    private func route(
        to server: ConfiguredServer, own: [ConfiguredServer] = own, _ mode: NetworkSettings.ProxyMode,
        proxy: SOCKSProxy? = nil
    ) -> SenderRoute {
        SenderRoute(
            to: server.address, own: own,
            settings: NetworkSettings(route: RelayRoute(proxy: proxy), proxyMode: mode))
    }

    @Test func toStrangers() {
        for proxy in [nil, SOCKSProxy.tor] {
            #expect(route(to: Self.stranger, .always, proxy: proxy) == .proxied(Self.own))
            #expect(route(to: Self.stranger, .unknown, proxy: proxy) == .proxied(Self.own))
            #expect(route(to: Self.stranger, .never, proxy: proxy) == .direct)
        }
        #expect(route(to: Self.stranger, .unprotected) == .proxied(Self.own))
        #expect(route(to: Self.stranger, .unprotected, proxy: .tor) == .direct)
    }

    @Test func toOnesOwn() {
        #expect(route(to: Self.first, .always) == .proxied([Self.second]))
        for mode in [NetworkSettings.ProxyMode.unknown, .unprotected, .never] {
            #expect(route(to: Self.first, mode) == .direct)
        }
        // One of the hosts is enough to know a relay, whatever its fingerprint and port.
        let other = ServerAddress(hosts: [.onion("abc.onion")], port: 1, fingerprint: [2])
        #expect(route(to: ConfiguredServer(address: other), .unknown) == .direct)
        #expect(route(to: ConfiguredServer(address: other), .always) == .proxied([Self.first]))
    }

    @Test func withoutARelayInBetween() {
        #expect(route(to: Self.first, own: [Self.first], .always) == .direct)
        #expect(route(to: Self.stranger, own: [], .always) == .noProxy)
        #expect(route(to: Self.stranger, own: [], .unknown) == .noProxy)
        #expect(route(to: Self.stranger, own: [], .never) == .direct)
    }
}
