import ByteCoding
import ChatCore
import CommandKit
import Host
import Relay
import Synchronization
import SystemIO
import TerminalKit

/// `tacit channel-relay start`
enum ChannelRelayStartCommand {
    static let metrics = Option<String?>(
        "metrics", "Write Prometheus metrics to this file every 15 s", .path(), defaultText: "none")
    static let relayMetrics = Option<String?>(
        "relay-metrics", "The same for the message relay in the folder", .path(), defaultText: "none")

    static let leaf: Leaf = .init(
        Command(
            "channel-relay start", "Run a chat relay in the foreground", promise: "the chat relay stopped cleanly",
            store: .none, positionals: [ChannelRelayCommand.folder], options: [metrics, relayMetrics],
            examples: [
                Example("tacit channel-relay start /srv/relay", "Run a chat relay until Ctrl-C"),
                Example(
                    "tacit channel-relay start /srv/relay --metrics /srv/channels.prom",
                    "Write metrics for the Prometheus node exporter"),
            ],
            exits: [65, 66, 67, 68, 69, 71, 73, 75, 76, 77, 78, 79], reports: ChatRelayReport.forms,
            discussion: """
                Prints the address of the chat relay when it serves, and logs to standard error. If the folder has a message \
                relay too, the process serves both, unless another process serves the message relay. Accepted messages are on disk until \
                their recipients' relays have them: killing the process loses none and repeats none.

                The chat relay notifies a service manager of ready, reload and stop (NOTIFY_SOCKET, Type=notify in a systemd \
                unit). SIGHUP reloads the settings, and SIGUSR1 logs the counters. tacit-channel-relay(8) describes settings, \
                log and metrics.
                """),
        isAlone: true,
        purpose: { "start the chat relay in \(UntrustedText($0[ChannelRelayCommand.folder]).quoted)" },
        run: { try ChannelRelayService($0).run() })
}

/// A process that serves a chat relay, and the message relay in its folder.
private final class ChannelRelayService: Sendable {
    private struct State {
        var settings: ChannelRelaySettings
        /// The message relay; nil if there is none, or if another process serves it.
        var relay: RelayThread?
        var hasStarted = false
        /// Why the message relay had to stop.
        var failure: RelayError?
        /// What was done before the last reload.
        var earlier = ChatRelayActivity()
        /// What had been done when refusals were summed up last.
        var counted = ChatRelayActivity()
    }

    private let invocation: Invocation
    private let folder: String
    private let log: ServiceLog
    private let began = Timestamp(milliseconds: SystemClock.milliseconds())
    private let state: Mutex<State>

    /// The time between two metrics.
    private static let interval = Duration.seconds(15)
    /// The time between two lines about refusals.
    private static let summaryInterval = Duration.seconds(60)

    init(_ invocation: Invocation) throws {
        folder = invocation[ChannelRelayCommand.folder]
        self.invocation = invocation
        log = ServiceLog(invocation)
        state = Mutex(State(settings: try ChannelRelaySettings(in: folder)))
    }

    func run() throws -> ExitCode {
        // A signal that comes before the relay is ready waits for it.
        SignalWatch.hold([OtherSignal.reload, OtherSignal.count])
        _ = DescriptorLimit.raise()
        let opening = try StoreOpener(invocation.moved(to: folder), isWriting: true).open()
        while true {
            let access = StoreOpener(
                invocation.moved(to: folder), isWriting: true, isService: true, onEvent: { [self] in note($0) })
            let request = try access.run(on: opening) { [self] session in try await serve(session) }
            if let failure = state.withLock({ $0.failure }) { throw failure }
            guard request == .reload else { break }
            log.reopen()
            do {
                let settings = try ChannelRelaySettings(in: folder)
                state.withLock { $0.settings = settings }
                log.write(.info, "channel-relay.conf read again")
            } catch let error as Reason {
                log.writeUnchanged(error)
            }
            state.withLock { $0.relay }?.pass(.reload)
        }
        let time = SystemClock.milliseconds() - began.milliseconds
        log.write(.info, "stopped after \(time / 1000) s")
        return .ok
    }

