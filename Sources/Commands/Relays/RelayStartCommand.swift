import CommandKit
import Relay
import SMPProtocol
import SystemIO
import TerminalKit

/// `tacit relay start`
enum RelayStartCommand {
    static let leaf: Leaf = .init(
        Command(
            "relay start", "Run a relay in the foreground until a signal ends it",
            promise: "it was asked to end and has ended", store: .none, positionals: [RelayCommand.folder],
            examples: [Example("tacit relay start /srv/relay", "Until Ctrl-C")], exits: [66, 69, 71, 74, 75, 78, 79],
            reports: RelayReport.forms,
            discussion: """
                As soon as it accepts connections it prints its address. What it holds is on disk at every moment, so it may be \
                killed. A service manager is told when it accepts connections and when it ends (NOTIFY_SOCKET, Type=notify in a \
                unit of systemd).

                If less than 'reserve_megabytes' of the disk are free, new queues and messages are refused with a temporary error; \
                waiting messages can be received and deleted, and a warning is logged.

                Messages expire after 'message_days'. If the clock of the machine jumps by more than a day, or the relay was off for \
                longer than that, messages expire by the time that the relay has run, until the clock is back or a third of \
                'message_days' has passed.

                Limits are set in relay.conf in the folder. 'connections' limits the connections at a time, and \
                'connections_per_address' those of one IPv4 address or IPv6 /64. A connection over a limit takes the place of \
                the oldest one that has not introduced itself, or is refused if there is none. Behind a gateway that forwards \
                TCP connections all clients have one address: set both limits to the same number there. A client that leaves \
                80 blocks of 16 KB unread is disconnected, and one that has 256 messages of GET to acknowledge gets no more of \
                them.

                Messages are forwarded to other relays unless 'proxy' is off. Relays at addresses that are not public are \
                refused unless 'proxy_private' is on. If a relay cannot be reached, the client is told so after exactly \
                'proxy_seconds', whatever the cause. 'proxy_relays' limits the relays that messages are forwarded to at a time, and \
                'proxy_relays_per_address' those of the clients at one address; if all places are taken, the address with the most \
                gives one to a client with fewer. 'proxy_openings_per_minute' limits the new sessions of an address, and \
                'proxy_connections_per_host' the connections to one host for relays that were not reached there before.
                """),
        purpose: { "start the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let loop = try EventLoop()
        _ = DescriptorLimit.raise()
        let folder = try RelayFolder(opening: invocation[RelayCommand.folder])
        let server = try RelayServer(folder, on: loop)
        var failure: RelayError?
        server.whenFailed = { failure = $0 }
        server.whenNoticed = { invocation.warn($0.sentence) }
        var signal: Int32?
        let signals = try SignalWatch(EndingSignal.heeded, on: loop) { signal = $0 }
        let address = ConfiguredServer(address: server.address, password: folder.settings.password)
        try invocation.print(RelayReport(address: address, state: "listening"))
        tell(.ready, invocation)
        loop.run { signal != nil || failure != nil }
        tell(.stopping, invocation)
        server.stop()
        _ = consume signals
        if let failure { throw failure }
        invocation.trace("ended by signal \(signal ?? 0)")
        return .ok
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

extension RelayNotice {
    fileprivate var sentence: String {
        switch self {
        case .isShortOfSpace: "the disk is nearly full: new queues and messages are refused"
        case .hasSpace: "the disk has space again: new queues and messages are accepted"
        case .doubtsClock:
            "the clock of this machine has jumped, or was not seen for long: messages expire later until it is confirmed"
        case .trustsClock: "the clock of this machine is trusted again"
        case .lostTurn: "the disk is full: all connections were closed"
        }
    }
}
