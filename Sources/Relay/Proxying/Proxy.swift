import ByteCoding
import CryptoCore
import SMPProtocol
import SystemIO

/// The relay as a proxy: its sessions with other relays, over which it forwards the commands of its clients.
///
/// A session is opened for the first client that asks, serves all, and stands until the other relay ends it or it has to
/// make room. A relay that could not be reached is left alone for a while. Every request is answered once, by `finish`:
/// at once, when the session stands, when the other relay has answered, or when that took too long.
final class Proxy {
    private let limits: ProxyLimits
    private let loop: EventLoop
    private let random: any RandomSource
    private let finish: (ProxyRequest, RelayMessage) -> Void

    private var relays: [ServerAddress: ProxiedRelay] = [:]
    /// Those that stand, by the ids of their sessions.
    private var sessions: [Bytes: ProxiedRelay] = [:]
    /// Why relays could not be reached, and until when they are not tried again.
    private var failures: [ServerAddress: (error: ProtocolError, until: ContinuousClock.Instant)] = [:]
    /// How many commands were forwarded and not answered yet.
    private var forwardedCount = 0

    /// - Parameter finish: Gets the answer to each request, on the loop's thread.
    init(
        limits: ProxyLimits, loop: EventLoop, random: any RandomSource,
        finish: @escaping (ProxyRequest, RelayMessage) -> Void
    ) {
        self.limits = limits
        self.loop = loop
        self.random = random
        self.finish = finish
    }

    /// How many sessions stand.
    var sessionCount: Int { sessions.count }

    /// Ends all sessions.
    func close() {
        for relay in relays.values {
            let waiting = relay.waiting
            forget(relay)
            relay.close()
            for request in waiting { finish(request, .err(.proxy(.broker(.network)))) }
        }
    }

    /// Carries out what a client asked for.
    func carryOut(_ request: ProxyRequest) {
        switch request.wish {
        case .session(let address): open(address, for: request)
        case .forward(let command): forward(command, for: request)
        }
    }

    // MARK: - Commands

    private func forward(_ command: ForwardedCommand, for request: ProxyRequest) {
        guard let relay = sessions[request.entityID.bytes] else { return finish(request, .err(.proxy(.noSession))) }
        guard forwardedCount < limits.requests else { return finish(request, .err(.proxy(.broker(.timeout)))) }
        forwardedCount += 1
        relay.forward(command, for: request)
    }

    private func answered(_ request: ProxyRequest, _ message: RelayMessage) {
        forwardedCount -= 1
        finish(request, message)
    }

    // MARK: - Sessions

    private func open(_ address: ServerAddress, for request: ProxyRequest) {
        if let relay = relays[address] {
            relay.touch()
            guard let description = relay.description else { return relay.waiting.append(request) }
            return finish(request, .pkey(description))
        }
        if let failure = failures[address] {
            guard failure.until <= .now else { return finish(request, .err(failure.error)) }
            failures[address] = nil
        }
        // Onion services would need a Tor client.
        guard let host = address.hosts.first(where: { $0.isPublic }) else {
            return finish(request, .err(.proxy(.broker(.host))))
        }
        guard makeRoom() else { return finish(request, .err(.proxy(.broker(.network)))) }
        let relay = ProxiedRelay(
            address, at: host, limits: limits, loop: loop, random: random,
            finish: { [weak self] request, message in self?.answered(request, message) },
            handler: { [weak self] event in self?.handle(event, at: address) })
        relay.waiting = [request]
        relays[address] = relay
    }

    private func handle(_ event: ProxiedRelay.Event, at address: ServerAddress) {
        guard let relay = relays[address] else { return }
        let waiting = relay.waiting
        relay.waiting = []
        switch event {
        case .opened:
            guard let description = relay.description else { return }
            sessions[description.sessionID] = relay
            for request in waiting { finish(request, .pkey(description)) }
        case .closed(let error):
            // A session that stood may be opened again at once: most relays that end one have just been started again.
            if relay.description == nil { remember(error, of: address) }
            forget(relay)
            for request in waiting { finish(request, .err(error)) }
        }
    }

    private func forget(_ relay: ProxiedRelay) {
        relays[relay.address] = nil
        if let id = relay.description?.sessionID { sessions[id] = nil }
        relay.waiting = []
    }

    private func remember(_ error: ProtocolError, of address: ServerAddress) {
        let now = ContinuousClock.now
        if failures.count >= limits.relays { failures = failures.filter { $0.value.until > now } }
        // Whoever makes up so many relays gains that each of them is tried more often.
        if failures.count >= limits.relays { failures = [:] }
        failures[address] = (error, now + limits.failurePause)
    }

    /// Whether another session may be opened. The one that was not used for longest ends for it, if that is long enough:
    /// clients with a use for it ask again.
    private func makeRoom() -> Bool {
        guard relays.count >= limits.relays else { return true }
        let spare = relays.values.filter {
            $0.description != nil && $0.pendingCount == 0 && .now - $0.lastUsed >= limits.spareTime
        }
        guard let oldest = spare.min(by: { $0.lastUsed < $1.lastUsed }) else { return false }
        forget(oldest)
        oldest.close()
        return true
    }
}

extension TransportHost {
    fileprivate var isPublic: Bool {
        if case .onion = self { false } else { true }
    }
}
