public import ByteCoding
public import CryptoCore
public import SMPProtocol
import SecureTransport
import Store
public import SystemIO

/// A running relay, which listens and serves its connections on the thread of an event loop.
///
/// ```swift
/// let server = try RelayServer(RelayFolder(opening: "/var/lib/relay"), on: loop)
/// loop.run { isInterrupted }
/// server.stop()
/// ```
public final class RelayServer {
    /// The port: that of the settings, or the one that the system chose for 0.
    public let port: UInt16
    /// The port for files, or nil if the relay serves none.
    public let filePort: UInt16?
    /// Called when the relay had to stop because its file can neither be written nor opened again.
    public var whenFailed: ((RelayError) -> Void)?
    /// Called with each notice for the operator.
    public var whenNoticed: ((RelayNotice) -> Void)? {
        // The clock is checked before the relay listens.
        didSet { if doubtsClock { whenNoticed?(.doubtsClock) } }
    }

    let loop: EventLoop
    let context: TLSContext
    let random: any RandomSource
    private(set) var limits: RelayLimits
    private(set) var core: RelayCore
    private let folder: RelayFolder
    private let clock: () -> Timestamp
    private var listener: Listener?
    private var fileListener: Listener?
    private var files: FileServer?
    private var newFiles: RateTable<IPRange>
    private var sessions: [ClientID: ClientSession] = [:]
    private var lastConnection: UInt64 = 0
    private var admission: Admission
    private var proxy: Proxy?
    private let resolver: NameResolver
    /// The state of the list of blocked queues when it was read.
    private var blockedStatus: FileStatus?
    private var willEndTurn = false
    /// True if the last notice about disk space was ``RelayNotice/isShortOfSpace(free:reserve:)``.
    private var isShortOfSpace = false
    /// The limits of the store reported as reached.
    private var fullLimits: Set<StoreLimit> = []
    private var incidents = RelayIncidents()
    private var incidentTimer: Timer?
    private var lastIncidents: ContinuousClock.Instant?
    private var lookTimer: Timer?
    private var metricsTimer: Timer?
    private var newQueues: RateTable<IPRange>
    /// The number of descriptors for connections and sessions with other relays.
    private let descriptors: Int
    /// The number of pages at which the disk was full, and the end of that limit.
    private var fullAt: (pages: Int, until: ContinuousClock.Instant)?
    private var notificationTimer: Timer?
    private var housekeepingTimer: Timer?
    private var activityTimer: Timer?
    private var counts = RelayStatistics()
    private var activity: RelayActivity
    private let expiryClock: ExpiryClock
    private var doubtsClock = false
    /// True if the last activity record could not be written.
    private var cannotRecord = false

    /// The time between two steps of expiry.
    private static let stepInterval = Duration.milliseconds(50)
    /// The descriptors besides connections: the database, the listener, the loop, standard streams.
    private static let otherDescriptors = 64

    /// Opens the database and starts to listen.
    ///
    /// - Parameters:
    ///   - folder: The folder, locked during the life of the server.
    ///   - clock: The clock of messages.
    /// - Throws: ``RelayError``.
    public convenience init(
        _ folder: RelayFolder, on loop: EventLoop,
        clock: @escaping () -> Timestamp = { Timestamp(milliseconds: SystemClock.milliseconds()) },
        random: any RandomSource = SystemRandom()
    ) throws(RelayError) {
        try self.init(folder, on: loop, limits: RelayLimits(folder.settings), clock: clock, random: random)
    }

