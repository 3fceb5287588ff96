import ChatCore
import CommandKit
import Relay
import SMPProtocol
import SystemIO
import TerminalKit

/// `tacit relay start`
enum RelayStartCommand {
    static let metrics = Option<String?>(
        "metrics", "Write Prometheus metrics to this file every 15 s", .path(), defaultText: "none")

    static let leaf: Leaf = .init(
        Command(
            "relay start", "Run a relay in the foreground",
            promise: "the relay stopped cleanly", store: .none, positionals: [RelayCommand.folder],
            options: [metrics],
            examples: [
                Example("tacit relay start /srv/relay", "Run a relay until Ctrl-C"),
                Example(
                    "tacit relay start /srv/relay --metrics /srv/relay.prom",
                    "Write metrics for the Prometheus node exporter"),
            ], exits: [66, 69, 71, 73, 74, 75, 78, 79],
            reports: RelayReport.forms,
            discussion: """
                Prints the address of the relay without its password when it accepts connections, and logs to standard error. \
                'tacit relay address --with-password' prints the address with the password. Accepted data is on disk, so \
                killing the process loses nothing. The relay notifies a service manager of ready, reload and stop \
                (NOTIFY_SOCKET, Type=notify in a systemd unit). SIGHUP reloads relay.conf, and SIGUSR1 logs the counters.

                relay.conf sets the limits: connections and new queues per address range, messages per queue, total queues and \
                messages, database size, and free disk space ('reserve_megabytes'). At a limit of the store or the disk, new \
                queues and messages are refused with a temporary error and a warning is logged; stored messages can still be \
                received and deleted. A client with more than 80 unread blocks of 16 KB is disconnected. A client with 256 \
                unacknowledged messages of GET receives no more of them.

                Messages expire after 'message_days'. If the clock jumps by more than a day, or the relay was off for longer, \
                messages expire by the running time of the relay. This ends when the clock is back or a third of \
                'message_days' has passed.

                Messages are forwarded to other relays unless 'proxy' is off. Relays at non-public addresses are refused \
                unless 'proxy_private' is on.

                tacit-relay(8) describes all settings, the log, metrics and upgrades.
                """),
        purpose: { "start the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        // A signal that comes before the relay is ready waits for it.
        SignalWatch.hold([OtherSignal.reload, OtherSignal.count])
        let loop = try EventLoop()
        _ = DescriptorLimit.raise()
        let folder = try RelayFolder(opening: invocation[RelayCommand.folder])
        let server = try RelayServer(folder, on: loop)
        let log = ServiceLog(invocation), started = ContinuousClock.now
        var failure: RelayError?
        server.whenFailed = { failure = $0 }
        let version = VersionReport.current.version, settings = server.settings
        if let path = invocation[metrics] { try export(to: path, version, of: server, log) }
        let files = server.filePort.map { " and, for files, \($0)" } ?? ""
        log.write(
            .info,
            """
            tacit \(version) listens on port \(server.port)\(files) of \(settings.listen?.description ?? "all addresses"), \
            pid \(ProcessEnvironment.processID)
            """)
        server.whenNoticed = { notice in for line in notice.lines { log.write(line.level, line.text) } }
        var ending: Int32?
        let ends = try SignalWatch(EndingSignal.heeded.filter { $0 != OtherSignal.reload }, on: loop) { ending = $0 }
        let others = try SignalWatch(OtherSignal.heeded, on: loop) { number in
            if number == OtherSignal.reload { reload(server, log, invocation) } else { count(server, log) }
        }
        try invocation.print(
            RelayReport(addresses: server.addresses.texts(withPassword: false), state: "listening"))
        if settings.password != nil {
            // SECURITY: standard output is the journal under a service manager.
            let folder = ShellWord.quoted(invocation[RelayCommand.folder])
            log.write(
                .info,
                "the address is printed without the password; 'tacit relay address --with-password \(folder)' prints both"
            )
        }
        tell(.ready, invocation)
        loop.run { ending != nil || failure != nil }
        tell(.stopping, invocation)
        server.stop()
        if let path = invocation[metrics] { try? Files.remove(path) }
        _ = consume ends
        _ = consume others
        if let failure { throw failure }
        let time = Int((ContinuousClock.now - started) / .seconds(1))
        log.write(.info, "stopped by \(EndingSignal.name(of: ending ?? 0)) after \(time) s")
        return .ok
    }

    /// Has the relay write its metrics.
    private static func export(to path: String, _ version: String, of server: RelayServer, _ log: ServiceLog) throws {
        do throws(SystemError) {
            try server.writeMetrics(to: path, version: version) { error in
                log.write(.warning, "cannot write the metrics: \(error.reason)")
            }
        } catch {
            throw Reason.relayMetrics(error, at: path)
        }
    }

    /// SIGHUP.
    private static func reload(_ server: RelayServer, _ log: ServiceLog, _ invocation: Invocation) {
        tell(.reloading, invocation)
        log.reopen()
        do throws(RelayError) {
            for line in try server.reload().lines { log.write(line.level, line.text) }
        } catch {
            let reason = Reason(error)
            let text = ([reason.text] + reason.why).joined(separator: ": ")
            log.write(.error, "the settings are unchanged: \(text)")
        }
        tell(.ready, invocation)
    }

    /// SIGUSR1.
    private static func count(_ server: RelayServer, _ log: ServiceLog) {
        let statistics = server.statistics
        let values =
            statistics.gauges.map { "\($0.name)=\($0.value)" }
            + RelayStatistics.counters.map { "\($0.name)=\(statistics[keyPath: $0.path])" }
        log.write(.info, "counters: " + values.joined(separator: " "), isAnswer: true)
    }

    /// A relay works without a service manager, and with one that does not listen.
    private static func tell(_ state: ServiceNotification.State, _ invocation: Invocation) {
        do throws(SystemError) {
            try ServiceNotification.send(state, environment: invocation.environment)
        } catch {
            invocation.warn(error.description)
        }
    }
}
