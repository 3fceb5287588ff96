import ChatCore
import CommandKit
import RemoteCore
import TerminalKit

/// `tacit daemon reload`
enum DaemonReloadCommand {
    static let leaf: Leaf = .init(
        Command(
            "daemon reload", "Have the daemon read its settings anew", promise: "it has been told to", store: .none,
            examples: [Example("tacit daemon reload", "After a change of the configuration")],
            exits: [1, 69, 75, 77], reports: DaemonReport.forms,
            discussion:
                "Its sessions with the relays are made anew; commands that it carries out meanwhile wait for it."),
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