    private func serve(_ session: CommandSession) async throws -> HostProcess.Request? {
        guard let core = session.host.local else { throw Reason.noChannelRelayProfile }
        let (settings, isFirst) = state.withLock { state in
            defer { state.hasStarted = true }
            return (state.settings, !state.hasStarted)
        }
        try await core.setChatRelayPolicy(settings.policy)
        if isFirst {
            let process = session.host.process, relayLoop = session.host.loop
            let relay = try await MessageRelay.start(
                in: folder, log, metrics: invocation[ChannelRelayStartCommand.relayMetrics]
            ) { [self] error in
                state.withLock { $0.failure = error }
                relayLoop.post { process.pass(.stop) }
            }
            state.withLock { $0.relay = relay }
        }
        let address = try await session.chatRelayAddress()
        session.host.process.onCount { [self] in count(activity(of: core)) }
        let ticks = Ticks()
        defer { ticks.end() }
        let loop = session.host.loop
        if let path = invocation[ChannelRelayStartCommand.metrics] {
            let failures = RepeatedFailures(log, "cannot write the metrics")
            ticks.repeat(every: ChannelRelayService.interval, on: loop, atOnce: true) { [self] in
                failures.attempt { try write(to: path, core) }
            }
        }
        if let pages = ChannelPages(settings, in: folder) {
            let failures = RepeatedFailures(log, "cannot write the pages about channels")
            ticks.repeat(every: .seconds(settings.webSeconds), on: loop, atOnce: true) {
                failures.attempt { try pages.write(core.assumeIsolated { try $0.channelPreviews(settings.webPosts) }) }
            }
        }
        ticks.repeat(every: ChannelRelayService.summaryInterval, on: loop) { [self] in
            sumUp(activity(of: core))
        }
        try await session.receive(takesSignals: true) { _ in
            if isFirst {
                try invocation.print(ChatRelayReport(address: address, state: "serving"))
                let version = VersionReport.current.version
                log.write(.info, "tacit \(version) serves channels, pid \(ProcessEnvironment.processID)")
            }
            ServiceState.tell(.ready, invocation)
        }
        let done = activity(of: core)
        state.withLock { $0.earlier = done }
        let request = session.host.process.request
        ServiceState.tell(request == .reload ? .reloading : .stopping, invocation)
        if request != .reload {
            await state.withLock { $0.relay }?.stop()
            if let path = invocation[ChannelRelayStartCommand.metrics] { try? Files.remove(path) }
        }
        return request
    }

    // MARK: - Log and metrics

    private func note(_ event: any ChatEvent) {
        if let event = event as? JoinedGroupEvent, event.group.isServedByUser {
            return log.write(.info, "serves the channel #\(event.group.id.number)")
        }
        guard let report = EventReport(event), report.isAboutRelay else { return }
        let level = event is HostConnectedEvent ? ServiceLog.Level.info : .warning
        log.write(level, "relay \(report.sentenceWithSubject.text)")
    }

    /// What was done since the process began. On the loop's thread.
    private func activity(of core: LocalCore) -> ChatRelayActivity {
        core.assumeIsolated { $0.chatRelayActivity }.adding(state.withLock { $0.earlier })
    }

    /// SIGUSR1.
    private func count(_ activity: ChatRelayActivity) {
        let values = ChatRelayActivity.counters.map { "\($0.name)=\(activity[keyPath: $0.path])" }
        log.write(.info, "counters: " + values.joined(separator: " "), isAnswer: true)
        state.withLock { $0.relay }?.pass(.count)
    }

    /// Logs how many requests were refused.
    private func sumUp(_ activity: ChatRelayActivity) {
        let (channels, joins) = state.withLock { state in
            defer { state.counted = activity }
            return (
                activity.refusals - state.counted.refusals, activity.refusedJoins - state.counted.refusedJoins
            )
        }
        guard channels + joins > 0 else { return }
        log.write(.warning, "refused requests: \(channels) of owners, \(joins) of subscribers")
    }

    private func write(to path: String, _ core: LocalCore) throws {
        let (found, outbox) = try core.assumeIsolated { (try $0.chatRelayState(), try $0.waitingMessages()) }
        let metrics = ChannelRelayMetrics(
            version: VersionReport.current.version, started: began,
            channelLimit: state.withLock { $0.settings.channelLimit }, state: found,
            activity: activity(of: core), outbox: outbox)
        try Files.replace(path, Bytes(metrics.text.utf8), durably: false, isPublic: true)
    }
}

/// Steps that may fail again and again, of which the first failure is logged.
private final class RepeatedFailures {
    private let log: ServiceLog
    private let title: String
    private var isFailing = false

    init(_ log: ServiceLog, _ title: String) {
        self.log = log
        self.title = title
    }

    func attempt(_ step: () throws -> Void) {
        do {
            try step()
            isFailing = false
        } catch {
            if !isFailing {
                let reason = (error as? SystemError)?.reason ?? "the store failed"
                log.write(.warning, "\(title): \(reason)")
            }
            isFailing = true
        }
    }
}

/// Work that is repeated on a loop until it is ended.
private final class Ticks {
    private var hasEnded = false

    func `repeat`(
        every interval: Duration, on loop: EventLoop, atOnce: Bool = false, _ action: @escaping () -> Void
    ) {
        if atOnce { action() }
        loop.after(interval) { [weak self] in
            guard let self, !hasEnded else { return }
            action()
            `repeat`(every: interval, on: loop, action)
        }
    }

    func end() {
        hasEnded = true
    }
}
