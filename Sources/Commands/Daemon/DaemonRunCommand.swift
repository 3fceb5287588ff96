import ChatCore
import CommandKit
import Host
import Synchronization
import SystemIO
import TerminalKit

/// `tacit daemon run`
enum DaemonRunCommand {
    static let leaf: Leaf = .init(
        Command(
            "daemon run", "Run the daemon in the foreground",
            promise: "the daemon was stopped, and everything is on disk", store: .writing,
            options: [AcceptedFiles.option],
            examples: [Example("tacit daemon run", "Run in the foreground, as under a service manager")],
            exits: [69, 71, 75], reports: DaemonReport.forms, topics: ["scripting"],
            discussion: """
                The daemon stays in the foreground; systemd or the shell puts it into the background. It sends READY=1 to a \
                service manager (NOTIFY_SOCKET). SIGTERM, Ctrl-C and tacit daemon stop end it cleanly. It does not print \
                received messages: tacit watch shows them. It logs when a relay cannot be reached, and when it can be reached \
                again.

                The daemon also uploads and downloads files, for commands that have ended too. --files chooses which offered \
                files it receives ('tacit help files'). It replaces file.accept of tacit.conf and the setting of 'tacit file \
                auto-accept'.

                SIGHUP and tacit daemon reload make it read the configuration files again and reconnect; options from its \
                command line stay. If a file is invalid, the daemon logs the error and keeps its settings. SIGUSR1 logs its \
                counters.
                """),
        isAlone: true, purpose: { _ in "run the daemon" },
        run: { invocation in
            // A signal that comes before the daemon is ready waits for it.
            SignalWatch.hold([OtherSignal.reload, OtherSignal.count])
            let opening = try StoreOpener(invocation, isWriting: true).open()
            let log = ServiceLog(invocation), counters = DaemonCounters()
            var invocation = invocation
            let files = invocation[AcceptedFiles.option]?.acceptance
            while true {
                let access = StoreOpener(
                    invocation, isWriting: true, isService: true,
                    onEvent: { event in
                        counters.count(event)
                        guard let report = EventReport(event), report.isAboutRelay else { return }
                        let level = event is HostConnectedEvent ? ServiceLog.Level.info : .warning
                        log.write(level, "relay \(report.sentenceWithSubject.text)")
                    })
                let request = try access.run(on: opening) { [invocation] session in
                    session.host.process.onCount {
                        log.write(.info, "counters: \(counters.text)", isAnswer: true)
                    }
                    try await session.receive(files: files, takesSignals: true) { reception in
                        guard let reception else { throw Reason.noControlSocket }
                        invocation.note(StyledText("accepting commands at ", .muted) + StyledText(reception.socket))
                        ServiceState.tell(.ready, invocation)
                    }
                    ServiceState.tell(session.host.process.request == .reload ? .reloading : .stopping, invocation)
                    return session.host.process.request
                }
                guard request == .reload else { return .ok }
                log.reopen()
                counters.countReload()
                if let mistake = ConfigurationCheck(invocation).harmful.first {
                    log.writeUnchanged("\(mistake.place): \(mistake.sentence)")
                } else {
                    invocation.note("reloading the configuration")
                    invocation.settings = Configuration(invocation.environment).settings
                }
            }
        })
}

/// What a daemon has done since its start.
private final class DaemonCounters: Sendable {
    private struct State {
        var events = 0
        var received = 0
        var connected = 0
        var disconnected = 0
        var reloads = 0
    }

    private let started = ContinuousClock.now
    private let state = Mutex(State())

    func count(_ event: any ChatEvent) {
        state.withLock { state in
            state.events += 1
            switch event {
            case let event as NewItemsEvent: state.received += event.visibleItems.count
            case is HostConnectedEvent: state.connected += 1
            case is HostDisconnectedEvent: state.disconnected += 1
            default: break
            }
        }
    }

    func countReload() {
        state.withLock { $0.reloads += 1 }
    }

    /// The counters as `name=value`.
    var text: String {
        let seconds = Int((ContinuousClock.now - started) / .seconds(1))
        return state.withLock { state in
            """
            uptime_seconds=\(seconds) reloads=\(state.reloads) events=\(state.events) received_messages=\(state.received) \
            relay_connections=\(state.connected) lost_relay_connections=\(state.disconnected)
            """
        }
    }
}
