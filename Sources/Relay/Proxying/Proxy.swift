import ByteCoding
import CryptoCore
import SMPClient
package import SMPProtocol
import SecureTransport
import SystemIO

/// The proxy of a relay: its sessions with other relays, over which it forwards the commands of its clients
/// (smp-agent.md 5.4, 5.9).
///
/// A session is opened for the first client that asks, serves all clients, and stays open until the other relay ends it
/// or another session needs its place. An unreachable relay is not retried for a while. Every request gets one response
/// through `finish`: at once, when the session is open, when the other relay has responded, or after the time limit.
/// All calls are on the loop's thread.
final class Proxy {
    private var limits: ProxyLimits
    private let loop: EventLoop
    private let random: any RandomSource
    private let network: (ClientID) -> IPNetwork?
    private let notePrivate: (ClientID) -> Void
    private let finish: (ProxyRequest, RelayMessage) -> Void

    private var relays: [ServerAddress: ProxiedRelay] = [:]
    /// The open sessions, by id.
    private var sessions: [Bytes: ProxiedRelay] = [:]
    /// The errors of unreachable relays, with the end of their pause.
    private var failures: [ServerAddress: (error: ProtocolError, until: ContinuousClock.Instant)] = [:]
    /// The number of relays requested by clients of a network.
    private var places: [IPNetwork: Int] = [:]
    /// The relays that were reached before, whose connections are not limited.
    private var known: Set<ServerAddress> = []
    private var openingsOfConnections: RateTable<ClientID>
    private var openingsOfAddresses: RateTable<IPNetwork>
    private var connectionsToHosts: RateTable<IPNetwork>
    /// The number of forwarded commands without a response.
    private var forwardedCount = 0

    /// The largest number of known relays.
    private static let knownLimit = 10_000

    /// Creates a proxy.
    ///
    /// - Parameters:
    ///   - network: Returns the network of a client, or nil for a closed connection.
    ///   - notePrivate: Called when a client asks for a relay at a private address, which is not allowed.
    ///   - finish: Called with the response to each request, on the loop's thread.
    init(
        limits: ProxyLimits, loop: EventLoop, random: any RandomSource, network: @escaping (ClientID) -> IPNetwork?,
        notePrivate: @escaping (ClientID) -> Void,
        finish: @escaping (ProxyRequest, RelayMessage) -> Void
    ) {
        self.limits = limits
        self.loop = loop
        self.random = random
        self.network = network
        self.notePrivate = notePrivate
        openingsOfConnections = RateTable(max(1, limits.openingsPerMinute / 2))
        openingsOfAddresses = RateTable(limits.openingsPerMinute)
        connectionsToHosts = RateTable(limits.connectionsPerHost)
        self.finish = finish
    }

    /// The number of open sessions.
    var sessionCount: Int { sessions.count }

    /// Applies other limits. Existing sessions stay.
    func apply(_ new: ProxyLimits) {
        if new.openingsPerMinute != limits.openingsPerMinute {
            openingsOfConnections = RateTable(max(1, new.openingsPerMinute / 2))
            openingsOfAddresses = RateTable(new.openingsPerMinute)
        }
        if new.connectionsPerHost != limits.connectionsPerHost {
            connectionsToHosts = RateTable(new.connectionsPerHost)
        }
        limits = new
    }

    /// Ends all sessions.
    func close() {
        for relay in relays.values { _ = end(relay) }
    }

