import ChatCore
import CommandKit
import TerminalKit

/// `tacit cursor list`
enum CursorListCommand {
    static let leaf: Leaf = .init(
        Command(
            "cursor list", "List cursors with the number of messages after each", promise: "the list was printed",
            store: .reading,
            examples: [
                Example("tacit cursor list", "List all cursors"),
                Example(
                    "tacit cursor list --plain --fields name,waiting", "Print name and message count for awk or cut"),
            ],
            reports: CursorReport.forms),
        purpose: { _ in "list cursors" },
        body: { session in
            try session.invocation.print(list: try await CursorCommand.all(session).map { CursorReport(cursor: $0) })
            return .ok
        })
}
