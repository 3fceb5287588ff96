import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol
import SecureTransport
import SystemIO

/// The session of a proxy with one other relay, shared by all clients of the proxy. It is opened once; another object
/// replaces it after its end.
final class ProxiedRelay {
    /// An event of a session, besides responses.
    enum Event {
        /// The session is open for commands.
        case opened
        /// The session could not be opened or has ended; the last event.
        case closed(ProtocolError)
    }

    /// The data of an open session.
    private struct Standing {
        let description: ProxiedSession
        let secret: Secret
    }

    let address: ServerAddress
    /// The network of the client for whom the session was opened.
    let holder: IPNetwork
    /// The requests for the session before it was open.
    var waiting: [ProxyRequest] = []
    /// The time of the last request or use.
    private(set) var lastUsed = ContinuousClock.now

    private let limits: ProxyLimits
    private let loop: EventLoop
    private let random: any RandomSource
    private let finish: (ProxyRequest, RelayMessage) -> Void
    private var handler: ((Event) -> Void)?
    private var session: RelaySession?
    private var openingTimer: Timer?
    /// The reason why opening failed, until it is reported.
    private var failure: ProtocolError?
    private var standing: Standing?

    /// The commands without a response, by number, and their deadlines in order.
    private var pending: [UInt64: ProxyRequest] = [:]
    private var deadlines = WaitingLine<(number: UInt64, time: ContinuousClock.Instant)>()
    private var lastNumber: UInt64 = 0
    private var timer: Timer?

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - host: The host of the address to connect to.
    ///   - admits: Decides on each address of the host.
    ///   - finish: Called once with the response to each command.
    init(
        _ address: ServerAddress, at host: TransportHost, for holder: IPNetwork, limits: ProxyLimits, loop: EventLoop,
        random: any RandomSource, admits: @escaping (IPAddress) -> Bool,
        finish: @escaping (ProxyRequest, RelayMessage) -> Void,
        handler: @escaping (Event) -> Void
    ) {
        self.address = address
        self.holder = holder
        self.limits = limits
        self.loop = loop
        self.random = random
        self.finish = finish
        self.handler = handler
        var parameters = SessionParameters()
        parameters.isProxy = true
        parameters.connectDeadline = limits.openingTime
        parameters.handshakeDeadline = limits.openingTime
        parameters.answerDeadline = limits.silenceDeadline
        session = RelaySession(
            with: ServerAddress(hosts: [host], port: address.port, fingerprint: address.fingerprint),
            parameters: parameters, loop: loop, random: random, admits: admits
        ) { [weak self] event in self?.handle(event) }
        openingTimer = loop.after(limits.openingTime) { [weak self] in
            guard let self else { return }
            openingTimer = nil
            end(failure ?? .proxy(.broker(.network)))
        }
    }

    /// The response to PRXY, when the session is open.
    var description: ProxiedSession? { standing?.description }

    /// The number of commands without a response.
    var pendingCount: Int { pending.count }

    /// Records a request for the session.
    func touch() {
        lastUsed = .now
    }

    /// Ends the session without an event; waiting commands get an error.
    func close() {
        handler = nil
        end(.proxy(.broker(.network)))
    }

    // MARK: - The session

    private func handle(_ event: RelaySession.Event) {
        switch event {
        case .opened:
            do throws(TransportError) {
                standing = try session?.session.map(ProxiedRelay.standing)
                openingTimer?.cancel()
                openingTimer = nil
                handler?(.opened)
            } catch {
                fail(.proxy(.broker(.transport(error))))
            }
        case .closed(let error) where standing == nil:
            // SECURITY: the client does not learn whether an address is refused, a port is closed, filtered or open, or
            // another service is there. Only a verified relay gets a specific error.
            if case .handshake = error { fail(error.forProxiedClient) } else { fail(.proxy(.broker(.network))) }
        case .closed(let error): end(error.forProxiedClient)
        // A relay sends no events to a proxy. The session ends if it continues to do so.
        case .message: break
        }
    }

