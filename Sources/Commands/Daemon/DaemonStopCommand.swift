import ChatCore
import CommandKit
import Host
import SystemIO
import TerminalKit

/// `tacit daemon stop`
enum DaemonStopCommand {
    /// How long an end may take: transactions that have begun are finished.
    private static let timeout = Duration.seconds(10)

    static let leaf: Leaf = .init(
        Command(
            "daemon stop", "Stop the process that runs commands for the store",
            promise: "no such process is running, and its writes are on disk", store: .none,
            examples: [Example("tacit daemon stop", "Stop the daemon if it is running")], exits: [75, 77],
            reports: DaemonReport.forms),
        purpose: { _ in "stop the daemon" },
        run: { invocation in
            if let host = invocation.host, host.remote == nil {
                host.process.pass(.stop)
                return .ok
            }
            guard let process = try DaemonCommand.holder(invocation) else {
                invocation.note("no daemon is running")
                return .ok
            }
            let folder = try invocation.storeFolder(), deadline = ContinuousClock.now + timeout
            var isAsked = try ask(process, invocation)
            let unheard = ContinuousClock.now + grace
            while StoreLock.holder(of: folder)?.pid == process.holder.pid {
                guard ContinuousClock.now < deadline else {
                    throw StoreInUse(process, .stays, waited: timeout, command: invocation.commandName)
                }
                SystemClock.pause(StoreLock.pollingInterval)
                if !isAsked, ContinuousClock.now >= unheard {
                    guard let pid = process.holder.pid, StoreLock.isHeld(folder, by: pid),
                        OtherProcess.askToEnd(pid)
                    else { throw StoreInUse(process, .isSilent, waited: grace, command: invocation.commandName) }
                    isAsked = true
                }
            }
            try invocation.print(done: DaemonReport(process.holder, state: "stopped"))
            return .ok
        })

    /// How long a process may take to end that does not listen any more: it may be about to.
    private static let grace = Duration.seconds(1)

    /// Asks the process to end. False if nobody listens where it should: its socket may have been removed.
    private static func ask(_ process: HoldingProcess, _ invocation: Invocation) throws -> Bool {
        do {
            _ = try process.ask(.stop, within: timeout)
            return true
        } catch ChatError.holder(.ended) {
            return false
        } catch ChatError.holder(.silent) {
            throw StoreInUse(process, .isSilent, waited: timeout, command: invocation.commandName)
        }
    }
}
