import CommandKit
import Host
import TerminalKit

/// `tacit daemon status`
enum DaemonStatusCommand {
    static let leaf: Leaf = .init(
        Command(
            "daemon status", "Show the process that runs commands for the store", promise: "such a process is running",
            store: .none,
            examples: [Example("tacit daemon status || tacit fetch", "Fetch unless a daemon is running")],
            exits: [1, 75, 77],
            reports: DaemonReport.forms, discussion: "The process is a daemon or a watch."),
        purpose: { _ in "find a daemon" },
        run: { invocation in
            try invocation.print(try DaemonCommand.ask(.status, invocation))
            return .ok
        })
}
