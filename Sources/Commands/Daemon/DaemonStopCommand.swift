import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit daemon stop`
enum DaemonStopCommand {
    /// How long an end may take: transactions that have begun are finished.
    private static let patience = Duration.seconds(10)

    static let leaf: Leaf = .init(
        Command(
            "daemon stop", "End the process that takes commands for the store",
            promise: "there is none any more, and nobody writes to the store for it", store: .none,
            examples: [Example("tacit daemon stop", "Also if none runs")], exits: [75], reports: DaemonReport.forms),
        purpose: { _ in "stop the daemon" },
        run: { invocation in
            if let host = invocation.host {
                host.process.express(.stop)
                return .ok
            }
            guard let hosted = try DaemonCommand.holder(invocation) else {
                invocation.note("no daemon is running")
                return .ok
            }
            try Forwarding.call("daemon.stop", at: hosted)
            let folder = try invocation.storeFolder(), deadline = ContinuousClock.now + patience
            while StoreLock.holder(of: folder)?.pid == hosted.holder.pid {
                guard ContinuousClock.now < deadline else {
                    throw StoreInUse(hosted, waited: patience, command: invocation.commandName)
                }
                SystemClock.pause(StoreAccess.pollingInterval)
            }
            try invocation.print(done: DaemonReport(hosted.holder, state: "stopped"))
            return .ok
        })
}
