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
enum ForwardingTest {
    /// Calls `finish` once, with true if the relay says that it does not.
    static func run(
        of proxy: ConfiguredServer, to destination: ServerAddress, in environment: any AgentEnvironment,
        finish: @escaping (Bool) -> Void
    ) {
        let end = ServerTestEnd<Bool>(report: finish)
        var session: (any RelayChannel)?
        // The handler keeps the session alive until the end.
        session = environment.connect(to: proxy.address) { event in
            switch event {
            case .opened:
                session?.send(RelayRequest(.prxy(destination, password: proxy.password))) { answer in
                    guard case .failure(.refused(.proxy(.broker(.host)))) = answer else { return end(false) }
                    end(true)
                }
            case .message: break
            case .closed: end(false)
            }
        }
        end.stop {
            session?.close()
            session = nil
        }
        end.stop(environment.after(environment.requestDeadline) { end(false) })
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
