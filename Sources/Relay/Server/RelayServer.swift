public import ByteCoding
public import CryptoCore
public import SMPProtocol
import SecureTransport
import Store
public import SystemIO

/// A relay at work: it listens, and serves its connections on the thread of an event loop.
///
/// ```swift
/// let server = try RelayServer(RelayFolder(opening: "/var/lib/relay"), on: loop)
/// loop.run { isInterrupted }
/// server.stop()
/// ```
public final class RelayServer {
    /// Where it listens: the port of the settings, or the one that the system chose for 0.
    public let port: UInt16
    /// Called when the relay has had to stop: its file can neither be written nor opened again.
    public var whenFailed: ((RelayError) -> Void)?

    let loop: EventLoop
    let context: TLSContext
    let random: any RandomSource
    let limits: RelayLimits
    private(set) var core: RelayCore
    private let folder: RelayFolder
    private let clock: () -> Timestamp
    private var listener: Listener?
    private var sessions: [ConnectionID: ClientSession] = [:]
    private var lastConnection: UInt64 = 0
    private let connectionLimit: Int
    private var proxy: Proxy?
    private var willEndTurn = false
    private var notificationTimer: Timer?
    private var housekeepingTimer: Timer?
    private var activityTimer: Timer?
    private var counts = RelayStatistics()
    private var activity: RelayActivity

    /// The time between two steps of a walk through all queues.
    private static let stepInterval = Duration.milliseconds(50)
    /// Descriptors that are not for connections: the database, the listener, the loop, standard streams.
    private static let otherDescriptors = 64

    /// Opens the database and starts to listen.
    ///
    /// - Parameters:
    ///   - folder: Stays locked as long as the server lives.
    ///   - clock: The time that messages get.
    public convenience init(
        _ folder: RelayFolder, on loop: EventLoop,
        clock: @escaping () -> Timestamp = { Timestamp(milliseconds: SystemClock.milliseconds()) },
        random: any RandomSource = SystemRandom()
    ) throws(RelayError) {
        try self.init(folder, on: loop, limits: RelayLimits(folder.settings), clock: clock, random: random)
    }

    package init(
        _ folder: RelayFolder, on loop: EventLoop, limits: RelayLimits, clock: @escaping () -> Timestamp,
        random: any RandomSource
    ) throws(RelayError) {
        self.folder = folder
        self.limits = limits
        self.loop = loop
        self.clock = clock
        self.random = random
        do throws(CryptoError) {
            context = try TLSContext(serverWith: folder.certificates)
        } catch {
            throw .cryptography
        }
        let descriptors = DescriptorLimit.raise() - RelayServer.otherDescriptors
        var proxyLimits = limits.proxy
        proxyLimits.relays = folder.settings.isProxy ? min(proxyLimits.relays, descriptors / 4) : 0
        connectionLimit = min(folder.settings.connectionLimit, descriptors - proxyLimits.relays)
        core = try folder.openCore(limits, clock: clock, random: random)
        let accepted = Accepted()
        do throws(ConnectionError) {
            let listener = try Listener(
                host: folder.settings.listen?.description, port: folder.settings.port, loop: loop
            ) { accepted.handler?($0) }
            self.listener = listener
            port = listener.port
        } catch {
            throw .listening(error)
        }
        activity = RelayActivity(
            started: clock(), port: port,
            earlier: RelayActivity(contentsOf: folder.activityPath)?.total ?? RelayStatistics())
        accepted.handler = { [unowned self] in accept($0) }
        proxy = Proxy(limits: proxyLimits, loop: loop, random: random) { [unowned self] request, message in
            core.answer(request, with: message)
            needsTurnEnd()
        }
        keepHouse()
        writeActivity()
    }

    /// Forwards accepted sockets to a server whose initialiser has ended.
    private final class Accepted {
        var handler: ((Int32) -> Void)?
    }

    /// The address under which clients reach it.
    public var address: ServerAddress {
        folder.settings.address(port: port, fingerprint: certificates.fingerprint)
    }