    private static func standing(_ session: SMPSession) throws(TransportError) -> Standing {
        // The versions are those for clients of the proxy, not those of the proxy's own session.
        guard session.version >= SMP.proxying, let versions = session.hello.versions.common(with: SMP.proxiedVersions)
        else { throw .version }
        guard let credentials = session.hello.credentials, let secret = session.proxySecret else { throw .noServerKey }
        return Standing(
            description: ProxiedSession(
                sessionID: session.transmission.sessionID, versions: versions, credentials: credentials),
            secret: secret)
    }

    /// Records that opening failed. Every failure is reported at the end of the time limit: its duration would reveal
    /// the service at the address.
    private func fail(_ error: ProtocolError) {
        failure = error
        session?.close()
        session = nil
    }

    private func end(_ error: ProtocolError) {
        openingTimer?.cancel()
        openingTimer = nil
        timer?.cancel()
        timer = nil
        session?.close()
        session = nil
        let handler = handler
        self.handler = nil
        handler?(.closed(error))
        let unanswered = pending.sorted { $0.key < $1.key }
        pending = [:]
        for (_, request) in unanswered { finish(request, .err(error)) }
    }

    // MARK: - Commands

    /// Forwards a command over the open session. Several commands in one turn of the loop share blocks if they fit.
    func forward(_ command: ForwardedCommand, for request: ProxyRequest) {
        guard let session, let standing else { return finish(request, .err(.proxy(.noSession))) }
        // Further commands would not get a response in time.
        guard pending.count < limits.requestsPerRelay else {
            return finish(request, .err(.proxy(.broker(.timeout))))
        }
        lastUsed = .now
        lastNumber += 1
        let number = lastNumber, correlationID = CorrelationID(random: random)
        pending[number] = request
        deadlines.append((number, lastUsed + limits.answerDeadline))
        if timer == nil { startTimer() }
        let encrypted = command.seal(correlationID: correlationID, secret: standing.secret)
        session.send(RelayRequest(.rfwd(encrypted: encrypted), correlationID: correlationID)) { [weak self] answer in
            guard let self, let request = self.pending.removeValue(forKey: number) else { return }
            self.finish(request, ProxiedRelay.message(answer, correlationID, standing.secret))
            self.forgetAnswered()
        }
    }

    private static func message(
        _ answer: RelaySession.Answer, _ correlationID: CorrelationID, _ secret: Secret
    ) -> RelayMessage {
        switch answer {
        case .success(.rres(let encrypted)):
            do throws(CryptoError) {
                let answer = try ForwardedAnswer(opening: encrypted, correlationID: correlationID, secret: secret)
                return .pres(encrypted: answer.encrypted)
            } catch {
                return .err(error == .authenticationFailed ? .crypto : .proxy(.broker(.response("BLOCK"))))
            }
        case .success(let other): return .err(.proxy(.broker(.unexpected(other.tag.rawValue))))
        case .failure(let error): return .err(error.forProxiedClient)
        }
    }

    // MARK: - Deadlines

    /// Starts the timer. Relays respond in order, so usually only the first deadline matters.
    private func startTimer() {
        guard let first = deadlines.first else { return }
        timer = loop.after(max(.zero, first.time - .now)) { [weak self] in self?.checkDeadlines() }
    }

    /// Checks the deadlines. A slow relay may still be alive: its late responses are dropped, the session stays.
    private func checkDeadlines() {
        timer = nil
        let now = ContinuousClock.now
        while let first = deadlines.first, first.time <= now || pending[first.number] == nil {
            _ = deadlines.popFirst()
            guard let request = pending.removeValue(forKey: first.number) else { continue }
            finish(request, .err(.proxy(.broker(.timeout))))
        }
        startTimer()
    }

    private func forgetAnswered() {
        while let first = deadlines.first, pending[first.number] == nil { _ = deadlines.popFirst() }
        guard deadlines.isEmpty else { return }
        timer?.cancel()
        timer = nil
    }
}
