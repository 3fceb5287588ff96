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
                """),
        purpose: { "start the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let loop = try EventLoop()
        _ = DescriptorLimit.raise()
        let folder = try RelayFolder(opening: invocation[RelayCommand.folder])
        let server = try RelayServer(folder, on: loop)
        var failure: RelayError?
        server.whenFailed = { failure = $0 }
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
