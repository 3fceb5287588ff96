import CommandKit
import RemoteCore
import TerminalKit

/// `tacit daemon status`
enum DaemonStatusCommand {
    static let leaf: Leaf = .init(
        Command(
            "daemon status", "Show the process that takes commands for the store", promise: "there is one",
            store: .none,
            examples: [Example("tacit daemon status || tacit fetch", "Receive, if nobody does")], exits: [1, 75, 77],
            reports: DaemonReport.forms, discussion: "That may be a daemon, or a watch."),
        purpose: { _ in "find a daemon" },
        run: { invocation in
            try invocation.print(try DaemonCommand.ask(.status, invocation))
            return .ok
        })
}
