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
                killed.
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
        let signals = try SignalWatch(EndingSignal.allCases.map(\.number), on: loop) { signal = $0 }
        let address = ConfiguredServer(address: server.address, password: folder.settings.password)
        try invocation.print(RelayReport(address: address, state: "listening"))
        loop.run { signal != nil || failure != nil }
        server.stop()
        _ = consume signals
        if let failure { throw failure }
        invocation.trace("ended by signal \(signal ?? 0)")
        return .ok
    }
}
