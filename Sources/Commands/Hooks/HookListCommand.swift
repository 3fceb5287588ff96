import ChatCore
import CommandKit
import TerminalKit

/// `tacit hook list`
enum HookListCommand {
    static let leaf: Leaf = .init(
        Command(
            "hook list", "List hooks, whether they can be run, and what they have yet to be told",
            promise: "the list was printed", store: .none,
            examples: [
                Example("tacit hook list", "All, those too that are not there"),
                Example("tacit hook list --json", "With what was wrong the last time"),
            ],
            exits: [65, 66, 69, 71, 77], reports: HookReport.forms, topics: ["hooks"],
            discussion: """
                A hook that is not there is missing, one that is ignored is there and not run, because somebody else could have \
                put it there. Of a call that failed for the fourth time is only known what it was about.
                """),
        purpose: { _ in "list hooks" },
        run: { invocation in
            let folder = try HookFolder(invocation)
            let runs = try runs(invocation)
            let reports = Hook.allCases.map { hook in
                HookReport(
                    hook: hook, path: folder.path(of: hook), state: folder.state(of: hook),
                    runs: runs.filter { $0.call.hook == hook.rawValue })
            }
            try invocation.print(list: reports)
            return .ok
        })

    /// Hooks can be put in place before there is a store.
    private static func runs(_ invocation: Invocation) throws -> [HookRun] {
        guard try invocation.storeFolder().exists else { return [] }
        return try StoreAccess(invocation, isWriting: false).run { try await $0.hookRuns() }
    }
}