    public var statistics: RelayStatistics {
        var statistics = core.statistics
        statistics.connections = sessions.count
        statistics.proxiedRelays = proxy?.sessionCount ?? 0
        statistics.acceptedConnections = counts.acceptedConnections
        statistics.refusedConnections = counts.refusedConnections
        statistics.failedHandshakes = counts.failedHandshakes
        statistics.delays = counts.delays
        statistics.failedTurns = counts.failedTurns
        return statistics
    }

    /// Ends the current turn, closes all connections and does not listen any more. What was stored stays.
    public func stop() {
        listener = nil
        proxy?.close()
        proxy = nil
        if willEndTurn { endTurn() }
        notificationTimer?.cancel()
        housekeepingTimer?.cancel()
        activityTimer?.cancel()
        closeAll()
        recordActivity(isLast: true)
    }

    var certificates: RelayCertificates { folder.certificates }

    // MARK: - Connections

    private func accept(_ number: Int32) {
        let socket = FileDescriptor(owning: number)
        guard sessions.count < connectionLimit else {
            counts.refusedConnections += 1
            return
        }
        counts.acceptedConnections += 1
        lastConnection += 1
        let id = ConnectionID(lastConnection)
        // A connection that ends while it begins is none.
        sessions[id] = try? ClientSession(id, socket, of: self)
    }

    func sessionHasEnded(_ session: ClientSession, wasOpen: Bool) {
        if !wasOpen { counts.failedHandshakes += 1 }
        sessions[session.id] = nil
        core.disconnect(session.id)
    }

    /// A client has sent more than it may.
    func noteDelay() {
        counts.delays += 1
    }

    private func closeAll() {
        let all = sessions
        sessions = [:]
        for (id, session) in all {
            session.close()
            core.disconnect(id)
        }
    }

    // MARK: - Turns

    /// Ends the turn when everything that is ready now has been handled: commits what it wrote, then tells the clients.
    func needsTurnEnd() {
        guard !willEndTurn else { return }
        willEndTurn = true
        loop.atEndOfTurn { [weak self] in self?.endTurn() }
    }

    private func endTurn() {
        guard willEndTurn else { return }
        willEndTurn = false
        do {
            for (connection, told) in try core.endTurn() {
                sessions[connection]?.send(told)
            }
        } catch {
            return startAnew()
        }
        for request in core.takeProxyRequests() { proxy?.carryOut(request) }
        core.tidyUp()
        if core.owesNotifications, notificationTimer == nil {
            notificationTimer = loop.after(limits.notificationInterval) { [weak self] in
                self?.deliverNotifications()
            }
        }
    }

    /// After a turn whose writes were lost, only the file knows what is true: no client may keep an idea of anything
    /// later, so that all connections are closed.
    private func startAnew() {
        counts.failedTurns += 1
        closeAll()
        let statistics = core.statistics
        do throws(RelayError) {
            core = try folder.openCore(limits, clock: clock, random: random)
            core.statistics = statistics
        } catch {
            stop()
            whenFailed?(error)
        }
    }

    // MARK: - Now and then

    private func deliverNotifications() {
        notificationTimer = nil
        core.deliverNotifications()
        needsTurnEnd()
    }

    private func keepHouse() {
        for session in sessions.values where session.isOpen && !core.hasSubscriptions(session.id) {
            guard ContinuousClock.now - session.lastActive > limits.idleLimit else { continue }
            session.close()
            sessionHasEnded(session, wasOpen: true)
        }
        if let walk = core.beginExpiry() { expire(walk) }
        needsTurnEnd()
        housekeepingTimer = loop.after(limits.housekeepingInterval) { [weak self] in self?.keepHouse() }
    }

    private func writeActivity() {
        recordActivity(isLast: false)
        activityTimer = loop.after(limits.statisticsInterval) { [weak self] in self?.writeActivity() }
    }

    private func recordActivity(isLast: Bool) {
        activity.written = clock()
        activity.current = statistics
        activity.write(to: folder.activityPath, isLast: isLast)
    }

    private func expire(_ walk: ExpiryWalk) {
        var walk = walk
        let hasMore = core.expire(&walk)
        needsTurnEnd()
        guard hasMore, listener != nil else { return }
        loop.after(RelayServer.stepInterval) { [weak self] in self?.expire(walk) }
    }
}
