import CommandKit
import TerminalKit

/// `tacit hook`
enum HookCommand {
    static let command = Command(
        noun: "hook", "Look after the programs that are told of messages", verbs: leaves.map(\.command),
        defaultVerb: "list", topics: ["hooks"],
        discussion: """
            Hooks are programs in the folder that 'tacit hook path' prints. Each is run when something happens, and gets a line of \
            JSON on its standard input; 'tacit help hooks' says which there are.
            """)

    static let leaves = [HookListCommand.leaf, HookTestCommand.leaf, HookPathCommand.leaf]
}

/// `tacit hook path`
enum HookPathCommand {
    static let leaf: Leaf = .init(
        Command(
            "hook path", "Print the folder of hooks", promise: "the path was printed", store: .none,
            examples: [Example("tacit hook path", "Where hooks are looked for")],
            reports: HookPathReport.forms, topics: ["hooks"], discussion: "The folder need not be there."),
        purpose: { _ in "find the folder of hooks" },
        run: { invocation in
            try invocation.print(HookPathReport(path: try HookFolder(invocation).path))
            return .ok
        })
}
