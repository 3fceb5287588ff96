import ChatCore
import CommandKit
import Host
import TerminalKit

/// `tacit daemon reload`
enum DaemonReloadCommand {
    static let leaf: Leaf = .init(
        Command(
            "daemon reload", "Make the daemon reload its configuration", promise: "the daemon accepted the request",
            store: .none,
            examples: [Example("tacit daemon reload", "Apply a changed configuration")],
            exits: [1, 69, 75, 77], reports: DaemonReport.forms,
            discussion:
                "The daemon reconnects to the relays; other commands wait during that time."),
        purpose: { _ in "reload the daemon" },
        run: { invocation in
            let command = invocation.host.flatMap { $0.remote == nil ? $0.process.command : nil }
            guard let command = try command ?? DaemonCommand.holder(invocation).map({ $0.holder.command ?? "" }) else {
                throw Reason.noDaemon
            }
            guard command == DaemonRunCommand.leaf.command.path.joined(separator: " ") else {
                throw Reason.noDaemon(but: command)
            }
            try invocation.print(done: try DaemonCommand.ask(.reload, invocation))
            return .ok
        })
}
