import ChatCore
import CommandKit
import Host
import TerminalKit

/// `tacit daemon`
enum DaemonCommand {
    static let command = Command(
        noun: "daemon", "Run and control the background process", verbs: leaves.map(\.command),
        defaultVerb: "run", topics: ["scripting"],
        discussion: """
            The daemon stays connected to the relays, so messages arrive immediately. Other commands keep working: commands \
            that write to the store run through the daemon, and commands that only read open the store directly.

            Programs can use its Unix socket, with one JSON object per line: corrId is a request id, and cmd a command as for \
            'tacit api'. The answer has the same corrId, and result or error. An object with the field events set to true \
            subscribes to events. 'tacit rpc' offers the commands of tacit itself. The daemon answers only processes of the \
            user who owns the store.
            """)

    static let leaves = [
        DaemonRunCommand.leaf, DaemonStatusCommand.leaf, DaemonStopCommand.leaf, DaemonReloadCommand.leaf,
    ]

    /// The process that has the store open for others, as far as its note in the lock says.
    static func holder(_ invocation: Invocation) throws -> HoldingProcess? {
        HoldingProcess(of: try invocation.storeFolder())
    }

    /// Asks the process about itself, and returns what it says: this one, if the command runs in it.
    static func ask(_ control: CoreControl, _ invocation: Invocation) throws -> DaemonReport {
        if let host = invocation.host, host.remote == nil {
            return try host.run(invocation, onEvent: { _ in }) { _ in DaemonReport(try await host.control(control)) }
        }
        guard let process = try holder(invocation) else { throw Reason.noDaemon }
        do {
            return DaemonReport(try process.ask(control, within: invocation[GlobalOptions.lockTimeout]))
        } catch ChatError.holder(.ended) {
            throw Reason.lostHolder
        } catch ChatError.holder(.silent) {
            throw process.silent(invocation)
        }
    }
}
