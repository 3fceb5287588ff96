import ByteCoding
import CryptoCore
package import SMPProtocol

// PRXY, PFWD: this relay is the proxy between its clients and other relays, which do not see the clients' addresses.
// The core checks permissions and limits; `Proxy` has the sessions with other relays.

extension RelayCore {
    /// Handles PRXY: requests a session with another relay. Clients that may create queues may also use the proxy.
    func askForSession(with server: ServerAddress, password: ServerPassword?, _ request: ClientRequest) -> RelayMessage?
    {
        guard rules.isProxy, accepts(password) else { return .err(.proxy(.password)) }
        begin(.session(server), request)
        return nil
    }

    /// Handles PFWD: requests to forward a command.
    func askToForward(_ command: ForwardedCommand, _ request: ClientRequest) -> RelayMessage? {
        begin(.forward(command), request)
        return nil
    }

    private func begin(_ operation: ProxyRequest.Operation, _ request: ClientRequest) {
        request.client.proxyRequests += 1
        proxyRequests.append(
            ProxyRequest(
                connection: request.client.id, correlationID: request.correlationID, entityID: request.entityID,
                operation: operation))
    }

    /// Removes and returns the requests of this turn's commands to the proxy. ``answer(_:with:)`` must follow for each.
    package func takeProxyRequests() -> [ProxyRequest] {
        defer { proxyRequests = [] }
        return proxyRequests
    }

    /// Sends the response to a request in the current turn. Has no effect for a closed connection.
    package func answer(_ request: ProxyRequest, with message: RelayMessage) {
        switch (request.operation, message) {
        case (.session, .pkey): statistics.proxySessions += 1
        case (.session, _): statistics.failedProxySessions += 1
        // A command that the other relay rejects has reached it.
        case (.forward, .pres), (.forward, .err(.proxy(.relay))): statistics.proxiedCommands += 1
        case (.forward, _): statistics.failedProxiedCommands += 1
        }
        guard let client = client(request.connection) else { return }
        client.proxyRequests -= 1
        tell(client, Answer(request.correlationID, request.entityID, message))
    }
}

// RFWD: a command from a proxy, whose client this relay does not see.

extension RelayCore {
    /// Handles RFWD: decrypts both layers, executes the command, and encrypts its response. Returns nil if the response
    /// follows later.
    func forward(_ encrypted: Bytes, _ request: ClientRequest) throws -> RelayMessage? {
        guard let proxySecret = request.client.keys.proxySecret else {
            throw ProtocolError.proxy(.broker(.transport(.noServerKey)))
        }
        let outer = try open(encrypted, request.correlationID, proxySecret)
        guard SMP.versions.contains(outer.version), let secret = request.client.keys.agree(with: outer.key) else {
            throw ProtocolError.command(.syntax)
        }
        let session = TransmissionSession(version: outer.version, sessionID: request.session.sessionID)
        let inner = try open(outer, secret)
        statistics.forwardedCommands += 1
        func seal(_ answer: Answer) throws(ProtocolError) -> RelayMessage {
            guard
                let sealed = try? Forwarding.sealAnswer(
                    answer.encoded(in: session), correlationID: outer.correlationID, secret: secret)
            else { throw .block }
            let forwarded = ForwardedAnswer(correlationID: outer.correlationID, encrypted: sealed)
            return .rres(encrypted: forwarded.seal(correlationID: request.correlationID, secret: proxySecret))
        }
        let received = Received(inner, session: session)
        if case .command(let transmission, .rslv(let domain)) = received, rules.resolvesNames {
            guard transmission.serviceSignature == nil else { throw ProtocolError.service }
            askForName(domain, of: request.client) { message in
                let answer = Answer(transmission.correlationID, transmission.entityID, message)
                return Answer(request.correlationID, request.entityID, (try? seal(answer)) ?? .err(.block))
            }
            return nil
        }
        return try seal(forwardedAnswer(received, session, request))
    }

    private func open(
        _ encrypted: Bytes, _ correlationID: CorrelationID, _ secret: Secret
    ) throws(ProtocolError) -> ForwardedCommand {
        do throws(CryptoError) {
            return try ForwardedCommand(opening: encrypted, correlationID: correlationID, secret: secret)
        } catch {
            throw error == .authenticationFailed ? .crypto : .command(.syntax)
        }
    }

    private func open(_ command: ForwardedCommand, _ secret: Secret) throws(ProtocolError) -> Bytes {
        do throws(CryptoError) {
            return try Forwarding.open(command.encrypted, correlationID: command.correlationID, secret: secret)
        } catch {
            throw error == .authenticationFailed ? .crypto : .block
        }
    }

    /// Returns the response to a forwarded command. Only sender commands can be forwarded.
    private func forwardedAnswer(
        _ received: Received, _ session: TransmissionSession, _ request: ClientRequest
    ) -> Answer {
        switch received {
        case .refused(let correlationID, let entityID, let error):
            return Answer(correlationID, entityID, .err(error))
        case .command(let transmission, let command):
            switch command {
            case .send, .skey, .lkey, .lget:
                let inner = ClientRequest(
                    transmission: transmission, command: command, client: request.client, session: session,
                    service: nil)
                guard transmission.serviceSignature == nil, let answer = answer(to: inner) else {
                    return Answer(transmission.correlationID, transmission.entityID, .err(.service))
                }
                return answer
            case .rslv:
                return Answer(transmission.correlationID, transmission.entityID, .err(.name(.noResolver)))
            default:
                return Answer(transmission.correlationID, transmission.entityID, .err(.command(.prohibited)))
            }
        }
    }
}
