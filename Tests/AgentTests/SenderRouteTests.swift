import Agent
import SMPClient
import SMPProtocol
import SecureTransport
import Testing

/// Which way the commands of senders take, by the user's settings and relays.
@Suite struct SenderRouteTests {
    private static func server(
        _ fingerprint: UInt8, port: UInt16? = nil, _ hosts: TransportHost...
    ) -> ConfiguredServer {
        ConfiguredServer(address: ServerAddress(hosts: hosts, port: port, fingerprint: [fingerprint]))
    }

    private static let first = server(1, .domain("first.example"))
    private static let second = server(2, .domain("second.example"), .onion("abc.onion"))
    private static let own = [first, second]
    private static let stranger = server(3, .domain("stranger.example"))

    private func route(
        to server: ConfiguredServer, own: [ConfiguredServer] = own, _ mode: NetworkSettings.ProxyMode,
        proxy: SOCKSProxy? = nil
    ) -> SenderRoute {
        SenderRoute(
            to: server.address, own: own,
            settings: NetworkSettings(route: RelayRoute(proxy: proxy), proxyMode: mode))
    }

    @Test func routes_to_foreign_relays() {
        for proxy in [nil, SOCKSProxy.tor] {
            #expect(route(to: Self.stranger, .always, proxy: proxy) == .proxied(Self.own))
            #expect(route(to: Self.stranger, .unknown, proxy: proxy) == .proxied(Self.own))
            #expect(route(to: Self.stranger, .never, proxy: proxy) == .direct(Self.stranger.address))
        }
        #expect(route(to: Self.stranger, .unprotected) == .proxied(Self.own))
        #expect(route(to: Self.stranger, .unprotected, proxy: .tor) == .direct(Self.stranger.address))
    }

    @Test func routes_to_own_relays() {
        #expect(route(to: Self.first, .always) == .proxied([Self.second]))
        for mode in [NetworkSettings.ProxyMode.unknown, .unprotected, .never] {
            #expect(route(to: Self.first, mode) == .direct(Self.first.address))
        }
        // Some of its hosts are enough, and the default port may be written out. The connection goes to the stored address.
        let part = Self.server(2, port: 5223, .onion("abc.onion"))
        #expect(route(to: part, .unknown) == .direct(Self.second.address))
        #expect(route(to: part, .always) == .proxied([Self.first]))
    }

    @Test(arguments: [
        // An own host beside an unknown one, with the fingerprint of the own relay and with another.
        server(1, .domain("first.example"), .domain("attacker.example")),
        server(1, .domain("attacker.example"), .domain("first.example")),
        server(3, .domain("first.example"), .domain("attacker.example")),
        server(2, .onion("abc.onion"), .onion("attacker.onion")),
        // The fingerprint of an own relay elsewhere; an own host with another fingerprint or port.
        server(1, .domain("attacker.example")), server(1, .domain("second.example")),
        server(3, .domain("first.example")), server(1, port: 443, .domain("first.example")),
        server(3, .domain("first.example"), .domain("second.example")),
    ])
    func toRelaysThatOnlyLookLikeOnesOwn(server: ConfiguredServer) {
        for mode in [NetworkSettings.ProxyMode.always, .unknown, .unprotected] {
            #expect(route(to: server, mode) == .proxied(Self.own))
            #expect(route(to: server, own: [Self.first], mode) == .proxied([Self.first]))
        }
    }

    @Test func routes_without_a_proxy() {
        #expect(route(to: Self.first, own: [Self.first], .always) == .direct(Self.first.address))
        #expect(route(to: Self.stranger, own: [], .always) == .noProxy)
        #expect(route(to: Self.stranger, own: [], .unknown) == .noProxy)
        #expect(route(to: Self.stranger, own: [], .never) == .direct(Self.stranger.address))
    }
}
