import ChatCore
import CommandKit
import TerminalKit

/// `tacit group list`
enum GroupListCommand {
    static let leaf: Leaf = .init(
        Command(
            "group list", "List groups", promise: "the list was printed", store: .reading,
            examples: [
                Example("tacit group list", "List all groups"),
                Example("tacit group list --plain --fields name,mentions", "Count unread messages that mention you"),
            ],
            reports: GroupReport.forms),
        purpose: { _ in "list groups" },
        body: { session in
            try session.invocation.print(list: try await session.groups().map { GroupReport(group: $0) })
            return .ok
        })
}
