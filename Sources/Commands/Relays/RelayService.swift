import ChatCore
import Relay
import SMPProtocol
import Synchronization
import SystemIO
import TerminalKit

/// A relay that this process serves on a loop, with its log and its metrics.
final class RelayService {
    private let server: RelayServer
    private let log: ServiceLog
    private let metrics: String?
    /// Why it had to stop.
    private(set) var failure: RelayError?

    /// - Parameters:
    ///   - path: The folder of the relay.
    ///   - metrics: The file for its metrics; nil for none.
    init(_ path: String, on loop: EventLoop, _ log: ServiceLog, metrics: String?) throws {
        server = try RelayServer(try RelayFolder(opening: path), on: loop)
        self.log = log
        self.metrics = metrics
        server.whenFailed = { [weak self] in self?.failure = $0 }
        let version = VersionReport.current.version
        if let metrics { try export(to: metrics, version) }
        let files = server.filePort.map { " and, for files, \($0)" } ?? ""
        log.write(
            .info,
            """
            tacit \(version) listens on port \(server.port)\(files) of \
            \(server.settings.listen?.description ?? "all addresses"), pid \(ProcessEnvironment.processID)
            """)
        server.whenNoticed = { notice in for line in notice.lines { log.write(line.level, line.text) } }
    }

    /// The addresses without the password.
    var addresses: [String] { server.addresses.texts(withPassword: false) }
    var hasPassword: Bool { server.settings.password != nil }

    /// Has the relay write its metrics.
    private func export(to path: String, _ version: String) throws {
        do throws(SystemError) {
            try server.writeMetrics(to: path, version: version) { [log] error in
                log.write(.warning, "cannot write the metrics: \(error.reason)")
            }
        } catch {
            throw Reason.relayMetrics(error, at: path)
        }
    }

    /// Reads the settings again.
    func reload() {
        do throws(RelayError) {
            for line in try server.reload().lines { log.write(line.level, line.text) }
        } catch {
            log.writeUnchanged(Reason(error))
        }
    }

    /// Logs the counters.
    func count() {
        let statistics = server.statistics
        let values =
            statistics.gauges.map { "\($0.name)=\($0.value)" }
            + RelayStatistics.counters.map { "\($0.name)=\(statistics[keyPath: $0.path])" }
        log.write(.info, "counters: " + values.joined(separator: " "), isAnswer: true)
    }

    func stop() {
        server.stop()
        if let metrics { try? Files.remove(metrics) }
    }
}

/// A relay that this process serves beside other work, on a thread of its own.
final class RelayThread: Sendable {
    /// What the thread is to do.
    enum Request: Sendable {
        case reload, count, stop
    }

    private struct State {
        var requests: [Request] = []
        var loop: EventLoop?
        var hasEnded = false
        /// Called when the thread has ended.
        var whenEnded: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    private init() {}

    /// Starts the relay in a folder.
    ///
    /// - Parameters:
    ///   - metrics: The file for its metrics; nil for none.
    ///   - whenFailed: Called on the thread of the relay if it had to stop.
    static func start(
        _ path: String, _ log: ServiceLog, metrics: String?,
        whenFailed: @escaping @Sendable (RelayError) -> Void = { _ in }
    ) async throws -> RelayThread {
        let thread = RelayThread()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            WorkerThread.start {
                do {
                    let loop = try EventLoop()
                    let service = try RelayService(path, on: loop, log, metrics: metrics)
                    thread.state.withLock { $0.loop = loop }
                    continuation.resume()
                    thread.serve(service, on: loop, whenFailed)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        return thread
    }

    private func serve(
        _ service: RelayService, on loop: EventLoop, _ whenFailed: @Sendable (RelayError) -> Void
    ) {
        var isStopped = false
        while !isStopped {
            loop.run { service.failure != nil || state.withLock { !$0.requests.isEmpty } }
            if let failure = service.failure {
                whenFailed(failure)
                isStopped = true
            }
            let requests = state.withLock { state in
                defer { state.requests = [] }
                return state.requests
            }
            for request in requests {
                switch request {
                case .reload: service.reload()
                case .count: service.count()
                case .stop: isStopped = true
                }
            }
        }
        service.stop()
        let whenEnded = state.withLock { state in
            state.hasEnded = true
            return state.whenEnded
        }
        whenEnded?()
    }

    func pass(_ request: Request) {
        let loop = state.withLock { state in
            state.requests.append(request)
            return state.loop
        }
        loop?.post {}
    }

    /// Stops the relay, and waits until it has stopped.
    func stop() async {
        pass(.stop)
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.whenEnded = { continuation.resume() } }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }
}
