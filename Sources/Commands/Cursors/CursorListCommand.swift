import ChatCore
import CommandKit
import TerminalKit

/// `tacit cursor list`
enum CursorListCommand {
    static let leaf: Leaf = .init(
        Command(
            "cursor list", "List cursors, and how much is behind each", promise: "the list was printed",
            store: .reading,
            examples: [
                Example("tacit cursor list", "How far programs have read"),
                Example("tacit cursor list --plain --fields name,waiting", "For awk and cut"),
            ],
            reports: CursorReport.forms),
        purpose: { _ in "list cursors" },
        body: { session in
            try session.invocation.print(list: try await CursorCommand.all(session).map { CursorReport(cursor: $0) })
            return .ok
        })
}
