import Agent
import AgentProtocol
import SMPClient
import SMPProtocol
import SecureTransport
import Store

extension LocalCore {
    /// Each own relay that is a proxy for messages to a relay at a private address, with one such relay.
    func privateRoutes(of profile: ProfileID) throws -> [(ConfiguredServer, ServerAddress)] {
        // A command that only reads has no agent.
        let agent = try Database(folder.agentDatabase, .readOnly, key: key?.key)
        let own = try servers.used(by: profile), settings = context.environment.network
        var routes: [(ConfiguredServer, ServerAddress)] = []
        for server in try agent.sendServers(of: profile)
        where server.hosts.contains(where: { IPAddress.isPrivate(host: $0.description) }) {
            guard case .proxied(let proxies) = SenderRoute(to: server, own: own, settings: settings) else { continue }
            for proxy in proxies where !routes.contains(where: { $0.0.address == proxy.address }) {
                routes.append((proxy, server))
            }
        }
        return routes
    }
}

/// A question to a relay: does it forward to another one? Whether it reaches the other one does not matter.
final class ForwardingTest {
    private var session: (any RelayChannel)?
    private var finish: ((Bool) -> Void)?
    private var cancel: (() -> Void)?

    private init(_ finish: @escaping (Bool) -> Void) {
        self.finish = finish
    }

    /// Calls `finish` once, with true if the relay says that it does not.
    static func run(
        of proxy: ConfiguredServer, to destination: ServerAddress, in environment: any AgentEnvironment,
        finish: @escaping (Bool) -> Void
    ) {
        let test = ForwardingTest(finish)
        // The handler keeps the test alive, and goes with the session.
        test.session = environment.connect(to: proxy.address) { event in
            switch event {
            case .opened:
                test.session?.send(RelayRequest(.prxy(destination, password: proxy.password))) { answer in
                    guard case .failure(.refused(.proxy(.broker(.host)))) = answer else { return test.end(false) }
                    test.end(true)
                }
            case .message: break
            case .closed: test.end(false)
            }
        }
        test.cancel = environment.after(environment.requestDeadline) { test.end(false) }
    }

    private func end(_ isRefused: Bool) {
        let finish = finish
        self.finish = nil
        cancel?()
        session?.close()
        session = nil
        finish?(isRefused)
    }
}

extension Database {
    /// The relays of the contacts of a profile, in the database of an agent.
    fileprivate func sendServers(of profile: ProfileID) throws -> [ServerAddress] {
        try rows(
            """
            SELECT DISTINCT address FROM send_queues JOIN servers USING (server_id)
                JOIN connections USING (connection_id) WHERE profile_id = ?
            """, profile.number
        ) { row throws(StoreError) in try row.text() }.compactMap { try? ServerAddress(text: $0) }
    }
}
