import ChatCore
import CommandKit
import TerminalKit

/// `tacit hook list`
enum HookListCommand {
    static let leaf: Leaf = .init(
        Command(
            "hook list", "List hooks, their states and what waits for them",
            promise: "the list was printed", store: .none,
            examples: [
                Example("tacit hook list", "All hooks, and other files in their folder"),
                Example("tacit hook list --json", "With what was wrong the last time"),
            ],
            exits: [65, 66, 69, 71, 77], reports: HookReport.forms, topics: ["hooks"],
            discussion: """
                A hook that is not there is missing, one that is ignored is there and not run, because somebody else could have \
                put it there. A file with a name that no hook has is unknown: perhaps the name is misspelled. Of a call that failed \
                for the fourth time is only known what it was about.
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
        return try StoreAccess(invocation, isWriting: false).run { try await $0.hookRuns() }
    }
}
