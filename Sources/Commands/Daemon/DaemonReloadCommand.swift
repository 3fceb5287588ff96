import CommandKit
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
            guard let host = invocation.host else {
                if let holder = try DaemonCommand.holder(invocation) { throw holder }
                throw Reason.noDaemon
            }
            guard host.process.command == DaemonRunCommand.leaf.command.path.joined(separator: " ") else {
                throw Reason.noDaemon(but: host.process.command)
            }
            try invocation.print(done: DaemonReport(host.process, state: "reloading"))
            host.process.express(.reload)
            return .ok
        })
}
