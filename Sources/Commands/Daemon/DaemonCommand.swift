import ChatCore
import CommandKit
import RemoteCore
import TerminalKit

/// `tacit daemon`
enum DaemonCommand {
    static let command = Command(
        noun: "daemon", "Keep a process that receives all the time", verbs: leaves.map(\.command),
        defaultVerb: "run", topics: ["scripting"],
        discussion: """
            A daemon keeps its sessions with the relays, so that messages come at once. Commands work beside it as ever: those \
            that write are carried out by the daemon, which has the store open, and those that read need nobody.

            Programs can ask it too, over its socket, one JSON object a line: corrId is an id, and cmd the text of a command as \
            for 'tacit api'. The answer has the same corrId, and result or error. An object whose field events is true asks for \
            events. 'tacit rpc' answers for the commands themselves. Only the user whose store it is gets an answer.
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
