import SMPClient
import SMPProtocol
import SecureTransport
import Testing

/// Which hosts of a relay are connected to.
@Suite struct RelayRouteTests {
    private static let onion = TransportHost.onion("abc.onion")
    private static let name = TransportHost.domain("smp.example")

    private func hosts(
        _ hosts: [TransportHost], _ onion: RelayRoute.OnionPolicy, proxy: SOCKSProxy?, requiresProxy: Bool = false
    ) -> Result<[TransportHost], RouteError> {
        let server = ServerAddress(hosts: hosts, port: nil, fingerprint: [])
        let route = RelayRoute(proxy: proxy, requiresProxy: requiresProxy, onion: onion)
        do throws(RouteError) { return .success(try route.hosts(of: server)) } catch { return .failure(error) }
    }

    @Test func withoutAProxy() {
        let both = [Self.onion, Self.name]
        #expect(hosts(both, .prefer, proxy: nil) == .success([Self.name]))
        #expect(hosts(both, .never, proxy: nil) == .success([Self.name]))
        #expect(hosts(both, .require, proxy: nil) == .failure(.proxyRequired))
        #expect(hosts([Self.onion], .prefer, proxy: nil) == .failure(.proxyRequired))
        #expect(hosts([Self.onion], .never, proxy: nil) == .failure(.onionRefused))
        #expect(hosts([Self.name], .require, proxy: nil) == .failure(.onionRequired))
    }

    @Test func withAProxy() {
        let both = [Self.name, Self.onion]
        #expect(hosts(both, .prefer, proxy: .tor) == .success([Self.onion, Self.name]))
        #expect(hosts(both, .never, proxy: .tor) == .success([Self.name]))
        #expect(hosts(both, .require, proxy: .tor) == .success([Self.onion]))
        #expect(hosts([Self.onion], .never, proxy: .tor) == .failure(.onionRefused))
        #expect(hosts([Self.name], .require, proxy: .tor) == .failure(.onionRequired))
        #expect(hosts([Self.name], .prefer, proxy: .tor, requiresProxy: true) == .success([Self.name]))
    }

    @Test(arguments: RelayRoute.OnionPolicy.allCases)
    func required_proxy_blocks_direct_connections(policy: RelayRoute.OnionPolicy) {
        for list in [[Self.name], [Self.onion], [Self.name, Self.onion]] {
            #expect(hosts(list, policy, proxy: nil, requiresProxy: true) == .failure(.proxyRequired))
        }
    }
}
