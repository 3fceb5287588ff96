import CommandKit
import TerminalKit

/// `tacit hook`
enum HookCommand {
    static let command = Command(
        noun: "hook", "Manage hooks: programs that run on events", verbs: leaves.map(\.command),
        defaultVerb: "list", topics: ["hooks"],
        discussion: """
            Hooks are executables in the folder that 'tacit hook path' prints. Each runs on one kind of event and gets it as a \
            JSON line on standard input; 'tacit help hooks' lists them.
            """)

    static let leaves = [HookListCommand.leaf, HookTestCommand.leaf, HookPathCommand.leaf]
}

/// `tacit hook path`
enum HookPathCommand {
    static let leaf: Leaf = .init(
        Command(
            "hook path", "Print the folder of hooks", promise: "the path was printed", store: .none,
            examples: [Example("tacit hook path", "Print the folder")],
            reports: HookPathReport.forms, topics: ["hooks"], discussion: "The folder need not exist."),
        purpose: { _ in "find the folder of hooks" },
        run: { invocation in
            try invocation.print(HookPathReport(path: try HookFolder(invocation).path))
            return .ok
        })
}
