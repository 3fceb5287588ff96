import ChatCore
import CommandKit
import TerminalKit

/// `tacit hook list`
enum HookListCommand {
    static let leaf: Leaf = .init(
        Command(
            "hook list", "List hooks with their states and pending runs",
            promise: "the list was printed", store: .none,
            examples: [
                Example("tacit hook list", "List all hooks, and other files in their folder"),
                Example("tacit hook list --json", "List hooks as JSON, with their last errors"),
            ],
            exits: [65, 66, 69, 71, 77], reports: HookReport.forms, topics: ["hooks"],
            discussion: """
                The state missing means that no such file exists. The state ignored means that the file is not run because it \
                is not executable or other users could have written it. The state unknown marks a file whose name is not the \
                name of a hook, perhaps a misspelling. After four failed attempts only the id of an event is kept.
                """),
        purpose: { _ in "list hooks" },
        run: { invocation in
            let folder = try HookFolder(invocation)
            let runs = try runs(invocation)
            let reports =
                Hook.allCases.map { HookReport($0, in: folder, runs: runs) }
                + (try folder.strangers()).map { HookReport(stranger: $0, in: folder) }
            try invocation.print(list: reports)
            return .ok
        })

    /// Hooks can be put in place before there is a store.
    private static func runs(_ invocation: Invocation) throws -> [HookRun] {
        guard try invocation.storeFolder().exists else { return [] }
        return try StoreOpener(invocation, isWriting: false).run { try await $0.hookRuns() }
    }
}
