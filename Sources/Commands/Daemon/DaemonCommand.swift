import ChatCore
import CommandKit
import TerminalKit

/// `tacit daemon`
enum DaemonCommand {
    static let command = Command(
        noun: "daemon", "Keep a process that receives all the time", verbs: leaves.map(\.command),
        defaultVerb: "run", topics: ["scripting"],
        discussion: """
            A daemon keeps its sessions with the relays, so that messages come at once. Commands work beside it as ever: those \
            that write are carried out by the daemon, which has the store open, and those that read need nobody.

            Programs can ask it too, by JSON-RPC 2.0 over its socket, one message a line: the methods are the commands, as in \
            contact.list, and the parameters their options and arguments by name. Only the user whose store it is gets an answer.
            """)

    static let leaves = [
        DaemonRunCommand.leaf, DaemonStatusCommand.leaf, DaemonStopCommand.leaf, DaemonReloadCommand.leaf,
    ]

    /// The process that has the store open for others, as far as its note in the lock says.
    static func holder(_ invocation: Invocation) throws -> StoreIsHosted? {
        guard let holder = StoreLock.holder(of: try invocation.storeFolder()), let socket = holder.socket else {
            return nil
        }
        return StoreIsHosted(holder: holder, socket: socket)
    }

}
