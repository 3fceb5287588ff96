import ByteCoding
package import SMPProtocol

// PRXY, PFWD: this relay stands between its clients and other relays, so that those do not see from where a command comes.
// The core decides who may ask for it and how much at a time; the sessions with other relays are with `Proxy`.

extension RelayCore {
    /// PRXY: asks for a session with another relay. Who may create queues here may use this relay as a proxy.
    func askForSession(with server: ServerAddress, password: ServerPassword?, _ request: Request) -> RelayMessage? {
        guard rules.isProxy, accepts(password) else { return .err(.proxy(.password)) }
        begin(.session(server), request)
        return nil
    }

    /// PFWD: asks for a command to be forwarded.
    func askToForward(_ command: ForwardedCommand, _ request: Request) -> RelayMessage? {
        begin(.forward(command), request)
        return nil
    }

    private func begin(_ wish: ProxyRequest.Wish, _ request: Request) {
        request.client.proxyRequests += 1
        proxyRequests.append(
            ProxyRequest(
                connection: request.client.id, correlationID: request.correlationID, entityID: request.entityID,
                wish: wish))
    }

    /// Removes and returns what the commands of this turn asked of the proxy; for each ``answer(_:with:)`` must follow.
    package func takeProxyRequests() -> [ProxyRequest] {
        defer { proxyRequests = [] }
        return proxyRequests
    }

    /// Answers what was asked of the proxy, in the current turn. Does nothing for a client that is gone.
    package func answer(_ request: ProxyRequest, with message: RelayMessage) {
        switch (request.wish, message) {
        case (.session, .pkey): statistics.proxySessions += 1
        case (.session, _): statistics.failedProxySessions += 1
        // What the other relay refuses has reached it.
        case (.forward, .pres), (.forward, .err(.proxy(.relay))): statistics.proxiedCommands += 1
        case (.forward, _): statistics.failedProxiedCommands += 1
        }
        guard let client = client(request.connection) else { return }
        client.proxyRequests -= 1
        tell(client, Answer(request.correlationID, request.entityID, message))
    }
}