    /// Performs a client's request.
    func carryOut(_ request: ProxyRequest) {
        switch request.operation {
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
        // SECURITY: the client knows that an address in numbers is private. It gets the reason at once, and may send
        // directly. A name is not resolved for this: the answer would tell what it leads to in the network of the relay.
        guard limits.admitsPrivate || !IPAddress.isPrivate(host: host.description) else {
            notePrivate(request.connection)
            return finish(request, .err(.proxy(.broker(.host))))
        }
        guard let holder = network(request.connection), mayOpen(request.connection, holder), makeRoom(for: holder)
        else {
            return finish(request, .err(.proxy(.broker(.network))))
        }
        let relay = ProxiedRelay(
            address, at: host, for: holder, limits: limits, loop: loop, random: random,
            admits: { [weak self] ip in self?.mayConnect(to: ip, of: address, for: request.connection) ?? false },
            finish: { [weak self] request, message in self?.answered(request, message) },
            handler: { [weak self] event in self?.handle(event, at: address) })
        relay.waiting = [request]
        relays[address] = relay
        places[holder, default: 0] += 1
    }

    private func mayOpen(_ connection: ClientID, _ holder: IPNetwork) -> Bool {
        let now = ContinuousClock.now
        guard openingsOfConnections.mayTake(connection, at: now), openingsOfAddresses.take(holder, at: now) else {
            return false
        }
        return openingsOfConnections.take(connection, at: now)
    }

    /// Decides on an address of a host. Invented relays at a host do not exclude real ones, which are known.
    private func mayConnect(to ip: IPAddress, of address: ServerAddress, for client: ClientID) -> Bool {
        guard limits.admitsPrivate || ip.isPublic else {
            notePrivate(client)
            return false
        }
        return known.contains(address) || connectionsToHosts.take(ip.network, at: .now)
    }

    private func handle(_ event: ProxiedRelay.Event, at address: ServerAddress) {
        guard let relay = relays[address] else { return }
        let waiting = relay.waiting
        relay.waiting = []
        switch event {
        case .opened:
            guard let description = relay.description else { return }
            sessions[description.sessionID] = relay
            if known.count >= Proxy.knownLimit { known.removeFirst() }
            known.insert(address)
            for request in waiting { finish(request, .pkey(description)) }
        case .closed(let error):
            // A session that was open may be opened again at once: most relays that end one were just restarted.
            // Without a client that still waits, the next one gets an attempt of its own.
            let isAwaited = waiting.contains { network($0.connection) != nil }
            if relay.description == nil, isAwaited { remember(error, of: address) }
            forget(relay)
            for request in waiting { finish(request, .err(error)) }
        }
    }

    private func forget(_ relay: ProxiedRelay) {
        guard relays.removeValue(forKey: relay.address) != nil else { return }
        places[relay.holder, default: 0] -= 1
        if places[relay.holder, default: 0] <= 0 { places[relay.holder] = nil }
        if let id = relay.description?.sessionID { sessions[id] = nil }
        relay.waiting = []
    }

    private func remember(_ error: ProtocolError, of address: ServerAddress) {
        let now = ContinuousClock.now
        if failures.count >= limits.relays { failures = failures.filter { $0.value.until > now } }
        // So many invented relays only cause more retries.
        if failures.count >= limits.relays { failures = [:] }
        failures[address] = (error, now + limits.failurePause)
    }

    /// Returns true if a client of `holder` may open another session, which may end an unused one: of the same network,
    /// of any network if there is no room, or one of the network with the most sessions.
    private func makeRoom(for holder: IPNetwork) -> Bool {
        let own = places[holder, default: 0]
        if own >= limits.relaysPerAddress { return end(spare { $0.holder == holder }) }
        guard relays.count >= limits.relays else { return true }
        if end(spare { _ in true }) { return true }
        // Fairness: two networks never differ by more than one session after this.
        guard let most = places.max(by: { $0.value < $1.value }), most.value > own + 1 else { return false }
        let candidates = relays.values.filter { $0.holder == most.key }
        let idle = candidates.filter { $0.pendingCount == 0 }
        return end((idle.isEmpty ? candidates : idle).min { $0.lastUsed < $1.lastUsed })
    }

    /// Returns the least recently used session, if it is old enough: its clients will request it again.
    private func spare(_ isCandidate: (ProxiedRelay) -> Bool) -> ProxiedRelay? {
        relays.values.filter {
            $0.description != nil && $0.pendingCount == 0 && .now - $0.lastUsed >= limits.spareTime && isCandidate($0)
        }.min { $0.lastUsed < $1.lastUsed }
    }

    private func end(_ relay: ProxiedRelay?) -> Bool {
        guard let relay else { return false }
        let waiting = relay.waiting
        forget(relay)
        relay.close()
        for request in waiting { finish(request, .err(.proxy(.broker(.network)))) }
        return true
    }
}

extension TransportHost {
    fileprivate var isPublic: Bool {
        if case .onion = self { false } else { true }
    }
}

/// A client's request to the proxy. The response follows later.
package struct ProxyRequest: Sendable {
    /// The requested operation.
    package enum Operation: Hashable, Sendable {
        /// Handles PRXY: open a session with another relay.
        case session(ServerAddress)
        /// Handles PFWD: forward a command over the session that is the entity of the request.
        case forward(ForwardedCommand)
    }

    /// The connection of the client.
    package let connection: ClientID
    /// The correlation id of the command.
    package let correlationID: CorrelationID
    /// The id of the session.
    package let entityID: EntityID
    /// The requested operation.
    package let operation: Operation
}

/// The limits of a proxy.
package struct ProxyLimits: Sendable {
    /// The largest number of sessions with other relays, including those being opened.
    package var relays = 1000
    /// The largest number of PRXY and PFWD of one client without a response.
    package var requestsPerClient = 32
    /// The largest number of commands waiting for one relay, 16 KB each.
    package var requestsPerRelay = 256
    /// The largest number of commands waiting for all relays.
    package var requests = 4096
    /// The largest number of sessions opened for clients of one network (``IPNetwork``).
    package var relaysPerAddress = 100
    /// The largest number of sessions that clients of one network may open in a minute. One connection may open half of
    /// them.
    package var openingsPerMinute = 60
    /// The largest number of connections to one address in a minute for relays that were not reached there before.
    package var connectionsPerHost = 10
    /// True if relays may have addresses that are not public (``IPAddress/isPublic``).
    package var admitsPrivate = false
    /// The time limit for opening a session. A failure is reported exactly at its end.
    package var openingTime = Duration.seconds(10)
    /// The time limit for the response to a forwarded command.
    package var answerDeadline = Duration.seconds(30)
    /// The time without any message after which a session with waiting commands ends.
    package var silenceDeadline = Duration.seconds(30)
    /// The pause after an unreachable relay, during which requests get the same error at once.
    package var failurePause = Duration.seconds(30)
    /// The time without commands after which a session may end in favour of another.
    package var spareTime = Duration.seconds(60)

    /// Creates the default limits.
    package init() {}
}

extension SessionError {
    /// The error that a client of the proxy gets.
    var forProxiedClient: ProtocolError {
        switch self {
        case .refused(let error): .proxy(.relay(error))
        case .timedOut: .proxy(.broker(.timeout))
        case .handshake(let error): .proxy(.broker(.transport(error)))
        case .unexpectedAnswer: .proxy(.broker(.response("BLOCK")))
        case .tooLarge: .proxy(.broker(.transport(.largeMessage)))
        // SECURITY: a client must not learn more about the network around the proxy than the failure itself. A wrong
        // identity may also be a temporary mistake of a name server.
        case .connection: .proxy(.broker(.network))
        case .noRoute: .proxy(.broker(.host))
        // A proxy uses no further proxy.
        case .unusableKey, .forwarder: .internal
        }
    }
}