    /// Opens the database and starts to listen with other limits, for tests.
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
            context = try TLSContext(serverWith: folder.certificates, requestsCertificates: true)
        } catch {
            throw .cryptography
        }
        descriptors = DescriptorLimit.raise() - RelayServer.otherDescriptors
        let proxyLimits = RelayServer.proxyLimits(limits, folder.settings, descriptors)
        admission = Admission(
            limit: min(folder.settings.connectionLimit, descriptors - proxyLimits.relays),
            limitPerAddress: limits.connectionsPerAddress, limitPerRange: limits.connectionsPerRange)
        resolver = NameResolver(folder.settings.resolver, loop: loop)
        blockedStatus = try? Files.status(folder.blockedPath)
        newQueues = RateTable(limits.queuesPerHour, per: .seconds(3600))
        newFiles = RateTable(limits.filesPerHour, per: .seconds(3600))
        let earlier: RelayActivity?
        do throws(SystemError) {
            earlier = try RelayActivity.read(folder.activityPath)
        } catch {
            throw .system(error)
        }
        let expiryClock = ExpiryClock(
            lifetime: .seconds(folder.settings.messageDays * 86_400),
            earlier: earlier.map { $0.expiry ?? ExpiryClock.State(time: $0.written) }, wallClock: clock,
            steadyClock: limits.steadyClock)
        self.expiryClock = expiryClock
        core = try folder.openCore(
            folder.rules(limits), clock: clock, expiryClock: expiryClock.now, random: random)
        files =
            folder.settings.filePort == nil
            ? nil : try FileServer(folder, on: loop, limits: limits, clock: expiryClock.now, random: random)
        let accepted = Accepted(), acceptedForFiles = Accepted()
        do throws(ConnectionError) {
            let listener = try Listener(
                host: folder.settings.listen?.description, port: folder.settings.port, loop: loop
            ) { accepted.handler?($0) }
            self.listener = listener
            port = listener.port
            fileListener = try folder.settings.filePort.map { port throws(ConnectionError) in
                try Listener(host: folder.settings.listen?.description, port: port, loop: loop) {
                    acceptedForFiles.handler?($0)
                }
            }
            filePort = fileListener?.port
        } catch {
            throw .listening(error)
        }
        activity = RelayActivity(
            started: clock(), port: port,
            earlier: earlier?.total ?? RelayStatistics())
        activity.filePort = filePort
        accepted.handler = { [unowned self] in
            accept($0) { id, socket in
                guard let session = try? ClientSession(id, socket, of: self) else { return false }
                sessions[id] = session
                return true
            }
        }
        acceptedForFiles.handler = { [unowned self] in accept($0) { files?.serve($0, $1) ?? false } }
        beginFiles()
        proxy = Proxy(
            limits: proxyLimits, loop: loop, random: random, network: { [unowned self] in admission.network(of: $0) },
            notePrivate: { [unowned self] id in
                counts.refusedPrivateRelays += 1
                if let range = admission.range(of: id) { note(.privateRelays, from: range) }
            }
        ) { [unowned self] request, message in
            core.answer(request, with: message)
            needsTurnEnd()
        }
        core.apply(rules())
        keepHouse()
        writeActivity()
        lookTimer = loop.after(limits.lookInterval) { [weak self] in self?.look() }
    }

    /// Returns the limits of the proxy within the available descriptors.
    private static func proxyLimits(
        _ limits: RelayLimits, _ settings: RelaySettings, _ descriptors: Int
    ) -> ProxyLimits {
        var proxy = limits.proxy
        proxy.relays = settings.isProxy ? min(proxy.relays, descriptors / 4) : 0
        return proxy
    }

    /// Returns the rules of the core.
    private func rules() -> RelayRules {
        var rules = folder.rules(limits)
        rules.mayMakeQueue = { [unowned self] id in
            guard let range = admission.range(of: id) else { return true }
            if newQueues.take(range, at: .now) { return true }
            note(.limitedQueues, from: range)
            return false
        }
        return rules
    }

    // MARK: - Settings

    /// Reloads the settings and applies those without a restart. Connections, queues and messages stay.
    ///
    /// - Throws: ``RelayError`` if the settings are invalid; the former ones stay in effect.
    public func reload() throws(RelayError) -> RelayReload {
        let (wanted, fingerprint) = try RelayFolder.settings(in: folder.path)
        guard fingerprint == certificates.fingerprint else { throw .fingerprint }
        try readBlocked()
        let old = folder.settings
        var new = wanted
        (new.port, new.listen, new.durability) = (old.port, old.listen, old.durability)
        new.filePort = old.filePort
        folder.settings = new
        limits.apply(new)
        let proxyLimits = RelayServer.proxyLimits(limits, new, descriptors)
        proxy?.apply(proxyLimits)
        // Permission to forward is checked with each request for a session: existing ones end with the permission.
        if !new.isProxy || (old.proxyPrivate && !new.proxyPrivate) || old.password != new.password
            || proxyLimits.relays < (proxy?.sessionCount ?? 0)
        {
            proxy?.close()
        }
        admission.limit = min(new.connectionLimit, descriptors - proxyLimits.relays)
        admission.limitPerAddress = limits.connectionsPerAddress
        admission.limitPerRange = limits.connectionsPerRange
        if new.queuesPerHour != old.queuesPerHour {
            newQueues = RateTable(limits.queuesPerHour, per: .seconds(3600))
        }
        expiryClock.setLifetime(.seconds(new.messageDays * 86_400))
        if new.filesPerHour != old.filesPerHour {
            newFiles = RateTable(limits.filesPerHour, per: .seconds(3600))
        }
        files?.limits = limits
        resolver.source = new.resolver
        files?.core.rules = folder.fileRules(limits)
        files?.core.store.reserve = limits.reserve
        core.apply(rules())
        lookAtStore()
        return RelayReload(from: old, to: wanted)
    }

    private func readBlocked() throws(RelayError) {
        blockedStatus = try? Files.status(folder.blockedPath)
        folder.blocked = try RelayFolder.blocked(in: folder.path)
    }

    /// Applies the list of blocked queues if it was changed. A list that cannot be read leaves the former one in effect.
    private func lookAtBlocked() {
        guard blockedStatus != (try? Files.status(folder.blockedPath)) else { return }
        do throws(RelayError) {
            try readBlocked()
        } catch {
            whenNoticed?(.unreadableBlocked(error))
            return
        }
        files?.core.rules = folder.fileRules(limits)
        core.apply(rules())
    }

    /// The settings in effect.
    public var settings: RelaySettings { folder.settings }

    /// A forwarder of accepted sockets to a server whose initializer has ended.
    private final class Accepted {
        var handler: ((Int32) -> Void)?
    }

    /// The address for messages.
    public var address: ServerAddress { addresses.address }

    /// The addresses for clients.
    public var addresses: RelayAddresses {
        RelayAddresses(folder.settings, port: port, filePort: filePort, fingerprint: certificates.fingerprint)
    }

    /// The counters of this run.
    public var statistics: RelayStatistics {
        var statistics = core.statistics
        if let files { statistics.add(files.core.statistics) }
        statistics.connections = sessions.count + (files?.sessionCount ?? 0)
        statistics.proxiedRelays = proxy?.sessionCount ?? 0
        statistics.acceptedConnections = counts.acceptedConnections
        statistics.refusedConnections = counts.refusedConnections
        statistics.replacedConnections = counts.replacedConnections
        statistics.failedHandshakes = counts.failedHandshakes
        statistics.blockedConnections = counts.blockedConnections
        statistics.delays = counts.delays
        statistics.refusedPrivateRelays = counts.refusedPrivateRelays
        statistics.failedTurns = counts.failedTurns
        return statistics
    }

    /// The bytes that files use, those of unfinished uploads included; nil for a relay without files.
    package var fileSpace: Int? { files?.core.store.usedBytes }

    /// Ends the current turn, closes all connections and stops listening. Stored data stay.
    public func stop() {
        listener = nil
        fileListener = nil
        files?.stop()
        proxy?.close()
        proxy = nil
        resolver.close()
        if willEndTurn { endTurn() }
        notificationTimer?.cancel()
        housekeepingTimer?.cancel()
        activityTimer?.cancel()
        lookTimer?.cancel()
        metricsTimer?.cancel()
        closeAll()
        reportIncidents()
        recordActivity(isLast: true)
    }

    var certificates: RelayCertificates { folder.certificates }

    // MARK: - Connections

    private func accept(_ number: Int32, _ serve: (ClientID, consuming FileDescriptor) -> Bool) {
        let socket = FileDescriptor(owning: number)
        // A connection that ends during its setup is not counted.
        guard let address = IPAddress(ofPeer: number) else { return }
        guard !folder.settings.blocked.contains(where: { $0.contains(address) }) else {
            counts.blockedConnections += 1
            return note(.blockedConnections, from: address.networkRange)
        }
        lastConnection += 1
        let id = ClientID(lastConnection)
        let decision = admission.admit(id, from: address)
        if let reached = admission.reached {
            note(.limitedConnections, from: reached == .range ? address.range : address.networkRange)
        }
        switch decision {
        case .refused:
            counts.refusedConnections += 1
            return
        case .replaced(let oldest):
            counts.replacedConnections += 1
            if let session = sessions[oldest] {
                session.close()
                sessionHasEnded(session, wasOpen: false)
            } else {
                files?.close(oldest)
            }
        case .accepted: break
        }
        counts.acceptedConnections += 1
        if !serve(id, socket) { admission.end(id) }
    }

    /// Connects the file relay with the admission and the counters of this server.
    private func beginFiles() {
        files?.whenOpen = { [unowned self] in admission.finish($0) }
        files?.whenEnded = { [unowned self] id, wasOpen in
            if !wasOpen { noteFailedHandshake() }
            admission.end(id)
        }
        files?.whenDelayed = { [unowned self] in noteDelay() }
        files?.mayCreateInHour = { [unowned self] id in
            guard let range = admission.range(of: id) else { return true }
            if newFiles.take(range, at: .now) { return true }
            note(.limitedFiles, from: range)
            return false
        }
        files?.source = { [unowned self] id in
            guard let network = admission.network(of: id), let range = admission.range(of: id) else { return nil }
            return UploadPlaces.Source(network: network, range: range)
        }
        files?.whenUploadsLimited = { [unowned self] id in
            if let range = admission.range(of: id) { note(.limitedUploads, from: range) }
        }
        files?.whenSpaceLimited = { [unowned self] id in
            if let range = admission.range(of: id) { note(.limitedSpace, from: range) }
        }
    }

    /// Adds a connection after its hellos.
    func sessionIsOpen(_ session: ClientSession) {
        admission.finish(session.id)
    }

    func sessionHasEnded(_ session: ClientSession, wasOpen: Bool) {
        if !wasOpen { noteFailedHandshake() }
        sessions[session.id] = nil
        admission.end(session.id)
        core.disconnect(session.id)
    }

    private func noteFailedHandshake() {
        counts.failedHandshakes += 1
        incidents.failedHandshakes += 1
        noteIncidents()
    }

    /// Counts a delay of a client that exceeded its rate.
    func noteDelay() {
        counts.delays += 1
        incidents.delays += 1
        noteIncidents()
    }

    private func closeAll() {
        let all = sessions
        sessions = [:]
        for (id, session) in all {
            session.close()
            admission.end(id)
            core.disconnect(id)
        }
    }

    // MARK: - Turns

    /// Schedules the end of the turn after all ready events: commits its writes, then sends to the clients.
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
            return startAnew(after: error)
        }
        if core.isShortOfSpace, !isShortOfSpace { lookAtStore() }
        for request in core.takeProxyRequests() { proxy?.carryOut(request) }
        for request in core.takeNameRequests() {
            resolver.resolve(request.domain) { [weak self] result in
                self?.core.answer(request, with: result)
                self?.needsTurnEnd()
            }
        }
        do { try core.tidyUp() } catch { return startAnew(after: error) }
        if core.owesNotifications, notificationTimer == nil {
            notificationTimer = loop.after(limits.notificationInterval) { [weak self] in
                self?.deliverNotifications()
            }
        }
    }

    /// Restarts after a turn whose writes were lost. Only the file is valid then, so all connections are closed.
    ///
    /// If the disk was full, the size of the database counts as its limit for an hour. New clients then cannot fill the
    /// disk again, and stored messages can be received.
    private func startAnew(after error: any Error) {
        let isFull = (error as? StoreError)?.code == .diskFull
        if isFull { whenNoticed?(.lostTurn) }
        counts.failedTurns += 1
        closeAll()
        let statistics = core.statistics
        do {
            if isFull { fullAt = (try core.pageCount(), .now + limits.fullPause) }
            var rules = rules()
            rules.fullAt = fullAt?.pages
            core = try folder.openCore(rules, clock: clock, expiryClock: expiryClock.now, random: random)
            core.statistics = statistics
        } catch {
            stop()
            whenFailed?(error as? RelayError ?? .store(error as? StoreError ?? StoreError(.misuse)))
        }
    }

    // MARK: - Notices

    private func look() {
        lookAtStore()
        lookAtBlocked()
        files?.look()
        needsTurnEnd()
        lookTimer = loop.after(limits.lookInterval) { [weak self] in self?.look() }
    }

    /// Reports that the disk or the store is full, and when there is space with a margin again.
    private func lookAtStore() {
        let hasSpareSpace = core.lookAtSpace()
        if core.isShortOfSpace, !isShortOfSpace {
            isShortOfSpace = true
            whenNoticed?(.isShortOfSpace(free: freeSpace, reserve: limits.reserve))
        } else if isShortOfSpace, hasSpareSpace {
            isShortOfSpace = false
            whenNoticed?(.hasSpace(free: freeSpace))
        }
        let full = core.reachedLimits(), nearlyFull = core.reachedLimits(0.99)
        for limit in StoreLimit.allCases {
            if full.contains(limit), fullLimits.insert(limit).inserted { whenNoticed?(.isFull(limit)) }
            if !nearlyFull.contains(limit), fullLimits.remove(limit) != nil { whenNoticed?(.hasRoom(limit)) }
        }
    }

    /// The free bytes of the disk; 0 if unknown.
    private var freeSpace: Int { limits.freeSpace?() ?? (try? Files.freeSpace(at: folder.path)) ?? 0 }

    private func note(_ kind: RelayIncidents.Kind, from range: IPRange) {
        incidents.add(kind, from: folder.settings.logsAddresses ? range : nil)
        noteIncidents()
    }

    /// Schedules a report of incidents: soon for the first ones, at intervals for later ones.
    private func noteIncidents() {
        guard incidentTimer == nil, listener != nil else { return }
        let isRecent = lastIncidents.map { .now - $0 < limits.incidentInterval } ?? false
        let interval = isRecent ? limits.incidentInterval : limits.firstIncidentInterval
        incidentTimer = loop.after(interval) { [weak self] in self?.reportIncidents() }
    }

    private func reportIncidents() {
        incidentTimer?.cancel()
        incidentTimer = nil
        guard !incidents.isEmpty else { return }
        lastIncidents = .now
        whenNoticed?(.incidents(incidents))
        incidents = RelayIncidents()
    }

    // MARK: - Metrics

    /// Writes the metrics of this relay into a file, which every user may read, now and every 15 s (``RelayMetrics``).
    /// The file is replaced atomically.
    ///
    /// - Parameters:
    ///   - version: The version of the program.
    ///   - whenFailed: Called with the error of a later write, once until the file can be written again.
    /// - Throws: ``SystemError`` if the file cannot be written now.
    public func writeMetrics(
        to path: String, version: String, whenFailed: @escaping (SystemError) -> Void
    ) throws(SystemError) {
        try writeMetrics(path, version)
        metricsTimer?.cancel()
        scheduleMetrics(path, version, hasFailed: false, whenFailed)
    }

    private func scheduleMetrics(
        _ path: String, _ version: String, hasFailed: Bool, _ whenFailed: @escaping (SystemError) -> Void
    ) {
        metricsTimer = loop.after(limits.metricsInterval) { [weak self] in
            guard let self else { return }
            var isFailing = false
            do throws(SystemError) {
                try writeMetrics(path, version)
            } catch {
                isFailing = true
                if !hasFailed { whenFailed(error) }
            }
            scheduleMetrics(path, version, hasFailed: isFailing, whenFailed)
        }
    }

    private func writeMetrics(_ path: String, _ version: String) throws(SystemError) {
        let metrics = metrics(version)
        needsTurnEnd()
        try Files.replace(path, Bytes(metrics.text.utf8), durably: false, isPublic: true)
    }

    private func metrics(_ version: String) -> RelayMetrics {
        let reached = core.reachedLimits(), settings = folder.settings
        func value(_ limit: StoreLimit) -> Int {
            switch limit {
            case .queues: settings.queueLimit
            case .messages: settings.messageLimit
            case .size: settings.storeMegabytes << 20
            }
        }
        return RelayMetrics(
            version: version, started: activity.started, statistics: statistics, queues: core.contents.queues,
            messages: core.contents.messages, size: core.usedSize,
            files: (files?.core.store.count ?? 0, files?.core.store.usedBytes ?? 0, settings.fileMegabytes << 20),
            free: freeSpace, reserve: limits.reserve,
            isShortOfSpace: isShortOfSpace,
            limits: StoreLimit.allCases.map { ($0, value($0), reached.contains($0)) })
    }

    // MARK: - Periodic work

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
        files?.closeIdle()
        files?.expire()
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
        _ = expiryClock.now()
        activity.expiry = expiryClock.state
        if expiryClock.isDoubted != doubtsClock {
            doubtsClock = expiryClock.isDoubted
            whenNoticed?(doubtsClock ? .doubtsClock : .trustsClock)
        }
        activity.current = statistics
        do throws(SystemError) {
            try activity.write(to: folder.activityPath, isLast: isLast)
            cannotRecord = false
        } catch {
            if !cannotRecord { whenNoticed?(.cannotRecord(error)) }
            cannotRecord = true
        }
    }

    private func expire(_ walk: ExpiryWalk) {
        var walk = walk
        let hasMore = core.expire(&walk)
        needsTurnEnd()
        guard hasMore, listener != nil else { return }
        loop.after(RelayServer.stepInterval) { [weak self] in self?.expire(walk) }
    }
}
