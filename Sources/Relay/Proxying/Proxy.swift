import ByteCoding
import CryptoCore
import SMPClient
package import SMPProtocol
import SecureTransport
import SystemIO

/// The relay as a proxy: its sessions with other relays, over which it forwards the commands of its clients.
///
/// A session is opened for the first client that asks, serves all, and stands until the other relay ends it or it has to
/// make room. A relay that could not be reached is left alone for a while. Every request is answered once, by `finish`:
/// at once, when the session stands, when the other relay has answered, or when that took too long.
final class Proxy {
    private var limits: ProxyLimits
    private let loop: EventLoop
    private let random: any RandomSource
    private let network: (ClientID) -> IPNetwork?
    private let finish: (ProxyRequest, RelayMessage) -> Void

    private var relays: [ServerAddress: ProxiedRelay] = [:]
    /// Those that stand, by the ids of their sessions.
    private var sessions: [Bytes: ProxiedRelay] = [:]
    /// Why relays could not be reached, and until when they are not tried again.
    private var failures: [ServerAddress: (error: ProtocolError, until: ContinuousClock.Instant)] = [:]
    /// How many of the relays were asked for by clients at an address.
    private var places: [IPNetwork: Int] = [:]
    /// Relays that were reached once: for these, connections are not counted.
    private var known: Set<ServerAddress> = []
    private var openingsOfConnections: RateTable<ClientID>
    private var openingsOfAddresses: RateTable<IPNetwork>
    private var connectionsToHosts: RateTable<IPNetwork>
    /// How many commands were forwarded and not answered yet.
    private var forwardedCount = 0

    /// How many relays are known at most.
    private static let knownLimit = 10_000

    /// - Parameters:
    ///   - network: The address of a client; nil for one that is gone.
    ///   - finish: Gets the answer to each request, on the loop's thread.
    init(
        limits: ProxyLimits, loop: EventLoop, random: any RandomSource, network: @escaping (ClientID) -> IPNetwork?,
        finish: @escaping (ProxyRequest, RelayMessage) -> Void
    ) {
        self.limits = limits
        self.loop = loop
        self.random = random
        self.network = network
        openingsOfConnections = RateTable(max(1, limits.openingsPerMinute / 2))
        openingsOfAddresses = RateTable(limits.openingsPerMinute)
        connectionsToHosts = RateTable(limits.connectionsPerHost)
        self.finish = finish
    }

    /// How many sessions stand.
    var sessionCount: Int { sessions.count }

    /// Goes by other limits from now on. Sessions that exist stay.
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

    /// Carries out what a client asked for.
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
        guard let holder = network(request.connection), mayOpen(request.connection, holder), makeRoom(for: holder)
        else {
            return finish(request, .err(.proxy(.broker(.network))))
        }
        let relay = ProxiedRelay(
            address, at: host, for: holder, limits: limits, loop: loop, random: random,
            admits: { [weak self] ip in self?.mayConnect(to: ip, of: address) ?? false },
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

    /// Decides about an address that a host has. Whoever makes up relays at a host does not keep others from those that are
    /// there: they are known.
    private func mayConnect(to ip: IPAddress, of address: ServerAddress) -> Bool {
        guard limits.admitsPrivate || ip.isPublic else { return false }
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
            // A session that stood may be opened again at once: most relays that end one have just been started again.
            if relay.description == nil { remember(error, of: address) }
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
        // Whoever makes up so many relays gains that each of them is tried more often.
        if failures.count >= limits.relays { failures = [:] }
        failures[address] = (error, now + limits.failurePause)
    }

    /// True if a client at `holder` may have another session opened. Another session may end for it: one of the same address,
    /// or any if there is no room, if it was unused for a while; or one of the address with the most sessions.
    private func makeRoom(for holder: IPNetwork) -> Bool {
        let own = places[holder, default: 0]
        if own >= limits.relaysPerAddress { return end(spare { $0.holder == holder }) }
        guard relays.count >= limits.relays else { return true }
        if end(spare { _ in true }) { return true }
        // Fairness: two addresses never differ by more than one session after this.
        guard let most = places.max(by: { $0.value < $1.value }), most.value > own + 1 else { return false }
        let candidates = relays.values.filter { $0.holder == most.key }
        let idle = candidates.filter { $0.pendingCount == 0 }
        return end((idle.isEmpty ? candidates : idle).min { $0.lastUsed < $1.lastUsed })
    }

    /// The session that was not used for longest, if that is long enough: clients with a use for it ask again.
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

/// A command of a client that this relay carries out as a proxy. Its answer is for others to give, and comes later.
package struct ProxyRequest: Sendable {
    /// What is asked for.
    package enum Operation: Hashable, Sendable {
        /// PRXY: a session with another relay.
        case session(ServerAddress)
        /// PFWD: to forward a command over the session that is the entity of the request.
        case forward(ForwardedCommand)
    }

    package let connection: ClientID
    package let correlationID: CorrelationID
    package let entityID: EntityID
    package let operation: Operation
}

/// The times and sizes that a relay goes by as a proxy.
package struct ProxyLimits: Sendable {
    /// How many other relays it has sessions with, those included that are being opened.
    package var relays = 1000
    /// How many PRXY and PFWD of one client may wait for an answer before its next commands have to wait.
    package var requestsPerClient = 32
    /// How many commands may wait for the answer of one relay, at 16 KB each.
    package var requestsPerRelay = 256
    /// How many commands may wait for an answer in all.
    package var requests = 4096
    /// How many of these sessions clients at one address (``IPNetwork``) may have caused.
    package var relaysPerAddress = 100
    /// How many sessions with other relays the clients at one address may open in a minute; one connection half of them.
    package var openingsPerMinute = 60
    /// How many connections are made to one address in a minute for relays that were not reached there before.
    package var connectionsPerHost = 10
    /// True if relays at addresses that are not public (``IPAddress/isPublic``) may be connected to.
    package var admitsPrivate = false
    /// When a session with another relay has to stand. A failure is reported exactly then, whenever it came.
    package var openingTime = Duration.seconds(10)
    /// How long to wait for the answer to a forwarded command.
    package var answerDeadline = Duration.seconds(30)
    /// How long a relay that owes answers may say nothing before its session is given up.
    package var silenceDeadline = Duration.seconds(30)
    /// For how long a relay that could not be reached is not tried again: whoever asks gets the same error at once.
    package var failurePause = Duration.seconds(30)
    /// After what time without commands a session may be ended to make room for another.
    package var spareTime = Duration.seconds(60)

    package init() {}
}

extension SessionError {
    /// What a client is told when its proxy meets this error.
    var forProxiedClient: ProtocolError {
        switch self {
        case .refused(let error): .proxy(.relay(error))
        case .timedOut: .proxy(.broker(.timeout))
        case .handshake(let error): .proxy(.broker(.transport(error)))
        case .unexpectedAnswer: .proxy(.broker(.response("BLOCK")))
        case .tooLarge: .proxy(.broker(.transport(.largeMessage)))
        // SECURITY: a client must not learn more of the network around the proxy than that it did not work. A wrong
        // identity, too, may be a name server's mistake, which passes.
        case .connection: .proxy(.broker(.network))
        case .noRoute: .proxy(.broker(.host))
        // A proxy asks nobody in between.
        case .unusableKey, .forwarder: .internal
        }
    }
}
