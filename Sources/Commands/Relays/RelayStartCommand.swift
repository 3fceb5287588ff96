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
        let log = ServiceLog(invocation), started = ContinuousClock.now
        let service = try RelayService(
            invocation[RelayCommand.folder], on: loop, log, metrics: invocation[metrics])
        var ending: Int32?
        let ends = try SignalWatch(EndingSignal.heeded.filter { $0 != OtherSignal.reload }, on: loop) { ending = $0 }
        let others = try SignalWatch(OtherSignal.heeded, on: loop) { number in
            guard number == OtherSignal.reload else { return service.count() }
            ServiceState.tell(.reloading, invocation)
            log.reopen()
            service.reload()
            ServiceState.tell(.ready, invocation)
        }
        try invocation.print(RelayReport(addresses: service.addresses, state: "listening"))
        if service.hasPassword {
            // SECURITY: standard output is the journal under a service manager.
            let folder = ShellWord.quoted(invocation[RelayCommand.folder])
            log.write(
                .info,
                "the address is printed without the password; 'tacit relay address --with-password \(folder)' prints both"
            )
        }
        ServiceState.tell(.ready, invocation)
        loop.run { ending != nil || service.failure != nil }
        ServiceState.tell(.stopping, invocation)
        service.stop()
        _ = consume ends
        _ = consume others
        if let failure = service.failure { throw failure }
        let time = Int((ContinuousClock.now - started) / .seconds(1))
        log.write(.info, "stopped by \(EndingSignal.name(of: ending ?? 0)) after \(time) s")
        return .ok
    }
}
